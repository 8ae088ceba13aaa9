import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder, type WorkTree } from './work-tree.ts';

let counter = 0;
/** Names this process has taken, so that a recycled process id does not hide a left-over. */
const taken = new Set<string>();

export type PrivateFiles = {
  readonly index: string;
  readonly excludes: string;
  /** The pinned copy of `info/exclude`. */
  readonly infoExcludes: string;
  /** A temporary index for commits. */
  readonly commitIndex: string;
  readonly commitOutput: string;
  readonly commitPaths: string;
  /** A temporary index for trees of what is kept. */
  readonly keepIndex: string;
};

/**
 * Files of one open work tree: each name carries process id and number, so that no two processes ever wait for one
 * another's lock.
 */
export function privateFiles(tree: WorkTree): PrivateFiles {
  counter += 1;
  const id = `${process.pid}.${counter}`;
  const name = (kind: string) => {
    taken.add(`${kind}.${id}`);
    return join(privateFolder(tree), `${kind}.${id}`);
  };
  return {
    index: name('index'),
    excludes: name('excludes'),
    infoExcludes: name('info-excludes'),
    commitIndex: name('commit-index'),
    commitOutput: name('commit-output'),
    commitPaths: name('commit-paths'),
    keepIndex: name('keep-index'),
  };
}

/**
 * Makes the private index: the warm one of a process that is gone, else a copy of the person's index.
 * A rename takes the warm one, so of two processes only one gets it.
 */
export function makePrivateIndex(tree: WorkTree, file: string): 'adopted' | 'copied' | 'empty' {
  mkdirSync(privateFolder(tree), { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  rmSync(`${file}.lock`, { force: true });
  if (adopt(tree, file)) return 'adopted';
  return copyIndex(join(tree.gitDir, 'index'), file) ? 'copied' : 'empty';
}

/**
 * Copies an index with its modification time, rounded down: git reads content again for entries that are not older
 * than their index, and a younger copy would take that away.
 */
export function copyIndex(from: string, to: string): boolean {
  try {
    const seconds = Math.floor(statSync(from).mtimeMs / 1000);
    copyFileSync(from, to);
    utimesSync(to, seconds, seconds);
    return true;
  } catch {
    rmSync(to, { force: true });
    return false;
  }
}

/** Takes the newest index whose process is gone and removes all other left-overs of such processes. */
function adopt(tree: WorkTree, file: string): boolean {
  const folder = privateFolder(tree);
  const left = readdirSync(folder).filter(isLeftOver);
  const indexes = left.filter((name) => /^index\.\d+\.\d+$/.test(name));
  const newest = indexes
    .map((name) => ({ name, at: modified(join(folder, name)) }))
    .sort((one, other) => other.at - one.at)[0];
  let adopted = false;
  if (newest !== undefined) {
    try {
      renameSync(join(folder, newest.name), file);
      adopted = true;
    } catch {
      // Another process was faster.
    }
  }
  for (const name of left) rmSync(join(folder, name), { force: true });
  return adopted;
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isLeftOver(name: string): boolean {
  const pid = /^[a-z-]+\.(\d+)\.\d+(\.lock)?$/.exec(name)?.[1];
  if (pid === undefined) return false;
  if (Number(pid) === process.pid) return !taken.has(name.replace(/\.lock$/, ''));
  return isGone(Number(pid));
}

/** Whether no process has this id. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
