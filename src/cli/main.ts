import './no-debugger.ts';
import '../app/setup/chat-secrets.ts';
import '../app/setup/fleet-address.ts';
import type { Command } from 'commander';
import { CommandLineEnd } from './command-line-end.ts';
import { envelope, printUnexpected } from './print.ts';
import { buildProgram, commandIn, isAlone, wantsJson } from './program.ts';
import { endOnSignals } from './stopped.ts';

/** A closed pipe (`ralph logs | head`) or terminal isn't an error: a run continues without its screen. */
const READER_GONE = ['EPIPE', 'EIO'];
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (READER_GONE.includes(code ?? '')) return;
  process.stderr.write(`ralph: The output can't be written: ${message}.\n  Next: df -h\n`);
  process.exit(1);
});
// If even errors can't be written, nothing can be reported.
process.stderr.on('error', () => undefined);

async function endOf({ exitCode, isHelp, command, message, next }: CommandLineEnd): Promise<void> {
  process.exitCode = exitCode;
  const isJson = wantsJson(process.argv);
  if (exitCode === 0 || (isHelp && !isJson)) return;
  if (isJson) {
    process.stdout.write(envelope(command.split(' ')[1] ?? 'ralph', exitCode, { error: { message, next } }));
    return;
  }
  const { printError } = await import('./print-text.ts');
  printError({ message, next }, process.argv.includes('--no-color'));
}

/**
 * Ends the process at once, because freeing memory would take a tenth of a short command's time. Output that isn't
 * written yet is waited for.
 */
function leaveAfter(command: Command): void {
  const own = command.parent?.parent == null ? command : command.parent;
  const isWritten = process.stdout.writableLength === 0 && process.stderr.writableLength === 0;
  if (own.helpGroup() === 'Look:' && isWritten) process.exit();
}

/** Returns the arguments. On a terminal, `ralph` alone means `ralph watch`. */
function argvOf(): string[] {
  const { argv, stdin, stdout, env } = process;
  if (stdin.isTTY !== true || stdout.isTTY !== true || env.CI !== undefined || env.TERM === 'dumb')
    return argv;
  return isAlone(argv.slice(2)) ? [...argv, 'watch'] : argv;
}

async function main(): Promise<void> {
  endOnSignals(wantsJson(process.argv));
  try {
    const argv = argvOf();
    const program = await buildProgram(commandIn(argv.slice(2)));
    await program.hook('postAction', (_program, command) => leaveAfter(command)).parseAsync(argv);
  } catch (error) {
    if (error instanceof CommandLineEnd) {
      await endOf(error);
    } else {
      printUnexpected(error, process.argv.includes('-v') || process.argv.includes('--verbose'));
      process.exitCode = 1;
    }
  }
}

void main();
