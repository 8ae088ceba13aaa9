import type { CommandResult } from '../app/result.ts';
import { printable, type Terminal, terminalOf, withLocalTimes } from '../io/ui/index.ts';

/**
 * Prints a result as text, with nothing in it that acts on the terminal; a failure goes to standard error.
 *
 * @param isContent It is what a file or a program holds, so its lines are left as they are.
 */
export function printText<T extends object>(
  result: CommandResult<T>,
  render: (data: T, terminal: Terminal) => string,
  noColor: boolean,
  isContent: boolean,
): void {
  if (!result.ok) {
    printError(result, noColor);
    return;
  }
  const terminal = terminalOf(process.stdout, noColor);
  const made = render(printable(result.data), terminal);
  const text = isContent ? made : terminal.fitted(made);
  if (text === '') return;
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  process.stdout.write(isContent ? Buffer.from(whole) : whole);
}

/** What went wrong, and the next command. */
export function printError(
  failure: { readonly message: string; readonly next: string | null },
  noColor: boolean,
): void {
  const { style, fitted, para, piped } = terminalOf(process.stderr, noColor);
  const { message, next } = printable(failure);
  const [first = '', ...others] = withLocalTimes(message, new Date()).split('\n');
  const lead = style.red('ralph:');
  const lines = [
    piped ? `${lead} ${first}` : para(first, `${lead} `, '  '),
    ...others.map(fitted),
    ...(next === null ? [] : [fitted(`  ${style.dim('Next:')} ${next}`)]),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
