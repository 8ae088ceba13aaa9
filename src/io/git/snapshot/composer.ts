import { type ReadObject, readObjects } from '../call/cat-file.ts';
import { type BytePath, foldersAbove } from '../call/git-path.ts';
import { isTree, readTreeObject, storeObject } from '../repository/loose-objects.ts';
import { emptyTree, type WorkTree } from '../repository/work-tree.ts';
import { type Entry, FOLDER_MODE, type Folder, folderContent, parseFolder } from './folder.ts';

/** A file in a tree; `null`: none. */
export type Placed = Entry | null;
type Changes = ReadonlyMap<string, Placed>;

/**
 * Makes a tree from one that is known and what differs, without a process where its folders were read before.
 *
 * @returns its id, stored; `null` where git has to make it.
 * @throws GitError, or the Node error where it can't be written.
 */
export type Composer = (base: string, changes: ReadonlyMap<BytePath, Placed>) => Promise<string | null>;

export function openComposer(tree: WorkTree): Composer {
  /** Folders of the tree that was the base the last time: others would only take memory. */
  const known = new Map<string, Folder>();
  let knownBase = '';
  const learn = (id: string, content: Buffer): Folder => {
    const folder = parseFolder(content, id.length / 2);
    known.set(id, folder);
    return folder;
  };
  const folderOf = (id: string): Folder => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const content = readTreeObject(tree, id);
    if (content === null) throw new UnknownFolder(id);
    return learn(id, content);
  };
  /** `null`: nothing is in it. */
  const make = (id: string | null, changes: Changes, like: string): string | null => {
    const folder = new Map(id === null ? [] : folderOf(id));
    const { own, below } = split(changes);
    // First what goes, last what comes: a file may stand where a folder stood, and the other way round.
    for (const [name, placed] of own) if (placed === null) folder.delete(name);
    for (const [name, inner] of below) {
      const before = folder.get(name);
      const made = make(before?.mode === FOLDER_MODE ? before.oid : null, inner, like);
      if (made === null) folder.delete(name);
      else folder.set(name, { mode: FOLDER_MODE, oid: made });
    }
    for (const [name, placed] of own) if (placed !== null) folder.set(name, placed);
    if (folder.size === 0) return null;
    return storeObject(tree, 'tree', folderContent(folder), like);
  };
  /** `null`: a folder isn't known. */
  const attempt = (base: string, changes: Changes): string | null => {
    try {
      return make(base, changes, base) ?? emptyTree(base);
    } catch (error) {
      if (error instanceof UnknownFolder) return null;
      throw error;
    }
  };
  return async (base, changes) => {
    if (base !== knownBase) known.clear();
    knownBase = base;
    const made = attempt(base, changes);
    if (made !== null) return made;
    for (const { id, content } of await readFolders(tree, base, changes.keys())) learn(id, content);
    return attempt(base, changes);
  };
}

/** It is in a pack, or gone. */
class UnknownFolder extends Error {
  override readonly name = 'UnknownFolder';
}

/** What changes in a folder itself, and below it. */
function split(changes: Changes) {
  const own = new Map<string, Placed>();
  const below = new Map<string, Map<string, Placed>>();
  for (const [path, placed] of changes) {
    const end = path.indexOf('/');
    if (end < 0) own.set(path, placed);
    else {
      const inner = below.get(path.slice(0, end)) ?? new Map();
      below.set(path.slice(0, end), inner.set(path.slice(end + 1), placed));
    }
  }
  return { own, below };
}

/** The folders of a tree that lead to these paths: what is what its id says. */
async function readFolders(tree: WorkTree, base: string, paths: Iterable<BytePath>): Promise<ReadObject[]> {
  const folders = new Set(['', ...[...paths].flatMap(foldersAbove)]);
  const names = [...folders].map((path) => `${base}:${path}`);
  const { objects } = await readObjects(tree, names);
  return objects
    .filter((one) => one !== null)
    .filter((one) => one.kind === 'tree' && isTree(one.content, one.id));
}
