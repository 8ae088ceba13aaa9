import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot } from '../../domain/change-set.ts';
import { addByHand } from './add-by-hand.ts';
import { type BytePath, nulList } from './git-path.ts';
import {
  forceRemove,
  type IndexState,
  inspectIndex,
  isOwn,
  keepSparse,
  setEntries,
  showPresent,
} from './index-state.ts';
import { firstFileOf, openSubmodules, type Submodules } from './nested.ts';
import { GITLINK } from './parse-diff.ts';
import { parseIndexEntries, parsePaths, parseStatus, type Status } from './parse-status.ts';
import { settlePending } from './pending-commit.ts';
import { type PinnedIgnores, pinIgnores } from './pinned-ignores.ts';
import { makePrivateIndex, type PrivateFiles, privateFiles } from './private-files.ts';
import { type Recent, recentFiles, rewritten } from './recent-files.ts';
import { GitError } from './run-git.ts';
import { refuseLarge, type SnapshotSettings } from './snapshot-settings.ts';
import { absolute, indexGit, look, objectGit, type WorkTree } from './work-tree.ts';

export type Snapshots = {
  /** @throws GitError when git cannot store the content, because the disk is full perhaps. */
  readonly take: () => Promise<Snapshot>;
  readonly files: PrivateFiles;
  readonly submodules: Submodules<Snapshots>;
};

/** What is known of the private index between two snapshots. */
type Warm = IndexState & {
  /** Tree of the index; `null` before it was written. */
  tree: string | null;
  /** The index file as we left it: anything else means that somebody wrote into it. */
  stamp: string;
  /** When the work tree was read last, in seconds; the index file is made to look that old. */
  readAt: number;
  recent: Recent;
};

/**
 * Snapshots of one work tree. The private index holds what the work tree held last; `git status` against it says
 * what changed since, only that is hashed, and a tree is written only when there is something.
 */
