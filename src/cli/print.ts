import { escapeUnseen, stripControl } from 'ralph-kit/text';
import { asItLies } from '../app/as-it-lies.ts';
import type { CommandResult } from '../app/result.ts';
import type { Terminal } from '../io/ui/index.ts';

export type CallOptions = {
  /**
   * Output format. `table` means text; `prometheus` is for `ralph metrics`; only some commands have `markdown` and
   * `sarif`.
   */
  readonly format: 'text' | 'json' | 'table' | 'prometheus' | 'markdown' | 'sarif';
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
};

/** Prints a result and sets the exit code. Code for text output is only loaded if needed. */
export async function print<T extends object>(
  command: string,
  { format, color }: CallOptions,
  result: CommandResult<T>,
  render: (data: T, terminal: Terminal) => string,
  isContent: boolean,
): Promise<void> {
  process.exitCode = result.exitCode;
  if (format === 'json') {
    const body = result.ok ? result.data : { error: { message: result.message, next: result.next } };
    process.stdout.write(envelope(command, result.exitCode, body));
    return;
  }
  const { printText } = await import('./print-text.ts');
  printText(result, render, !color, isContent);
}

/** Returns the single JSON document that a command prints. */
export function envelope(command: string, exitCode: number, body: object): string {
  const head = {
    schema_version: 'ralph.cli.v1',
    cmd: command,
    exit_code: exitCode,
    timestamp: new Date().toISOString(),
  };
  return `${escapeUnseen(JSON.stringify({ ...head, ...body }, adviceAsItLies, 2))}\n`;
}

/** A replacer for JSON.stringify that changes only members with ralph's own advice; words of agents stay as they are. */
function adviceAsItLies(key: string, value: unknown): unknown {
  if (key !== 'next' && key !== 'message') return value;
  if (typeof value === 'string') return asItLies(value);
  return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? asItLies(one) : one)) : value;
}

/** Reports a bug of ralph in one sentence, with the stack only if `verbose`. */
export function printUnexpected(error: unknown, verbose: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const stack = verbose && error instanceof Error ? `\n${error.stack}` : '';
  const hint = verbose ? '' : '\n  Next: run it again with --verbose and report what it prints.';
  process.stderr.write(stripControl(`ralph: this should not have happened: ${message}${hint}${stack}\n`));
}
