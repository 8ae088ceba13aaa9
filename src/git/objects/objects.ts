import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { lastUsed } from 'ralph-kit/last-used';
import { GitError } from '../../domain/ports.ts';
import type { GitObject } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { emptyTree, type WorkTree } from '../call/work-tree.ts';
import type { Store } from './stores.ts';
import { GITLINK, parseTree, type RawChange, type TreeEntries, type TreeEntry } from './tree-entries.ts';
import { diffTrees, editTree, entryAt, filesOfTree, type TreeEdit, type TreeFile } from './trees.ts';

/** Objects of a repository by full id; git resolves names such as `HEAD~1`. */
export type Objects = Store & {
  /** Returns a commit; `null` when the id isn't a commit's. @throws GitError */
  readonly commit: (id: string) => Promise<Commit | null>;
  /** Returns the entries of a tree. Throws a GitError when the id isn't a tree's. */
  readonly entries: (tree: string) => Promise<TreeEntries>;
  /** Returns all files of a tree in index order. @throws GitError */
  readonly files: (tree: string) => Promise<TreeFile[]>;
  /** Returns the entry at a path; `null` when nothing is there. @throws GitError */
  readonly entryAt: (tree: string, path: BytePath) => Promise<TreeEntry | null>;
  /** Returns the differences between two trees, without renames. @throws GitError */
  readonly diff: (from: string | null, to: string | null) => Promise<readonly RawChange[]>;
  /** Returns the edited tree's id. @throws GitError, also when an edit names a missing object. */
  readonly edit: (tree: string | null, edits: ReadonlyMap<BytePath, TreeEdit>) => Promise<string>;
  /** Stores a commit and returns its id. Throws a GitError, also when the commit names a missing object. */
  readonly writeCommit: (commit: NewCommit) => Promise<string>;
  /** Returns a commit's parents; `null` when git must be asked. @throws GitError */
  readonly parents: (commit: string) => Promise<readonly string[] | null>;
  /** Whether `commit` is `from` or in its history; `null` when git must be asked. @throws GitError */
  readonly isReachable: (commit: string, from: string) => Promise<boolean | null>;
};

/** Number of commits walked here before git is asked. */
const MOST_WALKED = 500;

const MOST_DIFFS = 4;

export function openObjects(store: Store, { commonDir }: Pick<WorkTree, 'commonDir'>): Objects {
  const trees = new WeakMap<GitObject, TreeEntries>();
  /** The comparisons of one task are asked for a dozen times and may have many files. */
  const diffs = lastUsed<readonly RawChange[]>(MOST_DIFFS);
  const commits = new WeakMap<GitObject, Commit>();

  const commit = async (id: string): Promise<Commit | null> => {
    const found = await store.read(id);
    if (found?.kind !== 'commit') return null;
    const parsed = commits.get(found) ?? parseCommit(id, found.content);
    commits.set(found, parsed);
    return parsed;
  };

  const entries = async (id: string): Promise<TreeEntries> => {
    // Git knows the empty tree even if it was never written.
    if (id === emptyTree(id)) return new Map();
    const found = await store.read(id);
    if (found?.kind !== 'tree')
      throw new GitError(`${id} isn't a tree${found === null ? ' that is there' : `, but a ${found.kind}`}`);
    const parsed = trees.get(found) ?? parseTree(found.content, id.length);
    trees.set(found, parsed);
    return parsed;
  };

  /** New objects may only refer to existing ones; `git gc` may have removed what was read earlier. */
  const areThere = async (ids: Iterable<string>): Promise<void> => {
    for (const id of new Set(ids))
      if (id !== emptyTree(id) && !(await store.isThere(id)))
        throw new GitError(`the object ${id} isn't there any more`);
  };

  /** Only git knows the history of a shallow or grafted repository. */
  const isCutShort = (): boolean =>
    ['shallow', 'info/grafts'].some(
      (name) => lstatSync(join(commonDir, name), { throwIfNoEntry: false }) !== undefined,
    );

  return {
    ...store,
    commit,
    entries,
    files: (id) => filesOfTree(entries, id),
    entryAt: (id, path) => entryAt(entries, id, path),
    diff: (from, to) => diffs.ask(`${from} ${to}`, () => diffTrees(entries, from, to)),
    edit: async (id, edits) => {
      const named = [...edits.values()].flatMap((edit) =>
        edit === null || edit === 'all' || edit.mode === GITLINK ? [] : edit.oid,
      );
      await areThere(id === null ? named : [id, ...named]);
      return editTree(entries, (content) => store.write('tree', content), id, edits);
    },
    writeCommit: async (made) => {
      await areThere([made.tree, ...made.parents]);
      return store.write('commit', encodeCommit(made));
    },
    parents: async (id) => (isCutShort() ? null : ((await commit(id))?.parents ?? null)),
    isReachable: (one, from) => (isCutShort() ? Promise.resolve(null) : isReachable(commit, one, from)),
  };
}

async function isReachable(commit: Objects['commit'], wanted: string, from: string): Promise<boolean | null> {
  if (wanted === from) return (await commit(from)) !== null;
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

export type Commit = {
  readonly id: string;
  readonly tree: string;
  /** Ids of the parents; a shallow clone may lack these commits. */
  readonly parents: readonly string[];
  /** Author: name, address, seconds since 1970 and time zone, one character per byte. */
  readonly author: string;
  readonly committer: string;
  /** Time of the commit in seconds since 1970. */
  readonly date: number;
  /** Whole message; `null` when it isn't UTF-8. */
  readonly message: string | null;
};

export type NewCommit = Pick<Commit, 'tree' | 'parents' | 'author' | 'committer'> & {
  /** Message that is stored unchanged: no line end is added. */
  readonly message: string;
};

/** Parses a commit object. @throws GitError when it has no tree. */
export function parseCommit(id: string, content: Buffer): Commit {
  const blank = content.indexOf('\n\n');
  const head = content.toString('latin1', 0, blank < 0 ? content.length : blank).split('\n');
  // Signature lines begin with a space, headers never do.
  const all = (key: string) =>
    head.flatMap((line) => (line.startsWith(`${key} `) ? [line.slice(key.length + 1)] : []));
  const [tree] = all('tree');
  if (tree === undefined) throw new GitError(`commit ${id} is damaged`);
  const [committer = ''] = all('committer');
  const [encoding = 'utf-8'] = all('encoding');
  const body = content.subarray(blank < 0 ? content.length : blank + 2);
  return {
    id,
    tree,
    parents: all('parent'),
    author: all('author')[0] ?? '',
    committer,
    date: Number(/> (\d+) [+-]\d+$/.exec(committer)?.[1] ?? 0),
    message: /^utf-?8$/i.test(encoding) ? body.toString('utf8') : null,
  };
}

export function encodeCommit({ tree, parents, author, committer, message }: NewCommit): Buffer {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author}`,
    `committer ${committer}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n\n`, 'latin1'), Buffer.from(message)]);
}
