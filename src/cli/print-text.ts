import type { CommandResult } from '../app/result.ts';
import { printable, type Terminal, terminalOf } from '../io/ui/index.ts';

/** Prints a result as text, with nothing in it that acts on the terminal; a failure goes to standard error. */
export function printText<T extends object>(
  result: CommandResult<T>,
  render: (data: T, terminal: Terminal) => string,
  noColor: boolean,
): void {
  if (result.ok) {
    const text = render(printable(result.data), terminalOf(process.stdout, noColor));
    if (text !== '') process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return;
  }
  const { style } = terminalOf(process.stderr, noColor);
  const { message, next } = printable(result);
  const advice = next === null ? '' : `\n  ${style.dim('Next:')} ${next}`;
  process.stderr.write(`${style.red('ralph:')} ${message}${advice}\n`);
}
