/** Forms of strings, comments and other text that isn't code, for the lexer. */
export type Syntax = {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [string, string])[];
  /** Longer openings come first. */
  readonly strings: readonly StringForm[];
  /** `/…/` is a regular expression where a value may stand. */
  readonly regexes?: boolean;
  /** `'a'` is a character and `'a` doesn't begin a string. */
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

export const one = (quote: string): StringForm => ({
  open: quote,
  close: quote,
  escapes: true,
  lines: false,
});
export const many = (quote: string, escapes = true): StringForm => ({
  open: quote,
  close: quote,
  escapes,
  lines: true,
});

export const SLASHES = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const;
export const HASH = { lineComments: ['#'], blockComments: [] } as const;
export const TRIPLE = [many('"""'), many("'''")];
