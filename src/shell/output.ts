import type { Field } from './field.ts';

/** What a command prints, as far as it is known before it runs. */
export type Output =
  | { readonly kind: 'text'; readonly text: string }
  /** Words, one each, such as the names that a search finds. */
  | { readonly kind: 'names'; readonly fields: readonly Field[] }
  | { readonly kind: 'unknown' };

export const UNKNOWN_OUTPUT: Output = { kind: 'unknown' };
export const NO_OUTPUT: Output = { kind: 'text', text: '' };

/** What a command reads: `fed` is false where its input is the terminal, or whoever typed the command. */
export type Input = { readonly fed: boolean; readonly output: Output };
