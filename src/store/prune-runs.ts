import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOrNull } from 'ralph-kit/files/plain-file';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { isSystemError, PlaceError } from 'ralph-kit/files/store-error';

/** Folders made by ralph; everything else under `runs/` is the user's. */
const RUN_NAME = /^r-\d{8}-\d{6}-[a-z0-9]+$/;
/** A folder being removed; leftovers of a crash are removed the next time. */
const LEAVING = /^\.r-\d{8}-\d{6}-[a-z0-9]+\.removed$/;
/** Number of folders removed at once, so that a start never waits long. */
const MOST_AT_ONCE = 20;

/**
 * Removes the oldest folders under `.ralph/runs/` except `keep`; the journal keeps their history. A rename before the
 * deletion avoids half-removed runs.
 * @param dir Absolute path of `.ralph`.
 * @param keep 0 keeps all.
 * @param needed Runs that stay: the current one and those of unfinished tasks.
 * @returns Number of removed folders. Folders that can't be removed stay.
 */
export function pruneRuns(dir: string, keep: number, needed: ReadonlySet<string>): number {
  const folder = join(dir, 'runs');
  try {
    proveFolder(folder);
    const names = readdirSync(folder);
    const left = names.filter((name) => LEAVING.test(name));
    for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
    if (keep <= 0) return 0;
    const isRun = (name: string) => RUN_NAME.test(name) && lstatOrNull(join(folder, name))?.isDirectory();
    // Names begin with their time.
    const old = names.filter(isRun).sort().slice(0, -keep);
    const leaving = old.filter((name) => !needed.has(name)).slice(0, MOST_AT_ONCE);
    for (const name of leaving) {
      const away = join(folder, `.${name}.removed`);
      renameSync(join(folder, name), away);
      rmSync(away, { recursive: true, force: true });
    }
    return leaving.length;
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof PlaceError)) throw error;
    return 0;
  }
}
