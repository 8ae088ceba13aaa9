import { GitError } from '../../domain/ports.ts';
import type { BytePath } from '../call/git-path.ts';
import {
  compareEntries,
  encodeTree,
  FOLDER,
  GITLINK,
  isFolder,
  type RawChange,
  type TreeEntries,
  type TreeEntry,
} from './tree-entries.ts';

/** Returns the entries of a tree. Throws a GitError when the tree is missing. */
export type ReadTree = (id: string) => Promise<TreeEntries>;
/** Stores a tree object, or only computes its id. */
export type WriteTree = (content: Buffer) => Promise<string>;

export type TreeFile = TreeEntry & { readonly path: BytePath };

/** New entry of a path; `null` removes a file, `'all'` also a folder. */
export type TreeEdit = TreeEntry | null | 'all';

/** Returns everything in a tree except folders, in index order. @throws GitError */
export async function filesOfTree(read: ReadTree, tree: string): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const walk = async (id: string, above: string): Promise<void> => {
    for (const [name, entry] of await read(id)) {
      if (isFolder(entry)) await walk(entry.oid, `${above}${name}/`);
      else files.push({ ...entry, path: `${above}${name}` as BytePath });
    }
  };
  await walk(tree, '');
  return files;
}

/** Returns the entry at a path of a tree; `null`: there is none. @throws GitError */
export async function entryAt(read: ReadTree, tree: string, path: BytePath): Promise<TreeEntry | null> {
  let found: TreeEntry | undefined = { mode: FOLDER, oid: tree };
  for (const name of path.split('/')) {
    if (found === undefined || !isFolder(found)) return null;
    found = (await read(found.oid)).get(name);
  }
  return found ?? null;
}

/** Returns differences like `git diff-tree -r --raw --no-renames`; a `null` tree is empty. @throws GitError */
export async function diffTrees(
  read: ReadTree,
  from: string | null,
  to: string | null,
): Promise<RawChange[]> {
  const changes: RawChange[] = [];
  const none = '0'.repeat((from ?? to ?? '').length);
  const walk = async (old: string | null, now: string | null, above: string): Promise<void> => {
    const before = old === null ? NO_ENTRIES : await read(old);
    const after = now === null ? NO_ENTRIES : await read(now);
    for (const [name, isTree] of namesOf(before, after)) {
      const was = sameType(before.get(name), isTree);
      const is = sameType(after.get(name), isTree);
      if (was?.oid === is?.oid && was?.mode === is?.mode) continue;
      const path = `${above}${name}`;
      if (isTree) await walk(was?.oid ?? null, is?.oid ?? null, `${path}/`);
      else
        changes.push({
          status: was === null ? 'A' : is === null ? 'D' : typeOf(was) === typeOf(is) ? 'M' : 'T',
          path: path as BytePath,
          oldPath: null,
          oldMode: was?.mode ?? '000000',
          newMode: is?.mode ?? '000000',
          oldOid: was?.oid ?? none,
          newOid: is?.oid ?? none,
        });
    }
  };
  if (from !== to) await walk(from, to, '');
  return changes;
}

const NO_ENTRIES: TreeEntries = new Map();

/** Returns names of both folders in git's order; a name that is a file and a folder is listed twice. */
function namesOf(before: TreeEntries, after: TreeEntries): (readonly [string, boolean])[] {
  const both = new Map<string, readonly [string, { mode: string }]>();
  for (const [name, { mode }] of [...before, ...after]) {
    const folder = mode === FOLDER;
    both.set(folder ? `${name}/` : name, [name, { mode }]);
  }
  return [...both.values()].sort(compareEntries).map(([name, { mode }]) => [name, mode === FOLDER]);
}

function sameType(entry: TreeEntry | undefined, isTree: boolean): TreeEntry | null {
  return entry !== undefined && isFolder(entry) === isTree ? entry : null;
}

/** An executable is a file, too, so permission bits don't count. */
function typeOf({ mode }: TreeEntry): string {
  return mode === GITLINK ? mode : mode.slice(0, 3);
}

/**
 * Returns the id of an edited tree. A file replaces a folder and vice versa, as with `git update-index --replace`;
 * empty folders are removed. Only folders above a change are read and written.
 * @param tree `null`: the empty tree.
 * @throws GitError when an edit goes below a path that another edit makes a file.
 */
export async function editTree(
  read: ReadTree,
  write: WriteTree,
  tree: string | null,
  edits: ReadonlyMap<BytePath, TreeEdit>,
): Promise<string> {
  const made = await editFolder(read, write, tree, [...edits]);
  return made ?? write(Buffer.of());
}

/** Git refuses these names: a checkout would leave the work tree or write a git folder. */
const NO_NAME = /^(\.{0,2}|\.git)$/i;

/** Returns the id of an edited folder; `null` when nothing is left in it. */
async function editFolder(
  read: ReadTree,
  write: WriteTree,
  tree: string | null,
  edits: readonly (readonly [string, TreeEdit])[],
): Promise<string | null> {
  const entries = new Map(tree === null ? NO_ENTRIES : await read(tree));
  const below = new Map<string, (readonly [string, TreeEdit])[]>();
  const files = new Set<string>();
  for (const [path, edit] of edits) {
    const slash = path.indexOf('/');
    const name = slash < 0 ? path : path.slice(0, slash);
    const takes = edit === null || edit === 'all';
    // A name that can't exist needs no removal.
    if (takes && NO_NAME.test(name)) continue;
    if (NO_NAME.test(name)) throw new GitError(`a tree can't hold ${JSON.stringify(name)}`);
    if (slash >= 0) {
      const inner = below.get(name) ?? [];
      inner.push([path.slice(slash + 1), edit]);
      below.set(name, inner);
    } else if (edit === 'all' || (edit === null && !isFolder(entries.get(path)))) entries.delete(path);
    else if (edit !== null) {
      entries.set(path, edit);
      files.add(path);
    }
  }
  for (const [name, inner] of below) {
    const old = entries.get(name);
    const added = inner.some(([, edit]) => edit !== null && edit !== 'all');
    if (files.has(name)) {
      if (added) throw new GitError(`${name} can't be a file and a folder`);
      continue;
    }
    // Nothing can be removed below a path that isn't a folder.
    if (!added && !isFolder(old)) continue;
    const made = await editFolder(read, write, isFolder(old) ? (old?.oid ?? null) : null, inner);
    if (made === null) entries.delete(name);
    else entries.set(name, { mode: FOLDER, oid: made });
  }
  if (entries.size === 0) return null;
  // An unchanged folder isn't written.
  if (tree !== null && isSame(await read(tree), entries)) return tree;
  return write(encodeTree(entries));
}

function isSame(before: TreeEntries, after: TreeEntries): boolean {
  if (before.size !== after.size) return false;
  return [...after].every(([name, { mode, oid }]) => {
    const old = before.get(name);
    return old?.mode === mode && old.oid === oid;
  });
}
