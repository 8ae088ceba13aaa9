/** How a language writes what isn't code, as far as the lexer needs it. */
export type Language = {
  readonly name: LanguageName;
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [string, string])[];
  /** Longer openings first. */
  readonly strings: readonly StringForm[];
  /** `/…/` where a value may stand. */
  readonly regexes?: boolean;
  /** `'a'` is one character and `'a` is not the beginning of a string. */
  readonly characters?: boolean;
};

export type StringForm = {
  readonly open: string;
  readonly close: string;
  readonly escapes: boolean;
  readonly lines: boolean;
};

export type LanguageName =
  | 'js'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'kotlin'
  | 'csharp'
  | 'ruby'
  | 'php'
  | 'swift'
  | 'cpp'
  | 'elixir'
  | 'dart'
  | 'scala'
  | 'shell'
  | 'perl'
  | 'lua'
  | 'r'
  | 'julia'
  | 'zig'
  | 'haskell'
  | 'data';

const one = (quote: string): StringForm => ({ open: quote, close: quote, escapes: true, lines: false });
const many = (quote: string, escapes = true): StringForm => ({
  open: quote,
  close: quote,
  escapes,
  lines: true,
});

const SLASHES = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const;
const HASH = { lineComments: ['#'], blockComments: [] } as const;
const TRIPLE = [many('"""'), many("'''")];

const RUST_RAW = ['##', '#', ''].map((fence) => ({
  open: `r${fence}"`,
  close: `"${fence}`,
  escapes: false,
  lines: true,
}));

const LANGUAGES: Readonly<Record<LanguageName, Omit<Language, 'name'>>> = {
  js: { ...SLASHES, strings: [many('`'), one('"'), one("'")], regexes: true },
  python: { ...HASH, strings: [...TRIPLE, one('"'), one("'")] },
  go: { ...SLASHES, strings: [many('`', false), one('"'), one("'")] },
  rust: { ...SLASHES, strings: [...RUST_RAW, many('"')], characters: true },
  java: { ...SLASHES, strings: [many('"""'), one('"'), one("'")] },
  kotlin: { ...SLASHES, strings: [many('"""', false), one('"'), one("'")] },
  csharp: {
    ...SLASHES,
    strings: [
      many('"""', false),
      { open: '@"', close: '"', escapes: false, lines: true },
      one('"'),
      one("'"),
    ],
  },
  ruby: {
    lineComments: ['#'],
    blockComments: [['\n=begin', '\n=end']],
    strings: [one('"'), one("'"), one('`')],
    regexes: true,
  },
  php: { lineComments: ['//', '#'], blockComments: [['/*', '*/']], strings: [many('"'), many("'")] },
  swift: { ...SLASHES, strings: [many('"""'), one('"')] },
  cpp: {
    ...SLASHES,
    strings: [{ open: 'R"(', close: ')"', escapes: false, lines: true }, one('"')],
    characters: true,
  },
  elixir: { ...HASH, strings: [...TRIPLE, many('"'), one("'")] },
  dart: { ...SLASHES, strings: [...TRIPLE, one('"'), one("'")] },
  scala: { ...SLASHES, strings: [many('"""', false), one('"')], characters: true },
  shell: { ...HASH, strings: [many('"'), many("'", false)] },
  perl: {
    lineComments: ['#'],
    blockComments: [
      ['\n=pod', '\n=cut'],
      ['\n=head', '\n=cut'],
    ],
    strings: [many('"'), many("'")],
  },
  lua: {
    lineComments: ['--'],
    blockComments: [['--[[', ']]']],
    strings: [{ open: '[[', close: ']]', escapes: false, lines: true }, one('"'), one("'")],
  },
  r: { ...HASH, strings: [many('"'), many("'")] },
  julia: {
    lineComments: ['#'],
    blockComments: [['#=', '=#']],
    strings: [many('"'.repeat(3)), many('"')],
    characters: true,
  },
  zig: { lineComments: ['//'], blockComments: [], strings: [one('"')], characters: true },
  haskell: { lineComments: ['--'], blockComments: [['{-', '-}']], strings: [one('"')], characters: true },
  data: { ...HASH, strings: [one('"'), one("'")] },
};

const BY_EXTENSION: Readonly<Record<string, LanguageName>> = {
  ...named('js', 'js jsx mjs cjs ts tsx mts cts vue svelte astro'),
  ...named('python', 'py pyi pyx'),
  ...named('go', 'go'),
  ...named('rust', 'rs'),
  ...named('java', 'java groovy'),
  ...named('kotlin', 'kt kts'),
  ...named('csharp', 'cs fs vb'),
  ...named('ruby', 'rb rake gemspec'),
  ...named('php', 'php'),
  ...named('swift', 'swift m mm'),
  ...named('cpp', 'c cc cpp cxx h hh hpp hxx cu'),
  ...named('elixir', 'ex exs'),
  ...named('dart', 'dart'),
  ...named('scala', 'scala sc'),
  ...named('shell', 'sh bash zsh bats ksh fish'),
  ...named('perl', 'pl pm t'),
  ...named('lua', 'lua'),
  ...named('r', 'r'),
  ...named('julia', 'jl'),
  ...named('zig', 'zig'),
  ...named('haskell', 'hs'),
};

function named(name: LanguageName, extensions: string): Record<string, LanguageName> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, name]));
}

/** The language of a file by its name; `data` for configuration and whatever else has no code in it. */
export function languageOf(path: string): Language {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const name = BY_EXTENSION[extension] ?? (/(?:^|\/)(?:Rakefile|Gemfile)$/.test(path) ? 'ruby' : 'data');
  return { name, ...LANGUAGES[name] };
}
