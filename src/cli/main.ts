import './no-debugger.ts';
import { CommandLineEnd } from './define/index.ts';
import { envelope, printUnexpected } from './print.ts';
import { buildProgram, wantsJson } from './program.ts';

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

async function main(): Promise<void> {
  try {
    await buildProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommandLineEnd) {
      await endOf(error);
    } else {
      printUnexpected(error, process.argv.includes('-v') || process.argv.includes('--verbose'));
      process.exitCode = 1;
    }
  }
}

// The bundle is CommonJS, which has no top-level await.
void main();
