import { type BigIntStats, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Box } from 'ralph-box';
import { plainText } from 'ralph-kit/files/plain-file';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { processStatus } from 'ralph-kit/programs/table/process-identity';
import { type BytePath, isWithin, pathBytes, pathIn } from './git-path.ts';

/** `top` and the git folders are absolute. */
export type WorkTree = {
  readonly top: string;
  /** The work tree's own git folder; a linked worktree's differs from `commonDir`. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** ralph's own folder, never part of a snapshot; `null` in a submodule. */
  readonly ownFolder: BytePath | null;
  /** Only in a copy: files shown as they are in the checkout, never part of a snapshot. */
  readonly instructions?: () => readonly BytePath[];
  /** Additional object folders (of a copy's programs, submodules, one question); kept objects never need them. */
  readonly alternates?: readonly string[];
  /** Folder for objects that are only needed for one question; absent: the repository. */
  readonly passing?: string;
  /** Only in a copy: path of its top folder as its programs see it. In a box that is the checkout's path. */
  readonly shownAt?: string;
  /** Name below `refs/ralph` of refs that are apart from those of the task list; absent: they are the list's. */
  readonly refNamespace?: string;
  /** Folder for what is kept about a copy; absent: its git folder. */
  readonly place?: string;
  /** Pinned settings that git uses instead of the repository's own; `null` until they are made. */
  readonly view: PinnedView | null;
};

/** A repository's settings at one moment. Absolute paths outside the repository. */
export type PinnedView = {
  /** Replaces `commonDir`: settings, ignore rules and attributes are copies, everything else links there. */
  readonly folder: string;
  /** Names of the hooks at that moment, and their folder. */
  readonly hooks: ReadonlySet<string>;
  readonly hooksFrom: string;
  /** Hashes of the files the hooks ran at that moment, by path relative to the top of the work tree. */
  readonly hookFiles: ReadonlyMap<string, string>;
  readonly how: HooksHow;
};

/** Text of a hook or of settings of a hook tool. */
export type HookText = { readonly text: string; readonly kind: 'script' | 'settings' };

export type HooksHow = {
  /** Returns the box for hooks; `null` when they run as git starts them. */
  readonly box: () => Box | null;
  /** Finds file names and package.json scripts in a shell script or the settings of a hook's program. */
  readonly runs: (
    of: HookText,
    root: string,
  ) => { readonly files: readonly string[]; readonly scripts: readonly string[] };
};

/** Whether a path is in ralph's own folder, or is a file that copies show from the checkout. */
export function isOwn(tree: WorkTree, path: BytePath): boolean {
  return ownPaths(tree)(path);
}

export function ownPaths(tree: WorkTree): (path: BytePath) => boolean {
  const own = [...(tree.instructions?.() ?? []), ...(tree.ownFolder === null ? [] : [tree.ownFolder])];
  return (path) => own.some((one) => isWithin(path, one));
}

/** Returns a file's absolute path for Node, whatever bytes it has. */
export function absolute(tree: WorkTree, path: BytePath): Buffer {
  return pathIn(tree.top, path);
}

/** Returns an entry without following links; `null` when it's missing or unreadable. */
export function tryLstat(path: string | Buffer): BigIntStats | null {
  try {
    // Missing paths are asked for often, and an exception takes ten times as long as an answer.
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export function lstatOnce(tree: WorkTree): (path: BytePath) => BigIntStats | null {
  const known = new Map<BytePath, BigIntStats | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = tryLstat(absolute(tree, path));
    known.set(path, found);
    return found;
  };
}

/** Returns the entry of a path's `.git`; `null` when the path isn't the top of a repository. */
export function dotGitOf(tree: WorkTree, path: BytePath): BigIntStats | null {
  return tryLstat(absolute(tree, `${path}/.git` as BytePath));
}

/** Read limit of a `.git` file, in bytes. */
const MOST_BYTES = 4096;

/**
 * Returns the absolute target of a folder's `.git` file; `null` without one.
 * @param shownAt Path of the folder as programs see it.
 */
export function gitFileTarget(folder: string, shownAt = folder): string | null {
  const text = plainText(join(folder, '.git'), MOST_BYTES) ?? '';
  const target = /^gitdir: (.*?)\n*$/s.exec(text)?.[1];
  return target === undefined ? null : resolve(shownAt, target);
}

/** Returns the target of a `.git` file in a work tree, as programs in the work tree see it; `null` without one. */
export function gitFileTargetIn(tree: WorkTree, path: BytePath): string | null {
  const name = pathBytes(path).toString('utf8');
  return gitFileTarget(join(tree.top, name), join(tree.shownAt ?? tree.top, name));
}

/** Returns a value that changes with a file's inode, size or times. */
export function stampOf(file: string | Buffer): string {
  const found = tryLstat(file);
  return found === null ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

export function fileMode({ mode }: { readonly mode: number | bigint }): '100644' | '100755' {
  return (Number(mode) & 0o100) === 0 ? '100644' : '100755';
}

export function emptyTree(oid: string): string {
  return oid.length === 40
    ? '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    : '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321';
}

export function privateFolder(tree: WorkTree): string {
  return tree.place ?? join(tree.gitDir, 'ralph');
}

type Kind = 'snapshot' | 'view';

/** Folders of this process, so that a recycled process id doesn't hide leftovers. */
const inUse = new Set<string>();
let counter = 0;

/** Returns a free name for this process, with its id for finding leftovers. The folder isn't made. */
export function ownFolderIn(place: string, kind: Kind): string {
  let folder: string;
  do {
    counter += 1;
    folder = join(place, `${kind}-${process.pid}-${counter}`);
  } while (existsSync(folder));
  inUse.add(folder);
  return folder;
}

export async function inOwnFolder<T>(tree: WorkTree, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    removeTree(folder);
  }
}

/** Runs work for which git must write objects: they are stored outside the repository and removed afterwards. */
export async function withTemporaryObjects<T>(
  tree: WorkTree,
  work: (tree: TemporaryObjects) => Promise<T>,
): Promise<T> {
  const { passing } = tree;
  if (passing !== undefined) return work({ ...tree, passing });
  return inOwnFolder(tree, (folder) => work({ ...tree, passing: folder }));
}

export type TemporaryObjects = WorkTree & { readonly passing: string };

/** Returns folders left by processes that have ended. */
export function leftFoldersIn(place: string, kind: Kind): string[] {
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => {
      const pid = Number(new RegExp(`^${kind}-(\\d+)-\\d+$`).exec(name)?.[1] ?? 0);
      return pid === process.pid
        ? !inUse.has(join(place, name))
        : pid > 0 && processStatus(pid).kind === 'gone';
    })
    .map((name) => join(place, name));
}
