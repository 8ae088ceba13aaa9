import { closeSync, fstatSync, readSync, rmSync } from 'node:fs';
import { replaceFile } from './atomic-file.ts';
import { openLog } from './open-log.ts';
import { isSystemError, PlaceError } from './store-error.ts';

/** Hides secrets in bytes, each given as one character; `at`: where what stood at an offset stands then. */
export type HideBytes = (text: string) => {
  readonly text: string;
  readonly at: (offset: number) => number;
};

/** Beside a log that a program writes to, or that ralph was killed over: its secrets aren't hidden yet. */
const MARK = '.open';

/**
 * Opens a log (`openLog`) that a program writes to as it likes. Until it is ended, a mark beside it says that secrets may be in it:
 * the start after a kill ends what is left.
 *
 * @throws As `openLog`.
 */
export function openRawLog(path: string): number {
  closeSync(openLog(`${path}${MARK}`));
  return openLog(path);
}

/**
 * Rewrites a log that is over without its secrets, in one step. Where it can't be written, it stays as it is, for its owner alone,
 * and the next start tries again.
 *
 * @param log Its descriptor; it stays open.
 * @returns Where what stood at an offset stands now.
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

/** The log that a mark of this path is of; `null`: it isn't one. */
export function logOfMark(path: string): string | null {
  return path.endsWith(MARK) ? path.slice(0, -MARK.length) : null;
}
