import './no-debugger.ts';
import '../app/setup/fleet-address.ts';
import type { Command } from 'commander';
import { CommandLineEnd } from './define/index.ts';
import { envelope, printUnexpected } from './print.ts';
import { buildProgram, isAlone, wantsJson } from './program.ts';
import { endOnSignals } from './stopped.ts';

/**
 * A reader that goes away (`ralph logs | head`) and a closed terminal aren't errors: a run continues unseen, and ends
 * by its own rules.
 */
function unlessReaderGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
process.stdout.on('error', unlessReaderGone);
process.stderr.on('error', unlessReaderGone);

/** A command line that isn't carried out: what is wrong with it, and where to look. */
async function endOf({ exitCode, isHelp, command, message }: CommandLineEnd): Promise<void> {
  process.exitCode = exitCode;
  const isJson = wantsJson(process.argv);
  if (exitCode === 0 || (isHelp && !isJson)) return;
  const next = `${command} --help`;
  if (isJson) {
    process.stdout.write(envelope(command.split(' ')[1] ?? 'ralph', exitCode, { error: { message, next } }));
    return;
  }
  const { printError } = await import('./print-text.ts');
  printError({ message, next }, process.argv.includes('--no-color'));
}

/**
 * A command that looks leaves at once: to take the heap apart first takes a tenth of its time. What isn't written yet
 * is waited for, and so is what other commands may have left to do.
 */
function leaveAfter(command: Command): void {
  const own = command.parent?.parent == null ? command : command.parent;
  const isWritten = process.stdout.writableLength === 0 && process.stderr.writableLength === 0;
  if (own.helpGroup() === 'Look:' && isWritten) process.exit();
}

/** `ralph` alone on a terminal is `ralph watch`. */
function argvOf(): string[] {
  const { argv, stdin, stdout, env } = process;
  if (stdin.isTTY !== true || stdout.isTTY !== true || env.CI !== undefined || env.TERM === 'dumb')
    return argv;
  return isAlone(argv.slice(2)) ? [...argv, 'watch'] : argv;
}

async function main(): Promise<void> {
  endOnSignals(wantsJson(process.argv));
  try {
    await buildProgram()
      .hook('postAction', (_program, command) => leaveAfter(command))
      .parseAsync(argvOf());
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
