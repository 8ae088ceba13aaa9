/** Extensions that are text whatever the content: a single NUL would hide them from a diff. */
const TEXT =
  'astro bash bat bats c cc cfg cjs clj cljs cmake cmd conf cpp cs css csv cts cu cxx dart ejs env erb erl ex exs fish fs ' +
  'gemspec go gql gradle graphql groovy h hcl hh hpp hrl hs htm html hxx ini java jl js json json5 jsonc jsx kt kts less ' +
  'lua md mdx mjs mk ml mli mm mts nim nix php pl pm proto ps1 py pyi pyx r rake rb rs rst sass sbt sc scala scss sh snap ' +
  'sol sql styl svelte svg swift tf tfvars toml ts tsx txt vb vue xml yaml yml zig zsh';
const TEXT_NAMES =
  'Dockerfile Containerfile Makefile GNUmakefile Rakefile Gemfile Podfile Procfile Vagrantfile Jenkinsfile justfile ' +
  'go.mod .env .gitignore .gitattributes';

/** `-diff` or `binary` in `.gitattributes` could hide changes, so content and these names decide what is text. */
export const SHOWN_BY_CONTENT = [
  '* !diff',
  ...TEXT.split(' ').map((ending) => `*.${anyCase(ending)} diff`),
  ...TEXT_NAMES.split(' ').map((name) => `${anyCase(name)} diff`),
  '',
].join('\n');

function anyCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
