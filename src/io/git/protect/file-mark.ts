import { chmodSync, lstatSync } from 'node:fs';
import { isSettled } from '../../store/files/plain-file.ts';

/** Read, write and enter, for the owner. */
const OWNER_ALL = 0o700;

/** The mark of a path where nothing is. */
export const GONE = 'gone';

/**
 * Changes whenever a file is written or replaced: no program can set its change time back. `null` while a later change could
 * have the same time.
 */
export function fileMark(path: string): string | typeof GONE | null {
  const stat = statOf(path);
  if (stat === null) return GONE;
  return isSettled(stat.ctimeMs) ? `${stat.ino} ${stat.size} ${stat.ctimeMs}` : null;
}

/** Opens a folder that an agent's `chmod` shut. Gives when it was changed; `null` where there is no folder. */
export function openedFolder(path: string): number | null {
  const stat = statOf(path);
  if (stat?.isDirectory() !== true) return null;
  if ((stat.mode & OWNER_ALL) !== OWNER_ALL) chmodSync(path, (stat.mode | OWNER_ALL) & 0o7777);
  return stat.mtimeMs;
}

/** Not in nanoseconds: there are thousands of files, and big integers take twice as long. */
function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A file stands in the place of the folder.
    return null;
  }
}
