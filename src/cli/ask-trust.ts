import { createInterface } from 'node:readline';
import { TRUST_INDENT, type TrustCheck, trustLines } from '../app/setup/check-trust.ts';
import { terminalOf } from '../io/ui/index.ts';

/** Shows what would be run and asks once; anything but a clear yes (Ctrl-C and the end of input, too) is a no. */
export function askTrust(
  check: TrustCheck,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const { verbatim } = terminalOf(output as NodeJS.WriteStream, true);
  const items = trustLines(check.items).map((line) => verbatim(line, TRUST_INDENT));
  output.write(`This repository runs commands you haven't approved:\n${items.join('\n')}\n`);
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
