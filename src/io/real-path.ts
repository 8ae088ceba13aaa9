import { lstatSync, realpathSync } from 'node:fs';
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

/** When what is at a path was made, in milliseconds since 1970; `null`: there is nothing. Never throws. */
export function bornAt(path: string): number | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? null;
  } catch {
    return null;
  }
}
