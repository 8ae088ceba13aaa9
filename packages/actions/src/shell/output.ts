import { type Field, sourcesIn, UNKNOWN_MARK } from './field.ts';

export type Output =
  | { readonly kind: 'text'; readonly text: string }
  /** One word for each name, such as a search's results. `all`: every entry of the folder. */
  | { readonly kind: 'names'; readonly fields: readonly Field[]; readonly all?: true }
  | { readonly kind: 'files'; readonly fields: readonly Field[] }
  | { readonly kind: 'unknown' };

export const UNKNOWN_OUTPUT: Output = { kind: 'unknown' };
export const NO_OUTPUT: Output = { kind: 'text', text: '' };

/** Input of a command. `fed` is false if it comes from the terminal. */
export type Input = { readonly fed: boolean; readonly output: Output };

export function sourcesOf(output: Output): string {
  return output.kind === 'text' ? sourcesIn(output.text) : '';
}

export function withSources(output: Output, sources: string): Output {
  if (sources === '') return output;
  const text = output.kind === 'text' ? output.text : UNKNOWN_MARK;
  return { kind: 'text', text: text + [...sources].filter((mark) => !text.includes(mark)).join('') };
}
