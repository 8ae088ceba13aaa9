import { readdirSync } from 'node:fs';
import type { Snapshot } from '../../domain/change-set.ts';
import { type BytePath, bytePath } from './git-path.ts';
import { locate } from './locate.ts';
import { parsePaths } from './parse-status.ts';
import { GitError, plainEnv, runGit } from './run-git.ts';
import { absolute, look, objectGit, type WorkTree } from './work-tree.ts';

/** Who makes the commits that only ralph refers to; fixed, so that nothing depends on a person's settings. */
export const OWN_IDENTITY = {
  GIT_AUTHOR_NAME: 'ralph',
  GIT_AUTHOR_EMAIL: 'ralph@localhost',
  GIT_COMMITTER_NAME: 'ralph',
  GIT_COMMITTER_EMAIL: 'ralph@localhost',
} as const;

type Submodule<S> = {
  readonly tree: WorkTree;
  readonly snapshots: S;
  /** Tells whether `.git` was replaced. */
  readonly mark: string;
  readonly ids: Map<string, string>;
};

/** `S`: what takes the snapshots in there. */
export type Submodules<S = unknown> = {
  /**
   * A commit id that stands for the content of a submodule: its HEAD when nothing is changed in it, else a commit
   * in the submodule's own repository that holds the changes. `recorded` when it is not checked out; `null` when
   * there is no submodule any more.
   */
  readonly identify: (path: BytePath, recorded: string) => Promise<string | null>;
  /** The work tree of a submodule seen before. */
  readonly find: (path: BytePath) => WorkTree | null;
  /** The submodule that is checked out at a path now; `null` when there is none, or none that git can read. */
  readonly inside: (path: BytePath) => Promise<{ readonly tree: WorkTree; readonly snapshots: S } | null>;
};

export function openSubmodules<S extends { readonly take: () => Promise<Snapshot> }>(
  tree: WorkTree,
  snapshots: (tree: WorkTree) => S,
): Submodules<S> {
  const known = new Map<BytePath, Submodule<S>>();

  const open = async (path: BytePath, mark: string): Promise<Submodule<S> | null> => {
    const seen = known.get(path);
    if (seen?.mark === mark) return seen;
    const found = await locate(absolute(tree, path).toString('utf8'));
    // A prefix means that git found the repository around it: `.git` is broken.
    if (!found.ok || found.prefix !== '') return null;
    const inner = { ...found.tree, ownFolder: null };
    const submodule = { tree: inner, snapshots: snapshots(inner), mark, ids: new Map<string, string>() };
    known.set(path, submodule);
    return submodule;
  };

  const dotGitOf = (path: BytePath) => look(Buffer.concat([absolute(tree, path), Buffer.from('/.git')]));

  return {
    find: (path) => known.get(path)?.tree ?? null,
    inside: async (path) => {
      if (look(absolute(tree, path))?.isDirectory() !== true) return null;
      const dotGit = dotGitOf(path);
      return dotGit === null ? null : open(path, `${dotGit.ino}`);
    },
    identify: async (path, recorded) => {
      const folder = look(absolute(tree, path));
      if (folder === null || !folder.isDirectory()) return null;
      const dotGit = dotGitOf(path);
      if (dotGit === null) return readdirSync(absolute(tree, path)).length === 0 ? recorded : null;
      const submodule = await open(path, `${dotGit.ino}`);
      if (submodule === null) return recorded;
      const snapshot = await submodule.snapshots.take();
      const key = `${snapshot.head} ${snapshot.tree}`;
      const id = submodule.ids.get(key) ?? (await commitFor(submodule.tree, snapshot));
      submodule.ids.set(key, id);
      return id;
    },
  };
}

async function commitFor(tree: WorkTree, snapshot: Snapshot): Promise<string> {
  if (snapshot.head !== null) {
    const headTree = await objectGit(tree, ['rev-parse', '--verify', `${snapshot.head}^{tree}`]);
    if (headTree.stdout.toString('utf8').trim() === snapshot.tree) return snapshot.head;
  }
  const parents = snapshot.head === null ? [] : ['-p', snapshot.head];
  const made = await objectGit(tree, ['commit-tree', snapshot.tree, ...parents, '-m', 'ralph snapshot'], {
    env: { ...OWN_IDENTITY, GIT_AUTHOR_DATE: '@0 +0000', GIT_COMMITTER_DATE: '@0 +0000' },
  });
  return made.stdout.toString('utf8').trim();
}

/**
 * A file of a repository that lies untracked in the work tree, relative to the top; `null` when it has none. Git
 * walks into such a folder like into any other once the index knows one file in it.
 */
export async function firstFileOf(tree: WorkTree, repository: BytePath): Promise<BytePath | null> {
  try {
    const listed = await runGit(['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
      cwd: absolute(tree, repository).toString('utf8'),
      env: plainEnv(),
    });
    for (const inner of parsePaths(listed.stdout)) {
      const path = bytePath(Buffer.from(`${repository}/${inner}`.replace(/\/$/, ''), 'latin1'));
      const stats = look(absolute(tree, path));
      if (stats?.isFile() === true || stats?.isSymbolicLink() === true) return path;
      const deeper = stats?.isDirectory() === true ? await firstFileOf(tree, path) : null;
      if (deeper !== null) return deeper;
    }
  } catch (error) {
    // A damaged repository: git takes no part in it, and neither do we.
    if (!(error instanceof GitError)) throw error;
  }
  return null;
}
