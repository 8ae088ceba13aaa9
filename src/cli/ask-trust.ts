import { createInterface } from 'node:readline';
import { type TrustCheck, trustLines } from '../app/setup/check-trust.ts';

/** Shows what would be run and asks once; anything but a clear yes (Ctrl-C and the end of input, too) is a no. */
export function askTrust(
  check: TrustCheck,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  output.write(
    `This repository runs commands you haven't approved:\n${trustLines(check.items).join('\n')}\n`,
  );
  const reader = createInterface({ input, output });
  return new Promise((resolve) => {
    reader.on('close', () => resolve(false));
    reader.on('SIGINT', () => reader.close());
    reader.question('Accept exactly this, and run? [y/N] ', (answer) => {
      resolve(/^\s*y(es)?\s*$/i.test(answer));
      reader.close();
    });
  });
}
