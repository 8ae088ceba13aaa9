import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { indexGit, objectText } from '../call/git.ts';
import { type BytePath, foldersAbove, isWithin, pathBytes } from '../call/git-path.ts';
import { absolute, inOwnFolder, lstatOnce, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import { revision, treeOf } from '../objects/questions.ts';
import { GITLINK, type RawChange } from '../objects/tree-entries.ts';
import { usersEntries } from '../objects/users-index.ts';
import { differingPaths, setEntries } from '../read/index-content.ts';
import { usersModule } from '../submodules/objects.ts';

type Entry = { readonly mode: string; readonly oid: string; readonly path: BytePath };

/**
 * Returns paths where the user's edits, staged, untracked or ignored files block a change.
 * @param changes Relative to what the checkout has without the user's changes.
 * @param withIndex Whether staged changes count; false with `commit = "never"`, where ralph doesn't touch the index.
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
    const staged = new Map(
      (await usersEntries(tree)).filter(({ path }) => wanted.has(path)).map((one) => [one.path, one]),
    );
    for (const { path, status, oldMode, oldOid } of changes) {
      const one = staged.get(path);
      const isAsBefore = status === 'A' ? one === undefined : one?.mode === oldMode && one.oid === oldOid;
      if (!isAsBefore) way.add(path);
    }
  }
  const gone = new Set(changes.filter(({ status }) => status === 'D').map(({ path }) => path));
  const pointers = changes.filter(({ status, oldMode }) => status === 'D' && oldMode === GITLINK);
  const folderAt = lstatOnce(tree);
  for (const change of changes) {
    const { path, status, oldMode, newMode } = change;
    // A submodule's files aren't touched.
    if (oldMode === GITLINK && newMode === GITLINK) continue;
    if (status === 'D' || hidden.has(path)) continue;
    const above = foldersAbove(path);
    const found = above.some((one) => folderAt(one) === null) ? null : tryLstat(absolute(tree, path));
    const isNew = status === 'A';
    const around = pointers.find((one) => isWithin(path, one.path));
    if (found?.isDirectory() === true ? !isAllGone(tree, path, gone) : isNew && found !== null)
      if (around === undefined || !(await isAsIn(tree, change, around))) way.add(path);
    if (above.some((one) => folderAt(one)?.isDirectory() === false && !gone.has(one))) way.add(path);
  }
  return way;
}

/** Whether a file below a removed pointer equals the incoming file or the pointer's commit, so nothing is lost. */
async function isAsIn(tree: WorkTree, { path, newOid }: RawChange, pointer: RawChange): Promise<boolean> {
  const file = absolute(tree, path).toString('utf8');
  if (tryLstat(file)?.isFile() !== true) return false;
  const now = await objectText(tree, ['hash-object', '--', file], { answers: [128] });
  if (now === newOid) return true;
  const users = usersModule(absolute(tree, pointer.path).toString('utf8'));
  if (users === null) return false;
  const inner = path.slice(pointer.path.length + 1);
  const name = `${pointer.oldOid}:${pathBytes(inner as BytePath).toString('utf8')}`;
  const then = await revision({ ...tree, passing: join(users, 'objects') }, name).catch(() => null);
  return now === then;
}

/** Returns paths outside a sparse checkout: they have no file and get none. */
export async function hiddenPaths(tree: WorkTree): Promise<ReadonlySet<BytePath>> {
  const skipped = (await usersEntries(tree))
    .filter(({ skipWorktree }) => skipWorktree)
    .map(({ path }) => path);
  return new Set(skipped.filter((path) => tryLstat(absolute(tree, path)) === null));
}

async function edited(tree: WorkTree, entries: readonly Entry[]): Promise<BytePath[]> {
  if (entries.length === 0) return [];
  return inOwnFolder(tree, async (folder) => {
    const git = indexGit({ kind: 'passing-index', tree, index: join(folder, 'index') });
    await setEntries(git, entries);
    return differingPaths(git);
  });
}

function isAllGone(tree: WorkTree, folder: BytePath, gone: ReadonlySet<BytePath>): boolean {
  return readdirSync(absolute(tree, folder), { withFileTypes: true, encoding: 'buffer' }).every((entry) => {
    const path = `${folder}/${entry.name.toString('latin1')}` as BytePath;
    return entry.isDirectory() ? isAllGone(tree, path, gone) : gone.has(path);
  });
}

/** Returns the files that the work tree has exactly as a commit has them, or lacks like the commit. */
export async function filesAsIn(
  tree: WorkTree,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const wanted = new Set(paths);
  const files = await (await objectsOf(tree)).files(await treeOf(tree, commit));
  const entries = files.filter(({ path }) => wanted.has(path));
  const differ = new Set<string>(await edited(tree, entries));
  const held = new Set<string>(entries.map(({ path }) => path));
  const isAsHeld = (path: string) =>
    held.has(path) ? !differ.has(path) : tryLstat(absolute(tree, path as BytePath)) === null;
  return new Set(paths.filter(isAsHeld));
}
