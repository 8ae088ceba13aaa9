import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the real folder of ralph's package, found by its program, in the source tree and when built. */
export function packageTop(): string {
  const own = dirname(realpathSync(fileURLToPath(import.meta.url)));
  for (let at = own; at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, 'bin', 'ralph.js'))) return at;
  return own;
}
