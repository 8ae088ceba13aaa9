import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { type GitPurpose, gitCall } from '../call/environment.ts';
import type { BytePath } from '../call/git-path.ts';
import { emptyTree, stampOf, type WorkTree } from '../call/work-tree.ts';
import type { RawChange } from '../read/parse-diff.ts';
import { type GitObject, type ObjectKind, openCatFile } from './cat-file.ts';
import { type Commit, encodeCommit, type NewCommit, parseCommit } from './commit.ts';
import { hasLoose, objectId, readLoose, writeLoose } from './loose-objects.ts';
import type { RepositoryFormat } from './repository-format.ts';
import { parseTree, type TreeEntries, type TreeEntry } from './tree-entries.ts';
import { diffTrees, editTree, entryAt, filesOfTree, type TreeEdit, type TreeFile } from './trees.ts';

/** How many trees and commits are kept: about 100 MB at the most for folders of a thousand files. */
const MOST_KEPT = 20_000;

/**
 * The objects of a repository, answered in this process where that is safe. Ids are full: a name such as `HEAD~1` is a question
 * for git.
 */
export type Objects = {
  /** @returns `null` where there is no object of that id. @throws GitError where it is damaged */
  readonly read: (id: string) => Promise<GitObject | null>;
  /** @returns `null` where the id isn't that of a commit. @throws GitError */
  readonly commit: (id: string) => Promise<Commit | null>;
  /** Entries of a folder. @throws GitError where the id isn't that of a tree */
  readonly entries: (tree: string) => Promise<TreeEntries>;
  /** All files of a tree, in the order of an index. @throws GitError */
  readonly files: (tree: string) => Promise<TreeFile[]>;
  /** @returns `null` where nothing stands at that path. @throws GitError */
  readonly entryAt: (tree: string, path: BytePath) => Promise<TreeEntry | null>;
  /** What differs between two trees, without renames. @throws GitError */
  readonly diff: (from: string | null, to: string | null) => Promise<RawChange[]>;
  /** The id that an edited tree would have; nothing is written. @throws GitError */
  readonly keyOfEdit: (tree: string | null, edits: ReadonlyMap<BytePath, TreeEdit>) => Promise<string>;
  /** Writes the edited tree. @throws GitError */
  readonly edit: (tree: string | null, edits: ReadonlyMap<BytePath, TreeEdit>) => Promise<string>;
  /** Writes an object. @returns its id. @throws GitError */
  readonly write: (kind: ObjectKind, content: Buffer) => Promise<string>;
  readonly writeCommit: (commit: NewCommit) => Promise<string>;
  /** Whether one commit is another one or in its history; `null` where git has to be asked. @throws GitError */
  readonly isReachable: (commit: string, from: string) => Promise<boolean | null>;
  /**
   * Whether an object is there at this moment. What was read earlier doesn't count: `git gc --prune=now` may have taken it.
   *
   * @throws GitError
   */
  readonly isThere: (id: string) => Promise<boolean>;
  /** Ends the git that is kept. */
  readonly end: () => void;
};

/** How far a history is walked in this process, in commits. */
const MOST_WALKED = 5000;

/** @param format As `repositoryFormat` reads it of the repository's settings. */
export function openObjects(tree: WorkTree, format: RepositoryFormat): Objects {
  const purpose: GitPurpose = { kind: 'objects', tree };
  const git = openCatFile(() => gitCall(purpose));
  const folder = tree.passing ?? join(tree.commonDir, 'objects');
  const folders = [
    ...new Set([
      folder,
      join(tree.commonDir, 'objects'),
      ...(tree.alternates === undefined ? [] : [tree.alternates]),
    ]),
  ];
  const idLength = format.objects === 'sha1' ? 40 : 64;
  /** Trees and commits never change, so that what was read once holds; the oldest go first. */
  const kept = new Map<string, GitObject & { entries?: TreeEntries }>();

  const keep = (object: GitObject): GitObject => {
    if (object.kind !== 'tree' && object.kind !== 'commit') return object;
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(object.id, object);
    return object;
  };

  const isId = (id: string): boolean => id.length === idLength && /^[0-9a-f]+$/.test(id);

  const read = async (id: string): Promise<GitObject | null> => {
    if (!isId(id)) throw new GitError(`${JSON.stringify(id)} isn't the id of an object`);
    const known = kept.get(id);
    if (known !== undefined) return known;
    for (const one of folders) {
      const found = readLoose(one, id, format.objects);
      if (found !== null) return keep(found);
    }
    const packed = await git.contents(id);
    if (packed === null) return null;
    if (objectId(format.objects, packed.kind, packed.content) !== id)
      throw new GitError(`the object ${id} is damaged: its content has another id`);
    return keep(packed);
  };

  const commit = async (id: string): Promise<Commit | null> => {
    const found = await read(id);
    return found?.kind === 'commit' ? parseCommit(id, found.content) : null;
  };

  const entries = async (id: string): Promise<TreeEntries> => {
    const found: (GitObject & { entries?: TreeEntries }) | null = await read(id);
    if (found?.kind !== 'tree') {
      // Git knows the empty tree, whether it was ever written or not.
      if (id === emptyTree(id)) return new Map();
      throw new GitError(`${id} isn't a tree${found === null ? ' that is there' : `, but a ${found.kind}`}`);
    }
    found.entries ??= parseTree(found.content, idLength);
    return found.entries;
  };

  const write = async (kind: ObjectKind, content: Buffer): Promise<string> => {
    const id = writeLoose(folder, format.objects, kind, content, format.syncsObjects);
    keep({ id, kind, content });
    return id;
  };

  const hashOnly = async (content: Buffer): Promise<string> => objectId(format.objects, 'tree', content);

  let packs = packStamp(folders);
  return {
    read,
    commit,
    entries,
    files: (id) => filesOfTree(entries, id),
    entryAt: (id, path) => entryAt(entries, id, path),
    diff: (from, to) => diffTrees(entries, from, to),
    keyOfEdit: (id, edits) => editTree(entries, hashOnly, id, edits),
    edit: (id, edits) => editTree(entries, (content) => write('tree', content), id, edits),
    write,
    writeCommit: (made) => write('commit', encodeCommit(made)),
    isReachable: (one, from) => isReachable(commit, tree, one, from),
    isThere: async (id) => {
      if (folders.some((one) => hasLoose(one, id))) return true;
      // A git that runs keeps the packs open that it has read from, also deleted ones: it would still answer.
      const now = packStamp(folders);
      if (now !== packs) git.end();
      packs = now;
      return (await git.info(id)) !== null;
    },
    end: git.end,
  };
}

/** Differs as soon as a pack came or went. */
function packStamp(folders: readonly string[]): string {
  return folders.map((one) => stampOf(join(one, 'pack'))).join('\n');
}

/** Walks back from one commit. A shallow or grafted history is left to git, and so is a long one. */
async function isReachable(
  commit: Objects['commit'],
  { commonDir }: WorkTree,
  wanted: string,
  from: string,
): Promise<boolean | null> {
  if (wanted === from) return (await commit(from)) !== null;
  const cutShort = ['shallow', 'info/grafts'].some(
    (name) => lstatSync(join(commonDir, name), { throwIfNoEntry: false }) !== undefined,
  );
  if (cutShort) return null;
  const seen = new Set([from]);
  for (const id of seen) {
    for (const parent of (await commit(id))?.parents ?? []) {
      if (parent === wanted) return (await commit(parent)) !== null;
      seen.add(parent);
    }
    if (seen.size > MOST_WALKED) return null;
  }
  return false;
}
