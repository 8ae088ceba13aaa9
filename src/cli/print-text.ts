import type { CommandResult } from '../app/result.ts';
import { type Terminal, terminalOf } from '../io/ui/index.ts';

/** Prints a result for people: what came of it on standard output, a failure with its next step on standard error. */
export function printText<T extends Record<string, unknown>>(
  result: CommandResult<T>,
  text: (data: T, terminal: Terminal) => string,
  plain: boolean,
): void {
  if (result.ok) {
    const printed = text(result.data, terminalOf(process.stdout, plain));
    if (printed !== '') process.stdout.write(printed.endsWith('\n') ? printed : `${printed}\n`);
    return;
  }
  const { style } = terminalOf(process.stderr as NodeJS.WriteStream, plain);
  const next = result.next === null ? '' : `\n  ${style.dim('Next:')} ${result.next}`;
  process.stderr.write(`${style.red('ralph:')} ${result.message}${next}\n`);
}
