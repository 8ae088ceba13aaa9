import type { IndexGit } from '../call/git.ts';
import { type BytePath, foldersAbove, nulList } from '../call/git-path.ts';
import { setting } from '../call/settings.ts';
import { absolute, ownPaths, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { type IndexEntry, parseIndexEntries } from '../objects/index-file.ts';
import { GITLINK, type RawChange } from '../objects/tree-entries.ts';
import { entriesIn, usersEntries } from '../objects/users-index.ts';
import { parsePaths } from './parse-status.ts';

export type IndexContent = {
  readonly paths: readonly BytePath[];
  /** Submodules with their object ids in the private index. */
  readonly gitlinks: Map<BytePath, string>;
  readonly sparse: Set<BytePath>;
};

/** Clears what makes git ignore the work tree: flags, ralph's folder; with `prune`, newly ignored files. */
export async function inspectIndex(
  tree: WorkTree,
  file: string,
  git: IndexGit,
  prune: boolean,
): Promise<IndexContent> {
  const listed = await entriesIn(tree, file, git);
  const drop = new Set(pathsOf(listed).filter(ownPaths(tree)));
  if (prune) for (const path of await nowIgnored(tree, git)) drop.add(path);
  await forceRemove(git, [...drop]);

  const entries = listed.filter((entry) => !drop.has(entry.path));
  const assumed = entries.filter((entry) => entry.assumeUnchanged);
  await setFlag(git, '--no-assume-unchanged', pathsOf(assumed));
  const skipped = entries.filter((entry) => entry.skipWorktree);
  const sparse = await sparseEntries(tree, skipped);
  const shown = skipped.filter((entry) => !sparse.has(entry.path));
  await setFlag(git, '--no-skip-worktree', pathsOf(shown));

  const gitlinks = entries.filter((entry) => entry.mode === GITLINK);
  return {
    paths: pathsOf(entries),
    gitlinks: new Map(gitlinks.map((entry) => [entry.path, entry.oid])),
    sparse,
  };
}

/** Returns the tracked paths whose files differ from the index, submodules aside. */
export async function differingPaths(git: IndexGit): Promise<BytePath[]> {
  await git(['update-index', '-q', '--refresh'], undefined, [1]);
  return parsePaths((await git(['diff-files', '--name-only', '-z', '--ignore-submodules=all'])).stdout);
}

/** Writes the files that differ from the index. */
export async function writeDiffering(git: IndexGit): Promise<void> {
  const paths = await differingPaths(git);
  if (paths.length > 0) await git(['checkout-index', '-f', '-q', '-u', '-z', '--stdin'], nulList(paths));
}

/** Returns files that the index lacks and git doesn't ignore; a nested repository is one entry with a slash. */
export async function otherPaths(git: IndexGit): Promise<BytePath[]> {
  return parsePaths((await git(['ls-files', '-z', '--others', '--exclude-standard'])).stdout);
}

export async function writeTree(git: IndexGit): Promise<string> {
  return (await git(['write-tree'])).stdout.toString('utf8').trim();
}

export async function readEntries(git: IndexGit): Promise<IndexEntry[]> {
  return parseIndexEntries((await git(['ls-files', '-v', '-s', '-z'])).stdout);
}

/** Makes sparse entries with an existing file count from now on. */
export async function showPresent(tree: WorkTree, git: IndexGit, state: IndexContent): Promise<void> {
  const present = presentPaths(tree, state.sparse);
  await setFlag(git, '--no-skip-worktree', present);
  for (const path of present) state.sparse.delete(path);
}

/**
 * Fills an empty private index with tracked paths and ids only, so that git reads every file regardless of times and
 * flags.
 * @param from A tree of ralph's and its entries without files; `null`: the user's index.
 */
export async function fillIndex(
  tree: WorkTree,
  git: IndexGit,
  from: { readonly tree: string; readonly sparse: ReadonlySet<BytePath> } | null,
): Promise<void> {
  if (from !== null) {
    await git(['-c', 'core.sparseCheckout=false', 'read-tree', from.tree]);
    return setFlag(git, '--skip-worktree', [...from.sparse]);
  }
  const users = await usersEntries(tree).catch(() => []);
  await setEntries(git, users);
  await setFlag(git, '--skip-worktree', pathsOf(users.filter((entry) => entry.skipWorktree)));
}

export async function forceRemove(git: IndexGit, paths: readonly BytePath[]): Promise<void> {
  if (paths.length > 0) await git(['update-index', '-z', '--force-remove', '--stdin'], nulList(paths));
}

/** Writes entries without reading the work tree; mode 0 removes one. */
export async function setEntries(git: IndexGit, entries: readonly Entry[]): Promise<void> {
  if (entries.length > 0)
    await git(
      ['update-index', '-z', '--index-info'],
      Buffer.from(entries.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join(''), 'latin1'),
    );
}

type Entry = { readonly mode: string; readonly oid: string; readonly path: BytePath };

export async function setChanged(git: IndexGit, changes: readonly RawChange[]): Promise<void> {
  // Deletions come first: a file may have become a folder.
  const sorted = changes.toSorted((one, other) => Number(other.status === 'D') - Number(one.status === 'D'));
  await setEntries(
    git,
    sorted.map(({ newMode, newOid, path }) => ({ mode: newMode, oid: newOid, path })),
  );
}

function pathsOf(entries: readonly IndexEntry[]): BytePath[] {
  return entries.map(({ path }) => path);
}

async function setFlag(git: IndexGit, flag: string, paths: readonly BytePath[]): Promise<void> {
  if (paths.length > 0) await git(['update-index', '-z', flag, '--stdin'], nulList(paths));
}

async function nowIgnored(tree: WorkTree, git: IndexGit): Promise<readonly BytePath[]> {
  const ignored = parsePaths((await git(['ls-files', '-z', '-c', '-i', '--exclude-standard'])).stdout);
  if (ignored.length === 0) return [];
  const users = new Set(pathsOf(await usersEntries(tree)));
  return ignored.filter((path) => !users.has(path));
}

/** Returns flagged entries without a file in a sparse checkout; elsewhere a missing file is deleted. */
async function sparseEntries(tree: WorkTree, flagged: readonly IndexEntry[]): Promise<Set<BytePath>> {
  if (flagged.length === 0 || !(await isSparse(tree))) return new Set();
  const sparse = new Set(pathsOf(flagged));
  for (const path of presentPaths(tree, sparse)) sparse.delete(path);
  return sparse;
}

export async function outsideOfSparse(tree: WorkTree): Promise<ReadonlySet<BytePath>> {
  if (!(await isSparse(tree))) return new Set();
  const listed = await usersEntries(tree);
  return sparseEntries(
    tree,
    listed.filter((entry) => entry.skipWorktree),
  );
}

async function isSparse(tree: WorkTree): Promise<boolean> {
  return (await setting(tree, 'bool', 'core.sparseCheckout')) === 'true';
}

/** Returns existing paths; a missing folder rules out everything in it. */
function presentPaths(tree: WorkTree, paths: Iterable<BytePath>): BytePath[] {
  const known = new Map<BytePath, boolean>();
  const exists = (path: BytePath): boolean => {
    let answer = known.get(path);
    if (answer === undefined) {
      answer = tryLstat(absolute(tree, path)) !== null;
      known.set(path, answer);
    }
    return answer;
  };
  return [...paths].filter((path) => foldersAbove(path).every(exists) && exists(path));
}
