import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../store/files/atomic-file.ts';
import { fileSignature, lstatOrNull, readFileBytes } from '../../store/files/plain-file.ts';
import { userIndexGit } from '../call/git.ts';
import { type BytePath, nulList, printPath } from '../call/git-path.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { setChanged } from '../snapshot/index-state.ts';
import { type IndexFlags, indexFlags, isWholeIndex } from './index-flags.ts';
import { sharedIndex } from './shared-index.ts';
import { followedHead, lostFromIndex, stagedIn } from './staged.ts';

/** Bytes up to which an index is read here. */
const LARGEST = 64 * 1024 * 1024;

/** The user's index: what is staged changes as agents work, but it stays there, and makes git read every file. */
export type IndexProtection = {
  /** Keeps a copy. @returns its signature; `null`: there is no index yet. */
  readonly capture: () => string | null;
  /**
   * Brings back an index that is gone, and flags that hide changes as they were.
   *
   * @returns what happened to it; `null`: nothing that matters.
   * @throws GitError, or the Node error.
   */
  readonly restore: (before: string | null) => Promise<'deleted' | 'modified' | null>;
  /**
   * Stages again what was staged. Refs must be right by now.
   *
   * @returns the paths, with whether it wasn't staged at all any more.
   * @throws GitError
   */
  readonly restage: (
    before: string | null,
    commits: HeadCommits,
  ) => Promise<readonly { readonly path: string; readonly isUndone: boolean }[]>;
  readonly forget: () => void;
};

/** What HEAD stood for; `null`: no commit. */
export type HeadCommits = {
  /** With the copy. */
  readonly before: string | null;
  /** As it was found, and once it was put back. */
  readonly found: string | null;
  readonly now: string | null;
};

/** @param copy Path for the copy, outside of the repository. */
export function protectIndex(tree: WorkTree, copy: string): IndexProtection {
  const path = join(tree.gitDir, 'index');
  const shared = sharedIndex(tree.gitDir, dirname(copy));
  let known: string | null = null;
  return {
    capture: () => {
      const stat = lstatOrNull(path);
      if (stat?.isFile() !== true) return null;
      const signature = fileSignature(stat);
      if (signature === known) return signature;
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      copyFileSync(path, copy, constants.COPYFILE_FICLONE);
      if (stat.size <= LARGEST) shared.keep(readFileBytes(copy, LARGEST));
      known = signature;
      return signature;
    },
    restore: async (before) => {
      const now = lstatOrNull(path);
      if (before === null) return null;
      const isSharedBack = shared.restore();
      if (now?.isFile() === true && fileSignature(now) === before) return isSharedBack ? 'modified' : null;
      if (now?.isFile() !== true) {
        rmSync(path, { recursive: true, force: true });
        copyFileSync(copy, path);
        return now === null ? 'deleted' : 'modified';
      }
      const [was, is] = [readIndex(copy), readIndex(path)];
      if (was === null || now.size > LARGEST) return null;
      if (is === null) {
        // Git would read none of it.
        replaceFile(path, readFileBytes(copy, LARGEST), { mode: Number(now.mode & 0o7777n) });
        return 'modified';
      }
      const lines = changedFlags(was, is);
      for (const [flag, paths] of lines)
        await userIndexGit(tree)(['update-index', '-z', flag, '--stdin'], nulList(paths));
      return isSharedBack || lines.length > 0 ? 'modified' : null;
    },
    restage: async (before, { before: head, found, now: commit }) => {
      const now = lstatOrNull(path);
      if (before === null || (now?.isFile() === true && fileSignature(now) === before)) return [];
      const git = userIndexGit(tree);
      const staged = await stagedIn(tree, head, copy);
      if (commit !== null && found !== commit)
        await setChanged(git, await followedHead(tree, staged, found, commit));
      const lost = await lostFromIndex(tree, staged, head, commit);
      await setChanged(
        git,
        lost.map(({ change }) => change),
      );
      return lost.map(({ change, isUndone }) => ({ path: printPath(change.path), isUndone }));
    },
    forget: () => {
      known = null;
      rmSync(copy, { force: true });
    },
  };
}

/** The flags in an index; `null` for what git wouldn't read, and for what is too large to be read here. */
function readIndex(path: string): IndexFlags | null {
  try {
    const bytes = readFileBytes(path, LARGEST);
    return isWholeIndex(bytes) ? indexFlags(bytes) : null;
  } catch {
    return null;
  }
}

/** Options of `git update-index`, with the paths for which each makes the flags what they were. */
function changedFlags(was: IndexFlags, is: IndexFlags): [string, BytePath[]][] {
  const flags = [
    ['assume-unchanged', was.assumed, is.assumed],
    ['skip-worktree', was.skipped, is.skipped],
  ] as const;
  return flags.flatMap(([flag, then, now]) => {
    const only = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
      [...one].filter((path) => !other.has(path)).map((path) => path as BytePath);
    return [
      [`--no-${flag}`, only(now, then)] satisfies [string, BytePath[]],
      [`--${flag}`, only(then, now)] satisfies [string, BytePath[]],
    ].filter(([, paths]) => paths.length > 0);
  });
}
