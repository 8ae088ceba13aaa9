import type { CommandResult } from '../app/result.ts';
import type { Terminal } from '../io/ui/index.ts';

export type GlobalOptions = {
  readonly cwd?: string;
  readonly format: 'text' | 'json';
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color: boolean;
};

/** Prints a result in the chosen form and sets the exit code. The terminal's code is loaded when it is needed. */
export async function print<T extends Record<string, unknown>>(
  command: string,
  options: GlobalOptions,
  result: CommandResult<T>,
  text: (data: T, terminal: Terminal) => string,
): Promise<void> {
  process.exitCode = result.exitCode;
  if (options.format === 'json') {
    const body = result.ok ? result.data : { error: { message: result.message, next: result.next } };
    process.stdout.write(envelope(command, result.exitCode, body));
    return;
  }
  const { printText } = await import('./print-text.ts');
  printText(result, text, !options.color);
}

/** The one JSON document that a command prints. */
export function envelope(command: string, exitCode: number, body: Record<string, unknown>): string {
  const head = {
    schema_version: 'ralph.cli.v1',
    cmd: command,
    exit_code: exitCode,
    timestamp: new Date().toISOString(),
  };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}

/** A bug: one sentence, and the stack only on request. */
export function printUnexpected(error: unknown, verbose: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const stack = verbose && error instanceof Error ? `\n${error.stack}` : '';
  const hint = verbose ? '' : '\n  Next: run it again with --verbose and report what it says.';
  process.stderr.write(`ralph: this should not have happened: ${message}${hint}${stack}\n`);
}
