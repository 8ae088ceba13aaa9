import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A path with its links followed; of one that does not exist, as far as it does. Never throws. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}
