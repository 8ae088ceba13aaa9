import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of ralph's package, without links: the nearest around this file, built or not, that has its program. */
export function packageTop(): string {
  const own = dirname(realpathSync(fileURLToPath(import.meta.url)));
  for (let at = own; at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, 'bin', 'ralph.js'))) return at;
  return own;
}
