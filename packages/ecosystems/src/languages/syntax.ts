import type { StringForm } from '../protocol.ts';

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
