import { readdirSync } from 'node:fs';
import type { Snapshot } from '../../../domain/change-set.ts';
import { GitError } from '../../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { commitTree, type IndexGit, objectText, userIndexGit } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { runGit } from '../call/run-git.ts';
import { absolute, dotGitOf, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { locate } from '../repository/locate.ts';
import { type IndexContent, readEntries, setEntries } from './index-content.ts';
import { GITLINK } from './parse-diff.ts';
import { parsePaths } from './parse-status.ts';

/** The submodules of a work tree, as far as they are seen: what is in them is never put back. */
export type Submodules = {
  /**
   * A commit id that stands for the content of a submodule: its HEAD when nothing is changed in it, else a commit
   * in the submodule's own repository that holds the changes. `recorded` when it isn't checked out; `null` when
   * there isn't a submodule any more.
   */
  readonly identify: (path: BytePath, gitlink: string) => Promise<string | null>;
  /** The work tree of a submodule seen before. */
  readonly find: (path: BytePath) => WorkTree | null;
  /** Leaves their private indexes to the next process. */
  readonly close: () => void;
};

type Submodule = {
  readonly tree: WorkTree;
  readonly take: () => Promise<Snapshot>;
  readonly close: () => void;
  /** Changes when `.git` is replaced. */
  readonly mark: bigint;
  readonly ids: Map<string, string>;
};

/** Holds the settings of a repository as they are now. */
export type Pin = (tree: WorkTree) => Promise<WorkTree>;

/** `openIn` makes what takes the snapshots in there. */
export function openSubmodules(
  tree: WorkTree,
  pin: Pin,
  openIn: (tree: WorkTree) => Pick<Submodule, 'take' | 'close'>,
): Submodules {
  const known = new Map<BytePath, Submodule>();

  const open = async (path: BytePath, mark: bigint): Promise<Submodule | null> => {
    const seen = known.get(path);
    if (seen?.mark === mark) return seen;
    const found = await locate(absolute(tree, path).toString('utf8'));
    // A prefix means that git found the repository around it: `.git` is broken.
    if (!found.ok || found.prefix !== '') return null;
    const inner = await pin({ ...found.tree, ownFolder: null });
    const submodule = { tree: inner, ...openIn(inner), mark, ids: new Map<string, string>() };
    known.set(path, submodule);
    return submodule;
  };

  return {
    find: (path) => known.get(path)?.tree ?? null,
    close: () => {
      for (const { close } of known.values()) close();
    },
    identify: async (path, gitlink) => {
      if (lstatQuietly(absolute(tree, path))?.isDirectory() !== true) return null;
      const dotGit = dotGitOf(tree, path);
      if (dotGit === null) return readdirSync(absolute(tree, path)).length === 0 ? gitlink : null;
      const submodule = await open(path, dotGit.ino);
      if (submodule === null) return gitlink;
      const snapshot = await submodule.take();
      const key = `${snapshot.head} ${snapshot.tree}`;
      const id = submodule.ids.get(key) ?? (await commitFor(submodule.tree, snapshot));
      submodule.ids.set(key, id);
      return id;
    },
  };
}

/** The same commit for the same content. */
async function commitFor(tree: WorkTree, { head, tree: content }: Snapshot): Promise<string> {
  if (head !== null && (await objectText(tree, ['rev-parse', '--verify', `${head}^{tree}`])) === content)
    return head;
  const dates = { GIT_AUTHOR_DATE: '@0 +0000', GIT_COMMITTER_DATE: '@0 +0000' };
  return commitTree(tree, content, head === null ? [] : [head], 'ralph snapshot\n', dates);
}

/** Writes what the known submodules hold now into the private index; true when one changed. */
export async function refreshGitlinks(
  git: IndexGit,
  submodules: Submodules,
  index: IndexContent,
): Promise<boolean> {
  const entries = [];
  for (const [path, oid] of index.gitlinks) {
    if (index.sparse.has(path)) continue;
    const now = await submodules.identify(path, oid);
    if (now === oid) continue;
    entries.push({ mode: now === null ? '0' : GITLINK, oid: now ?? oid, path });
    if (now === null) index.gitlinks.delete(path);
    else index.gitlinks.set(path, now);
  }
  await setEntries(git, entries);
  return entries.length > 0;
}

/** Untracked repositories that are submodules in the user's index. */
export async function newGitlinks(
  tree: WorkTree,
  submodules: Submodules,
  index: IndexContent,
  repositories: readonly BytePath[],
) {
  const links = [];
  const users = repositories.length === 0 ? [] : await readEntries(userIndexGit(tree));
  for (const { path, mode, oid } of users) {
    if (mode !== GITLINK || !repositories.includes(path)) continue;
    const id = (await submodules.identify(path, oid)) ?? oid;
    index.gitlinks.set(path, id);
    links.push({ mode, oid: id, path });
  }
  return links;
}

/**
 * A file of a repository that lies untracked in the work tree, relative to the top; `null` when it has none. Git
 * walks into such a folder like into any other once the index knows one file in it.
 */
export async function firstFileOf(tree: WorkTree, repository: BytePath): Promise<BytePath | null> {
  try {
    const question = gitCall({ kind: 'question', folder: absolute(tree, repository).toString('utf8') });
    const listed = await runGit(question, ['ls-files', '-z', '-c', '-o', '--exclude-standard']);
    for (const inner of parsePaths(listed.stdout)) {
      const path = `${repository}/${inner}`.replace(/\/$/, '') as BytePath;
      const found = lstatQuietly(absolute(tree, path));
      if (found?.isFile() === true || found?.isSymbolicLink() === true) return path;
      const deeper = found?.isDirectory() === true ? await firstFileOf(tree, path) : null;
      if (deeper !== null) return deeper;
    }
  } catch (error) {
    // A damaged repository: git ignores it, and so do we.
    if (!(error instanceof GitError)) throw error;
  }
  return null;
}
