const EXTENSIONS = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json json5 jsonc jsonl ndjson md mdx markdown rst txt adoc tex py pyi pyx ipynb ' +
    'rb rake erb go rs java kt kts groovy gradle scala sbt clj cljs ex exs erl hrl hs ml mli fs fsx cs csproj vb sln ' +
    'swift m mm c h cc cpp cxx hpp hh ino zig nim d dart lua pl pm php r jl sh bash zsh fish ps1 bat cmd sql graphql ' +
    'gql proto thrift html htm xhtml css scss sass less styl vue svelte astro hbs ejs pug xml xsl yaml yml toml ini ' +
    'cfg conf properties env lock csv tsv svg png jpg jpeg gif webp ico pdf wasm tf tfvars hcl nix cmake mk diff ' +
    'patch snap storyboard xib plist xcodeproj pbxproj entitlements feature prisma sol vy log map'
  ).split(' '),
);

const PRODUCTS = new Set(
  (
    'node.js next.js vue.js nuxt.js react.js express.js three.js d3.js chart.js ember.js backbone.js moment.js ' +
    'socket.io p5.js alpine.js solid.js deno.js bun.js asp.net vb.net objective.c day.js nest.js discord.js'
  ).split(' '),
);

/** Names of files without an extension, or with nothing before it. */
const WHOLE_NAMES = new Set(
  (
    'makefile dockerfile containerfile procfile rakefile gemfile podfile brewfile justfile vagrantfile jenkinsfile ' +
    'cmakelists.txt codeowners .gitignore .gitattributes .gitmodules .dockerignore .editorconfig .env .npmrc .nvmrc ' +
    '.npmignore .prettierrc .prettierignore .eslintrc .eslintignore .babelrc .browserslistrc .mailmap .flake8 ' +
    '.python-version .node-version .tool-versions'
  ).split(' '),
);

const DOMAIN = /^(?:[\w-]+\.)+(?:com|org|net|io|dev|app|edu|gov)$/i;
const MEDIA_TYPE = /^(?:application|text|image|audio|video|multipart|font)\/[\w.+-]+$/i;
const FORBIDDEN = /[<>|*?"'`;{}$\n\r]|:\/\/|\(\)|^www\.|^mailto:/i;

/**
 * Returns how certainly a word names a file. `strong`: it has a file's extension or name. `weak`: it may (`src/parser`, `foo.bar`), so it
 * counts only as code or with a line number, and never against the agent.
 */
export function pathStrength(path: string): 'strong' | 'weak' | 'none' {
  const withoutDrive = path.replace(/^[A-Za-z]:\//, '/');
  if (path.length === 0 || path.length > 300 || FORBIDDEN.test(path)) return 'none';
  if (path.startsWith('-') || withoutDrive.includes(':') || withoutDrive.includes(',')) return 'none';
  const segments = withoutDrive.split('/');
  if (!segments.some((segment) => /\p{L}/u.test(segment))) return 'none';
  const name = segments.at(-1) ?? '';
  const hasFolder = segments.length > 1;
  if (hasFolder && (DOMAIN.test(segments[0] ?? '') || MEDIA_TYPE.test(path))) return 'none';
  if (!hasFolder && path.includes('@')) return 'none';
  if (WHOLE_NAMES.has(name.toLowerCase())) return 'strong';
  const ending = /[^.]\.([A-Za-z][A-Za-z0-9_-]{0,11})$/.exec(name)?.[1];
  if (ending === undefined) return hasFolder || /^[A-Z]{4,}$/.test(name) ? 'weak' : 'none';
  if (hasFolder) return 'strong';
  if (PRODUCTS.has(name.toLowerCase())) return 'none';
  return EXTENSIONS.has(ending.toLowerCase()) ? 'strong' : 'weak';
}

/**
 * Returns a path in the change set's form: with `/`, without a leading `./`, and without empty or `..` parts inside. Absolute paths and
 * those that start with `../` stay so.
 */
export function normalisePath(raw: string): string {
  const path = raw.replaceAll('\\', '/');
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const above = parts.at(-1);
    if (part === '..' && above !== undefined && above !== '..') parts.pop();
    else parts.push(part);
  }
  return (absolute ? '/' : '') + parts.join('/');
}

export function leavesRepository(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:\/|\.\.(?:\/|$))/.test(path);
}
