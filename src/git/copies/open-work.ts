import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { holdsPackages } from 'ralph-ecosystems';
import { removeTree } from 'ralph-kit/files/remove-tree';
import type { Snapshot } from '../../domain/change-set.ts';
import type { CopyCommit, Work } from '../../domain/ports/work.ts';
import { GitError } from '../../domain/ports.ts';
import { indexGit, objectGit } from '../call/git.ts';
import { type BytePath, bytePath, nulList, parsePath, printPath } from '../call/git-path.ts';
import { asGitError, gitOr } from '../call/run-git.ts';
import { absolute, ownPaths, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead, describedCommits, diffSnapshots } from '../diff/diff.ts';
import { factsOf } from '../diff/file-facts.ts';
import { objectsOf } from '../objects/door.ts';
import { editedTree, editsOf, refsBelow, treeOf } from '../objects/questions.ts';
import { GITLINK, type RawChange } from '../objects/tree-entries.ts';
import type { Pin } from '../read/nested.ts';
import { parsePaths } from '../read/parse-status.ts';
import { operationInProgress } from '../repository/find-work-tree.ts';
import { readRefs } from '../repository/refs.ts';
import { openSnapshots, type SnapshotSettings } from '../snapshot/snapshot.ts';
import { takePack } from '../submodules/objects.ts';
import { hasCommitHooks, remoteBox, runCommitHooks } from './commit-hooks.ts';
import { copiedSubmodules } from './copied-submodules.ts';
import { keepInnerRepositories } from './inner-repositories.ts';
import { openModes } from './modes.ts';
import { listUntracked } from './seed.ts';
import type { WorkSlot } from './slots.ts';

/** Refs with commits of the repository itself. */
const USERS_REFS = ['refs/heads/', 'refs/tags/', 'refs/remotes/'];

const IGNORE_FILE = /(?:^|\/)\.gitignore$/;

type Site = {
  readonly tree: WorkTree;
  readonly settings: SnapshotSettings;
  /** Folder outside the repository for what ralph keeps about the copy. */
  readonly place: string;
  readonly pin: Pin;
  readonly leftOut: () => readonly string[];
  readonly seeded: readonly BytePath[];
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
};

