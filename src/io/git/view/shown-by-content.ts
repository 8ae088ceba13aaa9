/** Endings of files that are text whatever is in them: one NUL would make a diff hide all of them. */
const TEXT =
  'astro bash bat bats c cc cfg cjs clj cljs cmake cmd conf cpp cs css csv cts cu cxx dart ejs env erb erl ex exs fish fs ' +
  'gemspec go gql gradle graphql groovy h hcl hh hpp hrl hs htm html hxx ini java jl js json json5 jsonc jsx kt kts less ' +
  'lua md mdx mjs mk ml mli mm mts nim nix php pl pm proto ps1 py pyi pyx r rake rb rs rst sass sbt sc scala scss sh snap ' +
  'sol sql styl svelte svg swift tf tfvars toml ts tsx txt vb vue xml yaml yml zig zsh';
const TEXT_NAMES =
  'Dockerfile Containerfile Makefile GNUmakefile Rakefile Gemfile Podfile Procfile Vagrantfile Jenkinsfile justfile ' +
  'go.mod .env .gitignore .gitattributes';

/**
 * Attributes that stand above those of `.gitattributes` files, as git reads them: with `-diff` or `binary` an agent could hide
 * what it changed from every look at the diff. Content and these names decide what is text.
 */
export const SHOWN_BY_CONTENT = [
  '* !diff',
  ...TEXT.split(' ').map((ending) => `*.${anyCase(ending)} diff`),
  ...TEXT_NAMES.split(' ').map((name) => `${anyCase(name)} diff`),
  '',
].join('\n');

function anyCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
