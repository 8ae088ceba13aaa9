import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Snapshot } from '../../../domain/change-set.ts';
import type { CopyCommit, Work } from '../../../domain/ports/work.ts';
import { GitError } from '../../../domain/ports.ts';
import { holdsPackages } from '../../../lib/scope/tool-outputs.ts';
import { objectGit } from '../call/git.ts';
import { type BytePath, bytePath, parsePath, printPath } from '../call/git-path.ts';
import { asGitError } from '../call/run-git.ts';
import { isOwn, type WorkTree } from '../call/work-tree.ts';
import { committable } from '../commit/committable.ts';
import { changesFromHead, describedCommits, diffSnapshots } from '../diff/diff.ts';
import { factsOf } from '../diff/file-facts.ts';
import { forceRemove, setChanged } from '../read/index-content.ts';
import type { Pin } from '../read/nested.ts';
import { parsePaths } from '../read/parse-status.ts';
import { operationInProgress } from '../repository/find-work-tree.ts';
import { readRefs } from '../repository/refs.ts';
import { openSnapshots } from '../snapshot/snapshot.ts';
import type { SnapshotSettings } from '../snapshot/snapshot-settings.ts';
import { changedTree } from '../trees/changed-tree.ts';
import { runCommitHooks } from './commit-hooks.ts';
import { copiedSubmodules } from './copied-submodules.ts';
import { listUntracked } from './seed.ts';
import type { WorkSlot } from './slots.ts';

/** Refs whose commits are the repository's own. */
const USERS_REFS = ['refs/heads', 'refs/tags', 'refs/remotes'];

type Site = {
  readonly tree: WorkTree;
  readonly settings: SnapshotSettings;
  /** Folder outside of the repository. */
  readonly place: string;
  readonly pin: Pin;
  readonly leftOut: () => readonly string[];
  readonly seeded: readonly BytePath[];
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
};

/** The copy in which tasks are worked at: git reads its files with the repository's own git folder, never with the agent's. */
export function openWork(
  { tree: repository, settings, place, pin, leftOut, seeded, inTurn }: Site,
  slot: WorkSlot,
): Work & { readonly close: () => void } {
  const { files, folder, git: agents } = slot.shown;
  const instructions = () => [
    ...leftOut().map((path) => bytePath(Buffer.from(relative(repository.top, path)))),
    ...seeded,
  ];
  const tree: WorkTree = { ...repository, top: files, place: folder, instructions };
  const snapshots = openSnapshots(
    tree,
    settings,
    place,
    pin,
    copiedSubmodules(repository, slot.shown, pin, {
      index: join(folder, 'submodule-index'),
      base: () => base().tree,
    }),
  );
  /** Since the copy was brought to its base. */
  const installed = new Map<string, string>();
  const agentGit = agents?.folder ?? join(files, '.git');
  const base = () => {
    const known = slot.base();
    if (known === null) throw new GitError(`The copy in ${folder} stands on nothing.`);
    return known;
  };
  const snapshot = async (): Promise<Snapshot> => {
    const { commit, branch } = base();
    return { tree: (await snapshots.take()).tree, head: commit, branch };
  };
  const diffWithPatch: Work['git']['diffWithPatch'] = async (before, after, patchBytes) => {
    const second = after === 'now' ? await inTurn(snapshot) : after;
    return diffSnapshots(tree, snapshots.submodules.find, before, second, patchBytes);
  };
  return {
    shown: slot.shown,
    temporary: () => {
      const path = join(folder, 'tmp');
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return path;
    },
    installed: {
      by: (path) => installed.get(path) ?? slot.installedBy(path),
      note: (path, text) => void installed.set(path, text),
    },
    base: slot.base,
    renewInstructions: slot.renewInstructions,
    reset: (to, treeId) =>
      inTurn(async () => {
        const { leftOut: large } = await asGitError(folder, () => slot.reset(to, treeId));
        installed.clear();
        return large;
      }),
    git: {
      snapshot: () => inTurn(snapshot),
      diffWithPatch,
      diff: async (before, after) => (await diffWithPatch(before, after, 0)).changes,
      operation: () => operationInProgress(agentGit),
      fileFacts: (now, paths) => factsOf(tree, now, paths, slot.shown.seed),
    },
    resultTree: (left, paths) =>
      inTurn(async () => {
        const wanted = new Set(paths.map(parsePath));
        const { tree: from } = base();
        const differ = (await changesFromHead(tree, from, left)).filter(
          ({ path }) => wanted.has(path) && !isOwn(tree, path),
        );
        const changes = await committable(snapshots, differ);
        if (changes.length === 0) return from;
        return changedTree(tree, snapshots.files.passingIndex, from, (git) => setChanged(git, changes));
      }),
    made: () =>
      inTurn(async () => (await listUntracked(tree, join(folder, 'index'), 'ignored')).map(printPath)),
    holdsPackages: (path) =>
      holdsPackages(path, (one) =>
        [files, ...(slot.shown.seed ?? [])].some((top) => existsSync(join(top, one))),
      ),
    keyOf: (treeId) =>
      inTurn(() =>
        changedTree(tree, snapshots.files.passingIndex, treeId, async (git) => {
          const paths = parsePaths((await git(['ls-files', '-z'])).stdout);
          await forceRemove(
            git,
            paths.filter((path) => isOwn(tree, path)),
          );
        }),
      ),
    commitHooks: (message, paths) =>
      inTurn(() => runCommitHooks(tree, repository.top, slot.shown, { base: base(), message, paths })),
    commits: (patchBytes) => agentCommits(tree, agentGit, base().commit, patchBytes),
    close: () => snapshots.close(),
  };
}

/**
 * Commits in the git folder of a copy that neither its base nor the repository holds. What lies there is data: its objects are
 * read beside those of the repository, its settings and hooks never.
 */
async function agentCommits(
  repository: WorkTree,
  agentGit: string,
  base: string,
  patchBytes: number,
): Promise<CopyCommit[]> {
  const place = { ...repository, gitDir: agentGit, commonDir: agentGit };
  const { head, refs } = await readRefs(place);
  const branches = [...refs].filter(([name]) => name.startsWith('refs/heads/')).map(([, id]) => id);
  const listed = await objectGit(repository, ['for-each-ref', '--format=%(objectname)', ...USERS_REFS]);
  const known = [base, ...listed.stdout.toString('utf8').split('\n').filter(Boolean)];
  const tree = { ...repository, alternates: join(agentGit, 'objects') };
  try {
    return await describedCommits(tree, [head, ...branches], known, patchBytes);
  } catch (error) {
    // What programs leave in there may be damaged: then there is nothing to tell of it.
    if (!(error instanceof GitError)) throw error;
    return [];
  }
}
