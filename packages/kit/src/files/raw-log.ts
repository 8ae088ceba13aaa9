import { closeSync, fstatSync, readSync, rmSync } from 'node:fs';
import { replaceFile } from './atomic-file.ts';
import { openLog } from './open-log.ts';
import { isSystemError, PlaceError } from './store-error.ts';

/** Hides secrets in bytes, one character each; `at` maps an offset in the input to the output. */
export type HideBytes = (text: string) => {
  readonly text: string;
  readonly at: (offset: number) => number;
};

/** Suffix of the mark for a log that still has its secrets: a program writes it, or ralph was killed. */
const MARK = '.open';

/** Opens a program's raw log. After a kill, a mark makes the next start hide its secrets. @throws Like `openLog`. */
export function openRawLog(path: string): number {
  closeSync(openLog(`${path}${MARK}`));
  return openLog(path);
}

/**
 * Rewrites a finished log without its secrets, in one step. When it can't be written it stays private and the next
 * start tries again.
 * @param log Descriptor, left open.
 * @returns A map from old offsets to new ones.
 */
export function endLog(path: string, log: number, hide: HideBytes): (offset: number) => number {
  try {
    const bytes = Buffer.alloc(fstatSync(log).size);
    const before = bytes.toString('latin1', 0, readSync(log, bytes, 0, bytes.length, 0));
    const { text, at } = hide(before);
    if (text !== before) replaceFile(path, Buffer.from(text, 'latin1'), { mode: 0o600, durability: 'none' });
    rmSync(`${path}${MARK}`, { force: true });
    return at;
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof PlaceError)) throw error;
    return (offset) => offset;
  }
}

/** Returns the log that a mark belongs to; `null` when the path isn't a mark. */
export function logOfMark(path: string): string | null {
  return path.endsWith(MARK) ? path.slice(0, -MARK.length) : null;
}
