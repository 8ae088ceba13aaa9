import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Snapshot } from '../../domain/change-set.ts';
import type { IndexGit } from '../call/git.ts';
import { type BytePath, foldersAbove } from '../call/git-path.ts';
import {
  absolute,
  dotGitOf,
  gitFileTargetIn,
  privateFolder,
  tryLstat,
  type WorkTree,
} from '../call/work-tree.ts';
import { treeOf, writeText } from '../objects/questions.ts';
import { GITLINK } from '../objects/tree-entries.ts';
import { usersEntries } from '../objects/users-index.ts';
import { locate } from '../repository/locate.ts';
import { keptObjects, uncommitted } from '../submodules/objects.ts';
import { type IndexContent, setEntries } from './index-content.ts';

/** Submodules of a work tree; their contents are read, never restored. */
export type Submodules = {
  /** Returns HEAD or a commit with uncommitted changes; `recorded`: not checked out; `null`: not a submodule. */
  readonly identify: (path: BytePath, gitlink: string) => Promise<string | null>;
  /** Returns submodules known from the start with their commits, whatever the private index has. */
  readonly known: () => Promise<ReadonlyMap<BytePath, string>>;
  /** Returns which of these untracked repositories are submodules, with their commits. */
  readonly registered: (repositories: readonly BytePath[]) => Promise<readonly Link[]>;
  readonly find: (path: BytePath) => WorkTree | null;
  /** Leaves the private indexes to the next process. */
  readonly close: () => void;
};

export type Link = { readonly path: BytePath; readonly oid: string };

type Submodule = {
  readonly tree: WorkTree;
  readonly take: () => Promise<Snapshot>;
  readonly close: () => void;
  /** Inode of `.git`, which changes when it is replaced. */
  readonly mark: bigint;
  readonly ids: Map<string, string>;
};

/** Fixes a repository's settings as they are now. */
export type Pin = (tree: WorkTree) => Promise<WorkTree>;

export function openSubmodules(
  tree: WorkTree,
  pin: Pin,
  openIn: (tree: WorkTree) => Pick<Submodule, 'take' | 'close'>,
): Submodules {
  const opened = new Map<BytePath, Submodule>();

  const open = async (path: BytePath, mark: bigint): Promise<Submodule | null> => {
    const seen = opened.get(path);
    if (seen?.mark === mark) return seen;
    const found = await locate(absolute(tree, path).toString('utf8'));
    // A prefix means that git found the surrounding repository, so `.git` is broken.
    if (!found.ok || found.prefix !== '') return null;
    // Objects of your submodule go to a folder of ralph's own, so that nothing is written into the submodule.
    const place = join(privateFolder(tree), 'submodules', encodeURIComponent(path));
    const passing = tree.passing ?? keptObjects(tree);
    for (const folder of [place, join(passing, 'pack')]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const inner = await pin({ ...found.tree, ownFolder: null, place, passing });
    const submodule = { tree: inner, ...openIn(inner), mark, ids: new Map<string, string>() };
    opened.set(path, submodule);
    return submodule;
  };

  const identify: Submodules['identify'] = async (path, gitlink) => {
    if (tryLstat(absolute(tree, path))?.isDirectory() !== true) return null;
    const dotGit = dotGitOf(tree, path);
    if (dotGit === null) return readdirSync(absolute(tree, path)).length === 0 ? gitlink : null;
    const submodule = await open(path, dotGit.ino);
    if (submodule === null) return gitlink;
    const snapshot = await submodule.take();
    const key = `${snapshot.head} ${snapshot.tree}`;
    const id = submodule.ids.get(key) ?? (await commitFor(submodule.tree, snapshot));
    submodule.ids.set(key, id);
    return id;
  };
  return {
    identify,
    known: async () => new Map(),
    find: (path) => opened.get(path)?.tree ?? null,
    close: () => {
      for (const { close } of opened.values()) close();
    },
    registered: async (repositories) => {
      const links: Link[] = [];
      for (const { path, mode, oid } of await usersEntries(tree))
        if (mode === GITLINK && repositories.includes(path))
          links.push({ path, oid: (await identify(path, oid)) ?? oid });
      return links;
    },
  };
}

async function commitFor(tree: WorkTree, { head, tree: content }: Snapshot): Promise<string> {
  if (head !== null && (await treeOf(tree, head)) === content) return head;
  return uncommitted(tree, content, head);
}

export async function refreshGitlinks(
  git: IndexGit,
  submodules: Submodules,
  index: IndexContent,
): Promise<boolean> {
  const entries = [];
  for (const [path, oid] of new Map([...(await submodules.known()), ...index.gitlinks])) {
    if (index.sparse.has(path)) continue;
    const now = await submodules.identify(path, oid);
    if (now === (index.gitlinks.get(path) ?? null)) continue;
    entries.push({ mode: now === null ? '0' : GITLINK, oid: now ?? oid, path });
    if (now === null) index.gitlinks.delete(path);
    else index.gitlinks.set(path, now);
  }
  await setEntries(git, entries);
  return entries.length > 0;
}

/** Adds untracked repositories that are submodules to the known index; returns their entries. */
export async function newGitlinks(
  submodules: Submodules,
  index: IndexContent,
  repositories: readonly BytePath[],
) {
  if (repositories.length === 0) return [];
  const links = await submodules.registered(repositories);
  for (const { path, oid } of links) index.gitlinks.set(path, oid);
  return links.map((link) => ({ mode: GITLINK, ...link }));
}

/** Name of a file that no tool uses; an index that has it in a folder makes git walk into that folder. */
const INSIDE = '.ralph-inside';

/**
 * Returns entries of missing files, one per untracked repository: git walks into a folder like any other once the
 * index has a file in it, without asking the repository. Git then reports these files as deleted.
 */
export async function entriesInside(tree: WorkTree, repositories: readonly BytePath[]) {
  if (repositories.length === 0) return [];
  const oid = await writeText(tree, '');
  return repositories.map((path) => ({ mode: '100644', oid, path: `${path}/${INSIDE}` as BytePath }));
}

export function inLinkedTrees(tree: WorkTree): (path: BytePath) => boolean {
  const known = new Map<BytePath, boolean>();
  const isOne = (folder: BytePath) => {
    const answer = known.get(folder) ?? isLinkedTree(tree, folder);
    known.set(folder, answer);
    return answer;
  };
  return (path) => foldersAbove(path).some(isOne);
}

/** Judged by the `.git` file, which a repository inside the work doesn't have. */
function isLinkedTree(tree: WorkTree, path: BytePath): boolean {
  const target = gitFileTargetIn(tree, path);
  const own = [tree.commonDir, join(tree.shownAt ?? tree.top, '.git')];
  return target !== null && own.some((folder) => dirname(target) === join(folder, 'worktrees'));
}
