import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { indexGit, objectGit, userIndexGit } from '../call/git.ts';
import { type BytePath, foldersAbove } from '../call/git-path.ts';
import { absolute, inOwnFolder, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { setEntries } from '../read/index-content.ts';
import { GITLINK, type RawChange } from '../read/parse-diff.ts';
import { parseIndexEntries, parsePaths } from '../read/parse-status.ts';

type Entry = { readonly mode: string; readonly oid: string; readonly path: BytePath };

/**
 * Paths at which something of the user's is in the way of a change: an edit, something staged, an untracked or ignored file.
 *
 * @param changes From what the checkout holds where the user changed nothing.
 * @param withIndex Whether what is staged is the user's: with `commit = "never"` nothing of ralph's is.
 */
export async function pathsInTheWay(
  tree: WorkTree,
  changes: readonly RawChange[],
  withIndex: boolean,
): Promise<ReadonlySet<BytePath>> {
  const wanted = new Set(changes.map(({ path }) => path));
  const entries = changes
    .filter(({ status, oldMode }) => status !== 'A' && oldMode !== GITLINK)
    .map(({ path, oldMode, oldOid }): Entry => ({ path, mode: oldMode, oid: oldOid }));
  const way = new Set(await edited(tree, entries));
  const hidden = await hiddenPaths(tree);
  for (const path of hidden) way.delete(path);
  if (withIndex) {
    const listed = parseIndexEntries((await userIndexGit(tree)(['ls-files', '-v', '-s', '-z'])).stdout);
    const staged = new Map(listed.filter(({ path }) => wanted.has(path)).map((one) => [one.path, one]));
    for (const { path, status, oldMode, oldOid } of changes) {
      const one = staged.get(path);
      const isAsBefore = status === 'A' ? one === undefined : one?.mode === oldMode && one.oid === oldOid;
      if (!isAsBefore) way.add(path);
    }
  }
  const gone = new Set(changes.filter(({ status }) => status === 'D').map(({ path }) => path));
  for (const { path, status } of changes) {
    if (status === 'D' || hidden.has(path)) continue;
    const found = lstatQuietly(absolute(tree, path));
    const isNew = status === 'A';
    if (found?.isDirectory() === true ? !isAllGone(tree, path, gone) : isNew && found !== null) way.add(path);
    const above = foldersAbove(path).find((one) => {
      const at = lstatQuietly(absolute(tree, one as BytePath));
      return at !== null && !at.isDirectory() && !gone.has(one as BytePath);
    });
    if (above !== undefined) way.add(path);
  }
  return way;
}

/** Paths outside of a sparse checkout: there is no file, and none is made. */
export async function hiddenPaths(tree: WorkTree): Promise<ReadonlySet<BytePath>> {
  const listed = parseIndexEntries((await userIndexGit(tree)(['ls-files', '-v', '-s', '-z'])).stdout);
  const skipped = listed.filter(({ skipWorktree }) => skipWorktree).map(({ path }) => path);
  return new Set(skipped.filter((path) => lstatQuietly(absolute(tree, path)) === null));
}

/** Those of these files that the work tree has in another way, or hasn't: read through the repository's filters. */
async function edited(tree: WorkTree, entries: readonly Entry[]): Promise<BytePath[]> {
  if (entries.length === 0) return [];
  return inOwnFolder(tree, async (folder) => {
    const git = indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') });
    await setEntries(git, entries);
    await git(['update-index', '-q', '--refresh'], undefined, [1]);
    const { stdout } = await git(['diff-files', '--name-only', '-z', '--ignore-submodules=all']);
    return parsePaths(stdout);
  });
}

/** Whether all that is in a folder goes away with the same change. */
function isAllGone(tree: WorkTree, folder: BytePath, gone: ReadonlySet<BytePath>): boolean {
  return readdirSync(absolute(tree, folder), { withFileTypes: true, encoding: 'buffer' }).every((entry) => {
    const path = `${folder}/${entry.name.toString('latin1')}` as BytePath;
    return entry.isDirectory() ? isAllGone(tree, path, gone) : gone.has(path);
  });
}

/** Which of these files are in the work tree as a commit has them, or as it has them not. */
export async function filesAsIn(
  tree: WorkTree,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const wanted = new Set(paths);
  const listed = await objectGit(tree, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const entries = listed.stdout
    .toString('latin1')
    .split('\0')
    .flatMap((line): Entry[] => {
      const [info = '', path = ''] = line.split('\t');
      const [mode = '', , oid = ''] = info.split(' ');
      return wanted.has(path) ? [{ mode, oid, path: path as BytePath }] : [];
    });
  const differ = new Set<string>(await edited(tree, entries));
  const held = new Set<string>(entries.map(({ path }) => path));
  const isAsHeld = (path: string) =>
    held.has(path) ? !differ.has(path) : lstatQuietly(absolute(tree, path as BytePath)) === null;
  return new Set(paths.filter(isAsHeld));
}
