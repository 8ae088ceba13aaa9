import { calledAs } from '../app/called-as.ts';
import { forDoTask } from '../app/for-do-task.ts';
import type { CommandResult } from '../app/result.ts';
import { printable, type Terminal, terminalOf } from '../io/ui/index.ts';
import { withLocalTimes } from '../tell/index.ts';

/** Prints a result, or a failure on standard error. With `isContent`, lines of the output are printed unchanged. */
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
  const text = isContent ? made : terminal.fitted(forDoTask(made));
  if (text === '') return;
  const as = process.stdout.isTTY && !isContent ? calledAs(text) : '';
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  const whole = as === '' ? ended : `${ended}${terminal.fitted(terminal.style.dim(as))}\n`;
  process.stdout.write(isContent ? Buffer.from(whole) : whole);
}

export function printError(
  failure: { readonly message: string; readonly next: string | null },
  noColor: boolean,
): void {
  const { style, fitted, para, piped } = terminalOf(process.stderr, noColor);
  const plain = printable(failure);
  const message = forDoTask(plain.message);
  const next = plain.next === null ? null : forDoTask(plain.next);
  const [first = '', ...others] = withLocalTimes(message, new Date()).split('\n');
  const lead = style.red('ralph:');
  const as = process.stderr.isTTY && next !== null ? calledAs(next) : '';
  const lines = [
    piped ? `${lead} ${first}` : para(first, `${lead} `, '  '),
    ...others.map(fitted),
    ...(next === null ? [] : [fitted(`  ${style.dim('Next:')} ${next}`)]),
    ...(as === '' ? [] : [fitted(style.dim(`  ${as}`))]),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
