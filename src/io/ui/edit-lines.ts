import type { ShownEdit } from '../../domain/records/edits.ts';
import { onOneLine } from '../../lib/text.ts';
import type { Terminal } from './terminal.ts';

/** Settings that protect were edited while a run was at work. */
export const APPROVE =
  'Settings that decide what is verified, allowed or limited are among it. The run keeps those that it began with; approve them before the next one: ralph trust';

/** An edit of yours as a small diff. */
export function editLines(
  { path, change, iteration, lines }: ShownEdit,
  { style, para }: Terminal,
  indent: string,
): string[] {
  const what = change === 'created' ? 'made' : 'edited';
  const none = lines.length === 0 ? '; nothing that ralph reads differs' : '';
  return [
    para(`You ${what} ${path} while #${iteration} was at work${none}.`, indent),
    ...lines.map((line) => {
      const text = para(onOneLine(line), `${indent}    `, `${indent}        `);
      return line.startsWith('+') ? style.green(text) : line.startsWith('-') ? style.red(text) : text;
    }),
  ];
}