export function openSnapshots(tree: WorkTree, settings: SnapshotSettings): Snapshots {
  const files = privateFiles(tree);
  const git = indexGit(tree, files.index, files.excludes);
  const submodules: Submodules<Snapshots> = openSubmodules(tree, (inner) => openSnapshots(inner, settings));
  let ignores: PinnedIgnores | null = null;
  let warm: Warm | null = null;

  const take = async (): Promise<Snapshot> => {
    if (ignores === null) await settlePending(tree);
    ignores ??= await pinIgnores(tree, files);
    const listIgnores = ignores.restore().infoChanged ? ignores.files : null;
    rmSync(`${files.index}.lock`, { force: true });
    try {
      if (warm === null || warm.stamp !== stampOf(tree, files.index)) warm = await prepare(false);
      return await update(warm, listIgnores);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      // The index or objects it names are damaged: everything is read again, and stored again.
      warm = await prepare(true);
      return await update(warm, listIgnores);
    }
  };

  const prepare = async (scratch: boolean): Promise<Warm> => {
    const origin = makePrivateIndex(tree, files.index);
    if (scratch) rmSync(files.index, { force: true });
    const readAt = Number((look(files.index)?.mtimeNs ?? 0n) / 1_000_000_000n);
    const state = await inspectIndex(tree, git, origin === 'adopted' && !scratch);
    const recent = origin === 'copied' ? recentFiles(tree, state.paths) : new Map();
    return { ...state, tree: null, stamp: '', readAt, recent };
  };

  const update = async (index: Warm, listIgnores: readonly string[] | null): Promise<Snapshot> => {
    let changed = await refreshSubmodules(index);
    await showPresent(tree, git, index);
    await forgetStat(rewritten(tree, index.recent));
    const hashed: BytePath[] = [];
    const entered = new Set<BytePath>();
    for (;;) {
      backdate(files.index, index.readAt);
      index.readAt = Math.floor(Date.now() / 1000);
      const status = await readStatus(listIgnores, entered.size === 0);
      const work = await plan(index, status, entered);
      await forceRemove(git, work.remove);
      await setEntries(git, work.links);
      await add(index, work.add);
      hashed.push(...work.add);
      if (work.add.length + work.remove.length + work.links.length > 0) changed = true;
      // Git walks into a repository that was entered just now only the next time.
      if (!work.again) {
        // A tree that is gone was pruned, as nothing has referred to it yet: it is stored again.
        const written = !changed && index.tree !== null && isLoose(tree, index.tree) ? index.tree : null;
        const id = written ?? (await writeTree());
        finish(index, id, hashed);
        return { tree: id, head: status.head, branch: status.branch };
      }
    }
  };

  const finish = (index: Warm, written: string, hashed: readonly BytePath[]) => {
    index.tree = written;
    index.recent = recentFiles(tree, [...index.recent.keys(), ...hashed]);
    backdate(files.index, index.readAt);
    index.stamp = stampOf(tree, files.index);
  };

  const writeTree = async () => (await git(['write-tree'])).stdout.toString('utf8').trim();

  const readStatus = async (listIgnores: readonly string[] | null, cached: boolean): Promise<Status> => {
    const untracked = listIgnores === null ? 'all' : 'no';
    // The cache goes on believing that there is nothing of ours in a repository that was entered just now.
    const cache = cached ? [] : ['-c', 'core.untrackedCache=false'];
    const options = ['--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--ignore-submodules=all'];
    const config = ['-c', `status.showUntrackedFiles=${untracked}`];
    const status = parseStatus((await git([...cache, ...config, 'status', ...options])).stdout);
    const wanted = await includedFiles();
    if (listIgnores === null) return { ...status, untracked: [...status.untracked, ...wanted] };
    const rules = listIgnores.map((file) => `--exclude-from=${file}`);
    const others = ['ls-files', '-z', '-o', '--exclude-per-directory=.gitignore', ...rules];
    const paths = parsePaths((await git(others)).stdout);
    return {
      ...status,
      untracked: [...paths.filter((path) => !path.endsWith('/')), ...wanted],
      repositories: paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1) as BytePath),
    };
  };

  /** Ignored files that the settings want, beside those that the private index has already. */
  const includedFiles = async (): Promise<BytePath[]> => {
    if (settings.includeIgnored.length === 0) return [];
    const patterns = settings.includeIgnored.map((pattern) => `:(top,glob)${pattern}`);
    const list = ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--', ...patterns];
    const listed = await objectGit(tree, list, {
      env: { GIT_INDEX_FILE: files.index, GIT_LITERAL_PATHSPECS: '0' },
    });
    return parsePaths(listed.stdout).filter((path) => !path.endsWith('/') && !isOwn(tree, path));
  };

  /** What to do with the private index so that it matches the work tree. */
  const plan = async (index: Warm, status: Status, entered: Set<BytePath>) => {
    const remove = [...(await keepSparse(tree, git, index, status.deleted))];
    const addPaths = [...status.changed, ...status.untracked];
    for (const path of status.retyped) {
      const now = look(absolute(tree, path));
      (now?.isFile() === true || now?.isSymbolicLink() === true ? addPaths : remove).push(path);
    }
    const repositories = status.repositories.filter((path) => !isOwn(tree, path));
    const links = await newSubmodules(index, repositories);
    const before = entered.size;
    for (const path of repositories) {
      if (index.gitlinks.has(path) || entered.has(path)) continue;
      const first = await firstFileOf(tree, path);
      if (first === null) continue;
      addPaths.push(first);
      entered.add(path);
    }
    const again = entered.size > before;
    return { add: addPaths.filter((path) => !isOwn(tree, path)), remove, links, again };
  };

  /** Untracked repositories that are submodules in the person's index. */
  const newSubmodules = async (index: Warm, repositories: readonly BytePath[]) => {
    if (repositories.length === 0) return [];
    const persons = parseIndexEntries((await objectGit(tree, ['ls-files', '-v', '-s', '-z'])).stdout);
    const links = [];
    for (const { path, mode, oid } of persons) {
      if (mode !== GITLINK || !repositories.includes(path)) continue;
      const id = (await submodules.identify(path, oid)) ?? oid;
      index.gitlinks.set(path, id);
      links.push({ mode, oid: id, path });
    }
    return links;
  };

  const refreshSubmodules = async (index: Warm): Promise<boolean> => {
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
  };

  /** Makes git read these files again, whatever their time stamps say. */
  const forgetStat = async (paths: readonly BytePath[]) => {
    if (paths.length === 0) return;
    const wanted = new Set(paths);
    const entries = parseIndexEntries((await git(['ls-files', '-v', '-s', '-z'])).stdout);
    await setEntries(
      git,
      entries.filter((entry) => wanted.has(entry.path)),
    );
  };

  const add = async (index: Warm, paths: readonly BytePath[]) => {
    if (paths.length === 0) return;
    refuseLarge(tree, paths, settings.maxFileBytes);
    try {
      await git(['update-index', '-z', '--add', '--remove', '--stdin'], nulList(paths));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      await addByHand(tree, git);
      Object.assign(index, await inspectIndex(tree, git, false));
    }
  };

  return { take, files, submodules };
}

/**
 * Git looks again at files and folders that are not older than the index. An index written after the reading would
 * vouch for what changed in between, so it gets the time of the reading.
 */
function backdate(file: string, seconds: number): void {
  const found = look(file);
  if (found !== null && found.mtimeNs > BigInt(seconds) * 1_000_000_000n) utimesSync(file, seconds, seconds);
}

/**
 * What tells that somebody else wrote into the index, or into one of the files that split indexes share: git takes
 * their content on trust.
 */
function stampOf(tree: WorkTree, file: string): string {
  const shared = readdirSync(tree.gitDir).filter((name) => name.startsWith('sharedindex.'));
  const stamps = [file, ...shared.map((name) => join(tree.gitDir, name))].map((path) => {
    const found = look(path);
    return found === null ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  });
  return stamps.join('\n');
}

/** Whether an object lies in a file of its own, as those that were written last do. */
function isLoose(tree: WorkTree, oid: string): boolean {
  return existsSync(join(tree.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
}
