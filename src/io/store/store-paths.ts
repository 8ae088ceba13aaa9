import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { StoreError } from '../../domain/ports.ts';

/** Where the store keeps its files. All absolute. */
export type StorePaths = {
  /** `.ralph` */
  readonly dir: string;
  readonly journal: string;
  readonly segments: string;
  readonly stateLock: string;
  readonly runLock: string;
  /** Outside of the repository, one folder per `.ralph`, so that linked worktrees do not mix. */
  readonly home: string;
  readonly head: string;
  readonly viewHashes: string;
  /** What is protected while an agent works. */
  readonly protected: string;
  /** There from before an agent starts until its attempt is on record. */
  readonly openRecord: string;
};

export function storePaths(dir: string, stateHome: string): StorePaths {
  const home = join(stateHome, createHash('sha256').update(realPlace(dir)).digest('hex').slice(0, 12));
  return {
    dir,
    journal: join(dir, 'journal.jsonl'),
    segments: join(dir, 'journal'),
    stateLock: join(dir, 'state.lock'),
    runLock: join(dir, 'run.lock'),
    home,
    head: join(home, 'journal.json'),
    viewHashes: join(home, 'views.json'),
    protected: join(home, 'protected'),
    openRecord: join(home, 'protected', 'open.json'),
  };
}

/** Folder of an iteration, relative to `.ralph`. */
export function iterationPath(run: string, iteration: number): string {
  return join('runs', run, 'iterations', String(iteration).padStart(4, '0'));
}

/** The real path of a folder that may not exist yet. */
function realPlace(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync.native(path);
  return join(realPlace(dirname(path)), basename(path));
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
