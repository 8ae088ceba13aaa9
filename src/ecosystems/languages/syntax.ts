/** How a language writes what isn't code, as far as the lexer needs it. */
export type Syntax = {
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