/** Opens the copy for working on tasks: git reads its files with the repository's git folder, never the agent's. */
export function openWork(
  { tree: repository, settings, place, pin, leftOut, seeded, inTurn }: Site,
  slot: WorkSlot,
): Work & { readonly close: () => void } {
  const { files, folder, git: agents } = slot.mounted;
  const instructions = () => [
    ...leftOut().map((path) => bytePath(Buffer.from(relative(repository.top, path)))),
    ...seeded,
  ];
  const tree: WorkTree = {
    ...repository,
    top: files,
    place: folder,
    instructions,
    shownAt: agents === null ? files : repository.top,
  };
  const submodules = copiedSubmodules(repository, slot.mounted, () => base().tree);
  const snapshots = openSnapshots(tree, settings, place, pin, submodules);
  /** Lock files installed since the copy was reset. */
  const installed = new Map<string, string>();
  const agentGit = agents?.folder ?? join(files, '.git');
  const base = () => {
    const known = slot.base();
    if (known === null)
      throw new GitError(`The copy in ${folder} has no state that its work could begin from.`);
    return known;
  };
  const modes = openModes(tree, agentGit);
  const snapshot = async (): Promise<Snapshot> => {
    const { commit, branch } = base();
    const { tree: taken } = await snapshots.take();
    return { tree: await modes.of(taken, snapshots.files.passingIndex), head: commit, branch };
  };
  /** The attempt's result while it is only read; `null` when the copy may have changed since. */
  let left: Snapshot | null = null;
  const workBetween = async (from: string, left: string, paths: readonly string[]) => {
    const wanted = new Set(paths.map(parsePath));
    const isOwn = ownPaths(tree);
    return (await changesFromHead(tree, from, left)).filter(({ path }) => wanted.has(path) && !isOwn(path));
  };
  /** Returns the changes from the base to commit. New files that the work itself made ignored are left out. */
  const workChanges = async (left: string, paths: readonly string[]) => {
    const { tree: from } = base();
    const differ = await workBetween(from, left, paths);
    // A snapshot has ignored files only if they are included or `.gitignore` changed.
    const mayBe =
      settings.includeIgnored.length > 0 ||
      (await changesFromHead(tree, from, left)).some(({ path }) => IGNORE_FILE.test(path));
    const ignored = mayBe ? await ignoredNow(tree, snapshots.files.index, differ) : new Set<BytePath>();
    return { changes: differ.filter(({ path }) => !ignored.has(path)), ignored };
  };
  const movedLinks = async (left: string) =>
    (await changesFromHead(tree, base().tree, left))
      .filter(({ newMode }) => newMode === GITLINK)
      .map(({ path, oldMode, oldOid, newOid }) => ({
        path,
        oid: newOid,
        before: oldMode === GITLINK ? oldOid : null,
      }));
  const resultOf = async (changes: readonly RawChange[]): Promise<string> => {
    const { tree: from } = base();
    if (changes.length === 0) return from;
    return editedTree(tree, from, editsOf(changes));
  };
  const diffWithPatch: Work['git']['diffWithPatch'] = async (before, after, patchBytes) => {
    const second = after === 'now' ? (left ?? (await inTurn(snapshot))) : after;
    left = null;
    return diffSnapshots(tree, snapshots.submodules.find, before, second, patchBytes);
  };
  return {
    mounted: slot.mounted,
    temporary: () => {
      const path = join(folder, 'tmp');
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return path;
    },
    installed: {
      lockText: (path) => installed.get(path) ?? slot.installedBy(path),
      note: (path, text) => void installed.set(path, text),
    },
    base: slot.base,
    renewInstructions: slot.renewInstructions,
    reset: (to, treeId) =>
      inTurn(async () => {
        const { leftOut: large } = await asGitError(folder, () => slot.reset(to, treeId));
        await modes.note(() => changesFromHead(tree, to.tree, treeId));
        left = null;
        installed.clear();
        return large;
      }),
    git: {
      snapshot: () => inTurn(snapshot),
      diffWithPatch,
      diff: async (before, after) => (await diffWithPatch(before, after, 0)).changes,
      operation: () => operationInProgress(agentGit),
      fileFacts: (now, paths) => factsOf(tree, now, paths, slot.mounted.seed),
    },
    keepRepositories: (destination, elsewhere) =>
      inTurn(async () => {
        const { tree: from, taskId } = base();
        if (taskId === null) return [];
        const now = await snapshot();
        const changes = await changesFromHead(tree, from, now.tree);
        for (const { path, newMode } of changes) if (newMode === GITLINK) submodules.absorb(path);
        const there = changes.filter(({ status, newMode }) => status !== 'D' && newMode !== GITLINK);
        const paths = there.map(({ path }) => path);
        const baseTree = await treeOf(tree, from);
        const isOfBase = async (path: string) =>
          (await (await objectsOf(tree)).entryAt(baseTree, parsePath(path))) !== null;
        const kept = await keepInnerRepositories(tree, paths, {
          root: repository.top,
          taskId,
          elsewhere,
          destination,
          agentGit,
          isOfBase,
        });
        left = kept.length === 0 ? now : null;
        return kept;
      }),
    pointers: (left, into) =>
      inTurn(async () => {
        return submodules.pointers(await movedLinks(left), {
          probe: (asUser) => remoteBox(tree, repository.top, slot.mounted, asUser),
          folder: into,
        });
      }),
    submoduleCommits: (left) => inTurn(async () => submodules.sent(await movedLinks(left))),
    takeSubmoduleCommit: ({ commit, known, pack }) =>
      inTurn(() => takePack(repository, commit, { known, pack })),
    resultTree: (left, paths) =>
      inTurn(async () => {
        const { changes, ignored } = await workChanges(left, paths);
        const made = await resultOf(changes);
        const missing = (await workBetween(made, left, paths)).filter(({ path }) => !ignored.has(path));
        return { tree: made, missing: missing.map(({ path }) => printPath(path)) };
      }),
    createdPaths: () =>
      inTurn(async () => (await listUntracked(tree, join(folder, 'index'), 'ignored')).map(printPath)),
    holdsPackages: (path) =>
      holdsPackages(path, (one) =>
        [files, ...(slot.mounted.seed ?? [])].some((top) => existsSync(join(top, one))),
      ),
    keyOf: (treeId) => editedTree(tree, treeId, withoutOwn(tree)),
    hasCommitHooks: () => hasCommitHooks(tree),
    commitHooks: (message, paths) =>
      inTurn(async () => {
        left = null;
        const before = (await snapshot()).tree;
        const { changes } = await workChanges(before, paths);
        const wanted = { base: base(), message, changes, submodules: submodules.now() };
        let byHooks: readonly RawChange[] = [];
        const ran = await runCommitHooks(
          tree,
          repository.top,
          slot.mounted,
          wanted,
          async (made, objects) => {
            const there = { ...tree, alternates: [objects] };
            byHooks = await changesFromHead(there, await resultOf(changes), made);
            const now = (await snapshot()).tree;
            await followHooks(there, snapshots.files.passingIndex, { before, now, made, byHooks });
          },
        );
        await modes.note(async () => byHooks);
        return ran;
      }),
    commits: (patchBytes) => agentCommits(tree, agentGit, base().commit, patchBytes),
    close: () => snapshots.close(),
  };
}

