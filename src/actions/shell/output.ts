import { type Field, sourcesIn, UNKNOWN_MARK } from './field.ts';

/** What a command prints, as far as it is known before it runs. */
export type Output =
  | { readonly kind: 'text'; readonly text: string }
  /** Words, one each, such as the names that a search finds; `all`: of everything in the folder. */
  | { readonly kind: 'names'; readonly fields: readonly Field[]; readonly all?: true }
  /** What files hold. */
  | { readonly kind: 'files'; readonly fields: readonly Field[] }
  | { readonly kind: 'unknown' };

export const UNKNOWN_OUTPUT: Output = { kind: 'unknown' };
export const NO_OUTPUT: Output = { kind: 'text', text: '' };

/** What a command reads: `fed` is false where its input is the terminal, or whoever typed the command. */
export type Input = { readonly fed: boolean; readonly output: Output };

/** Where what isn't known of an output comes from. */
export function sourcesOf(output: Output): string {
  return output.kind === 'text' ? sourcesIn(output.text) : '';
}

/** The same output, with what it comes from besides. */
export function withSources(output: Output, sources: string): Output {
  if (sources === '') return output;
  const text = output.kind === 'text' ? output.text : UNKNOWN_MARK;
  return { kind: 'text', text: text + [...sources].filter((mark) => !text.includes(mark)).join('') };
}
