import { type BigIntStats, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Box } from '../../box/index.ts';
import { plainText } from '../../files/plain-file.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { processStatus } from '../../programs/table/process-identity.ts';
import { type BytePath, isWithin, pathBytes } from './git-path.ts';

/** One work tree and its git folders, all absolute. */
export type WorkTree = {
  readonly top: string;
  /** Of this work tree alone: differs from `commonDir` in a linked worktree. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The orchestrator's own folder, never part of a snapshot; `null` in a submodule. */
  readonly ownFolder: BytePath | null;
  /** Of a copy: files and folders that are shown in it as they are in the checkout, and never part of a snapshot. */
  readonly instructions?: () => readonly BytePath[];
  /** Folders of objects that are read besides: those that programs of a copy made, of submodules, or passing ones. What is kept never relies on them. */
  readonly alternates?: readonly string[];
  /** Where objects are written that aren't needed after a question; absent: in the repository. */
  readonly passing?: string;
  /** The path at which programs that run in a copy see its top folder: the checkout's in a box, else the copy's own; absent: it is no copy. */
  readonly shownAt?: string;
  /** Of a copy: where what is kept for it lies; absent: in the git folder. */
  readonly place?: string;
  /** What git goes by instead of the repository's own settings; `null` before it is made. */
  readonly view: PinnedView | null;
};

/** The settings of a repository as they were at one moment. Absolute paths, outside of the repository. */
export type PinnedView = {
  /** Stands in for `commonDir`: settings, ignore rules and attributes are copies, all else leads there. */
  readonly folder: string;
  /** Names of the hooks of that moment, and where they lie. */
  readonly hooks: ReadonlySet<string>;
  readonly hooksFrom: string;
  /** Hashes of what they ran then, by path relative to the top of the work tree. */
  readonly hookFiles: ReadonlyMap<string, string>;
  readonly how: HooksHow;
};

/** How hooks are run, and what they run. */
export type HooksHow = {
  /** What they run in; that gives `null` where they run as git starts them. */
  readonly box: () => Box | null;
  /** What a script of the shell, or settings of a program that hooks start, run: words that name files, and scripts of package.json. */
  readonly runs: (
    of: { readonly text: string; readonly kind: 'script' | 'settings' },
    root: string,
  ) => { readonly files: readonly string[]; readonly scripts: readonly string[] };
};

/** Whether a path is the orchestrator's own folder, in it, or one of the files that are the checkout's in each copy. */
export function isOwn(tree: WorkTree, path: BytePath): boolean {
  return ownPaths(tree)(path);
}

/** The same for many paths: which files are the checkout's is looked up once. */
export function ownPaths(tree: WorkTree): (path: BytePath) => boolean {
  const own = [...(tree.instructions?.() ?? []), ...(tree.ownFolder === null ? [] : [tree.ownFolder])];
  return (path) => own.some((one) => isWithin(path, one));
}

/** The absolute path of a file for Node, whatever bytes it has. */
export function absolute(tree: WorkTree, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${tree.top}/`), pathBytes(path)]);
}

/** What is at a path, symlinks not followed; `null` when there is nothing or it can't be read. */
export function lstatQuietly(path: string | Buffer): BigIntStats | null {
  try {
    // What isn't there is asked for often, and an error takes ten times as long as an answer.
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The same for paths of a work tree, each looked at once: many files share a folder. */
export function lstatOnce(tree: WorkTree): (path: BytePath) => BigIntStats | null {
  const known = new Map<BytePath, BigIntStats | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = lstatQuietly(absolute(tree, path));
    known.set(path, found);
    return found;
  };
}

/** `lstat` of a path's `.git`; `null` when it isn't the top of a repository. */
export function dotGitOf(tree: WorkTree, path: BytePath): BigIntStats | null {
  return lstatQuietly(absolute(tree, `${path}/.git` as BytePath));
}

/** Bytes of a `.git` file that are read. */
const MOST_BYTES = 4096;

/** Where the `.git` file of a folder leads, absolute, for who sees the work tree as programs in it do; `null`: there is none. */
export function gitFileTarget(tree: WorkTree, path: BytePath): string | null {
  const text = plainText(absolute(tree, `${path}/.git` as BytePath).toString('utf8'), MOST_BYTES) ?? '';
  const target = /^gitdir: (.*?)\n*$/s.exec(text)?.[1];
  if (target === undefined) return null;
  return resolve(join(tree.shownAt ?? tree.top, pathBytes(path).toString('utf8')), target);
}

/** Whether a file is still the one it was, by same inode, size and times. */
export function stampOf(file: string | Buffer): string {
  const found = lstatQuietly(file);
  return found === null ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

/** The mode of a regular file in a tree. */
export function fileMode({ mode }: { readonly mode: number | bigint }): '100644' | '100755' {
  return (Number(mode) & 0o100) === 0 ? '100644' : '100755';
}

/** The tree without entries, by the length of the repository's object ids. */
export function emptyTree(oid: string): string {
  return oid.length === 40
    ? '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    : '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321';
}

/** Where this room keeps what is its own of a work tree. */
export function privateFolder(tree: WorkTree): string {
  return tree.place ?? join(tree.gitDir, 'ralph');
}

type Kind = 'snapshot' | 'view';

/** Those of this process, so that a recycled process id doesn't hide a left-over. */
const inUse = new Set<string>();
let counter = 0;

/**
 * A free name for a folder that this process alone uses, so that no two ever wait for one another's lock. The id of
 * the process in it tells the next one whose it was. The folder isn't made yet.
 */
export function ownFolderIn(place: string, kind: Kind): string {
  let folder: string;
  do {
    counter += 1;
    folder = join(place, `${kind}-${process.pid}-${counter}`);
  } while (existsSync(folder));
  inUse.add(folder);
  return folder;
}

/** Works in a folder of this process alone, which is gone afterwards. */
export async function inOwnFolder<T>(tree: WorkTree, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    removeTree(folder);
  }
}

/** Asks something for which git has to write objects: they lie beside the repository's, and go with the answer. */
export async function inPassing<T>(tree: WorkTree, work: (tree: Passing) => Promise<T>): Promise<T> {
  const { passing } = tree;
  if (passing !== undefined) return work({ ...tree, passing });
  return inOwnFolder(tree, (folder) => work({ ...tree, passing: folder }));
}

/** A work tree whose objects are of one question. */
export type Passing = WorkTree & { readonly passing: string };

/** Folders that a process left which is gone. */
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
