import './no-debugger.ts';
import { CommanderError } from 'commander';
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

async function main(): Promise<void> {
  try {
    await buildProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      if (error.exitCode !== 0 && wantsJson(process.argv)) {
        const message = error.message.replace(/^error: /, '');
        process.stdout.write(envelope('ralph', 2, { error: { message, next: 'ralph --help' } }));
      }
    } else {
      printUnexpected(error, process.argv.includes('-v') || process.argv.includes('--verbose'));
      process.exitCode = 1;
    }
  }
}

// The bundle is CommonJS, which has no top-level await.
void main();
