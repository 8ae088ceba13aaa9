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

/** A file in a text with its lines `from` to `to`, counted from 1; `null` without lines. */
export type PathRef = { readonly path: string; readonly from: number | null; readonly to: number | null };

/** Characters of a word; longer ones aren't paths. This also bounds the work on each word. */
const LONGEST_WORD = 400;

const RANGE = String.raw`L?(\d{1,7})(?::\d{1,7})?(?:(?:-|–|—|\.\.)L?(\d{1,7})(?::\d{1,7})?)?`;
/** Matches `:10`, `:10-42`, `:10:5`, `:L10-L42`, `#L10-L42`. More ranges after a comma are ignored. */
const SUFFIX = new RegExp(String.raw`^(.+?)(?::|#)${RANGE}(?:,\d[\d,–-]*)?$`);
const BEHIND = [
  // Matches `(lines 10-42)`, ` line 10`, `, lines 10 to 42`.
  /^\s?[,(:]?\s?\(?(?:lines?|ln)\s(\d{1,7})(?:\s?(?:-|–|—|\.\.|to)\s?(\d{1,7}))?\)?/i,
  // Matches lines in a form such as ` L10-L42` or `(L10)`, after a path.
  /^\s?[(:#@]?L(\d{1,7})(?:\s?[-–—]\s?L?(\d{1,7}))?\b\)?/,
  // Matches `:10-42` after a closing backtick.
  /^[:#](\d{1,7})(?:(?:-|–|—|\.\.)(\d{1,7}))?/,
  // Matches lines in a form such as ` (10-42)`, after a path.
  /^\s\((\d{1,7})[-–—](\d{1,7})\)/,
];

/** Returns a word as a path with its lines, or `null`. With `quoted` it is set as code, so a doubtful name counts, too. */
export function readPathWord(word: string, quoted: boolean): PathRef | null {
  if (word.length > LONGEST_WORD) return null;
  const match = SUFFIX.exec(word);
  const path = normalisePath(match?.[1] ?? word);
  const strength = pathStrength(path);
  if (strength === 'none') return null;
  const lines = lineRange(match?.[2], match?.[3]);
  const sure = strength === 'strong' || quoted || (lines.from !== null && path.includes('/'));
  return sure ? { path, ...lines } : null;
}

/** Returns the lines in the text right after a path. `length` is the number of characters that name them, 0 without any. */
export function readLinesBehind(text: string): {
  readonly from: number | null;
  readonly to: number | null;
  readonly length: number;
} {
  const start = text.slice(0, 60);
  for (const pattern of BEHIND) {
    const match = pattern.exec(start);
    if (match !== null) return { ...lineRange(match[1], match[2]), length: match[0].length };
  }
  return { from: null, to: null, length: 0 };
}

function lineRange(
  from: string | undefined,
  to: string | undefined,
): { from: number | null; to: number | null } {
  const first = Number(from ?? 0);
  if (first < 1) return { from: null, to: null };
  const last = Number(to ?? first);
  return { from: first, to: Math.max(first, last) };
}