function withoutOwn({ ownFolder, instructions }: WorkTree): ReadonlyMap<BytePath, 'all'> {
  const paths = [...(ownFolder === null ? [] : [ownFolder]), ...(instructions?.() ?? [])];
  return new Map(paths.map((path) => [path, 'all']));
}

/** Trees `before` and after (`now`) the hooks and of their commit (`made`); `byHooks`: changes to staged files. */
type Followed = Readonly<Record<'before' | 'now' | 'made', string>> & {
  readonly byHooks: readonly RawChange[];
};

/**
 * Brings a copy to the commit that hooks made: their staged changes are included; files they wrote without staging,
 * or unstaged, are reverted, as they would stay behind in a work tree.
 * @param tree Also reads the hooks' objects.
 * @param index Path for a temporary index.
 */
async function followHooks(
  tree: WorkTree,
  index: string,
  { before, now, made, byHooks }: Followed,
): Promise<void> {
  const byFiles = await changesFromHead(tree, before, now);
  const touched = new Set([...byHooks, ...byFiles].map(({ path }) => path));
  if (touched.size === 0) return;
  const changes = (await changesFromHead(tree, now, made)).filter(
    ({ path, oldMode, newMode }) => touched.has(path) && oldMode !== GITLINK && newMode !== GITLINK,
  );
  // Deletions come first: a folder may replace a file.
  for (const { path, status } of changes) if (status === 'D') removeTree(absolute(tree, path));
  const written = changes.filter(({ status }) => status !== 'D').map(({ path }) => path);
  if (written.length === 0) return;
  const git = indexGit({ kind: 'passing-index', tree, index });
  await git(['read-tree', made]);
  await git(['checkout-index', '-f', '-q', '-z', '--stdin'], nulList(written));
}

/**
 * Returns commits that only the copy's git folder has. Objects are read as data; its settings and hooks aren't used.
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
  const known = [base, ...(await refsBelow(repository, USERS_REFS)).values()];
  const tree = { ...repository, alternates: [join(agentGit, 'objects')] };
  // A git folder damaged by programs has nothing to report.
  return gitOr([], () => describedCommits(tree, [head, ...branches], known, patchBytes));
}

/** Returns new files that are now ignored, so no commit gets them. @param index Decides which files are tracked. */
export async function ignoredNow(
  tree: WorkTree,
  index: string,
  changes: readonly RawChange[],
): Promise<ReadonlySet<BytePath>> {
  const added = changes.filter(({ status }) => status === 'A');
  if (added.length === 0) return new Set();
  // `check-ignore` has no literal paths; a leading `./` keeps paths from being read as patterns.
  const input = nulList(added.map((change) => `./${change.path}` as BytePath));
  // Git never reports indexed files as ignored, and all of these are in the index.
  const env = { GIT_LITERAL_PATHSPECS: '0', GIT_INDEX_FILE: index };
  const listed = await objectGit(tree, ['check-ignore', '--no-index', '-z', '--stdin'], {
    input,
    env,
    answers: [1],
  });
  return new Set(parsePaths(listed.stdout).map((path) => path.slice(2) as BytePath));
}
