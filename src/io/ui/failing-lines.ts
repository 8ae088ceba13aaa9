import type { Failing } from '../../domain/records/state.ts';
import { quotedNames } from '../../lib/text.ts';
import type { Terminal } from './terminal.ts';

/** What failed an attempt, in its own words, below the reason for which it isn't done. */
export function failingLines(
  failing: Failing | null,
  { style, para }: Pick<Terminal, 'style' | 'para'>,
  indent: string,
): string[] {
  if (failing === null) return [];
  return [
    para(`${failingHead(failing)}:`, indent),
    ...failing.lines.map((line) => style.red(para(line, `${indent}  `, `${indent}    `))),
  ];
}

/** Who printed it, and since when it fails. */
export function failingHead({ gate, since }: Failing): string {
  if (gate === null) return 'the agent printed';
  const when = { work: ', which passed before the work', before: ', which failed before, too' };
  return `gate ${quotedNames([gate])}${since === null ? '' : when[since]}`;
}
