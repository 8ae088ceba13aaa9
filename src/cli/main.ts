import { CommanderError } from 'commander';
import { envelope, printUnexpected } from './print.ts';
import { buildProgram, wantsJson } from './program.ts';

// A reader that goes away (`ralph logs | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

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
