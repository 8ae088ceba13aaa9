import { isAbsolute, join, relative } from 'node:path';
import { StoreError } from '../../domain/ports.ts';

/** Where the store keeps its files. All absolute. */
export type StorePaths = {
  /** `.ralph` */
  readonly dir: string;
  readonly journal: string;
  readonly segments: string;
  readonly stateLock: string;
  readonly runLock: string;
  /** The work tree: `main`, or `worktrees/NAME`. Part of what a journal is chained to. */
  readonly place: string;
  /** Outside of the repository, one folder per work tree. */
  readonly home: string;
  /** The journal's copy, with its end. */
  readonly copy: string;
  readonly viewHashes: string;
};

export function storePaths(dir: string, stateHome: string, place: string): StorePaths {
  const home = join(stateHome, place);
  return {
    dir,
    journal: join(dir, 'journal.jsonl'),
    segments: join(dir, 'journal'),
    stateLock: join(dir, 'state.lock'),
    runLock: join(dir, 'run.lock'),
    place,
    home,
    copy: join(home, 'journal'),
    viewHashes: join(home, 'views.json'),
  };
}

/**
 * The absolute path of a document below a folder.
 *
 * @throws StoreError when the path would leave the folder.
 */
export function pathInside(folder: string, path: string): string {
  const absolute = join(folder, path);
  if (isAbsolute(path) || !isBelow(folder, absolute)) {
    throw new StoreError(`${JSON.stringify(path)} is not a path below .ralph. This is a mistake in ralph.`);
  }
  return absolute;
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
