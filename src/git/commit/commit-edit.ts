import { isUtf8 } from 'node:buffer';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HeadEdit } from '../../domain/ports.ts';
import { objectGit } from '../call/git.ts';
import { parsePath } from '../call/git-path.ts';
import { changeUserIndex, isIndexLocked } from '../call/index-lock.ts';
import { privateFolder, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { objectsOf } from '../objects/door.ts';
import type { IndexEntry } from '../objects/index-file.ts';
import { makeCommit, makeSignedCommit, signingLimit } from '../objects/make-commit.ts';
import type { Objects } from '../objects/objects.ts';
import { editedTree, editsOf, revision, treeOf } from '../objects/questions.ts';
import type { RawChange } from '../objects/tree-entries.ts';
import { usersEntries } from '../objects/users-index.ts';
import { readEntries, setChanged } from '../read/index-content.ts';
import { operationInProgress } from '../repository/find-work-tree.ts';
import { checkedOutIn } from '../repository/refs.ts';

/**
 * Commits edits on top of a branch without other changes of work tree or index. Does nothing while git is busy or an
 * operation is in progress.
 * @param target Full name of a branch that isn't checked out; `null`: the checked-out one.
 * @returns The commit, or `null` when nothing was committed.
 */
export async function commitEdits(
  tree: WorkTree,
  target: string | null,
  edits: readonly HeadEdit[],
  message: string,
): Promise<string | null> {
  const isBusy = operationInProgress(tree.gitDir) !== null || isIndexLocked(tree);
  if (isBusy || (target !== null && (await checkedOutIn(tree, target)) !== null)) return null;
  const head = await revision(tree, target ?? 'HEAD');
  if (head === null) return null;
  const made = (await Promise.all(edits.map((edit) => editHead(tree, head, edit)))).filter(
    (one) => one !== null,
  );
  if (made.length === 0) return null;
  const treeId = await editedTree(tree, head, editsOf(made.map(({ change }) => change)));
  const limitMs = await signingLimit(tree);
  const commit =
    limitMs === null
      ? await makeCommit(tree, treeId, [head], message, { who: 'user' })
      : await makeSignedCommit(tree, treeId, [head], message, { limitMs });
  if (target === null) notePending(tree, head);
  await objectGit(tree, ['update-ref', '-m', message, target ?? 'HEAD', commit, head]);
  const staged = made.flatMap((one) => one.staged ?? []);
  // The index is updated later when git is using it.
  const isDone =
    target !== null || staged.length === 0 || (await changeUserIndex(tree, (git) => setChanged(git, staged)));
  if (target === null && isDone) clearPending(tree);
  return commit;
}

/** Edits a file in HEAD and staged (`null`: unchanged); `null` when HEAD lacks it or nothing changes. */
async function editHead(tree: WorkTree, head: string, wanted: HeadEdit) {
  const path = parsePath(wanted.path);
  const objects = await objectsOf(tree);
  const found = await objects.entryAt(await treeOf(tree, head), path);
  if (found === null || !found.mode.startsWith('100')) return null;
  const { mode: oldMode, oid: oldOid } = found;
  const newOid = await edited(objects, oldOid, wanted);
  if (newOid === null) return null;
  const change: RawChange = {
    status: 'M',
    path,
    oldPath: null,
    oldMode,
    newMode: oldMode,
    oldOid,
    newOid,
  };
  const entries = (await usersEntries(tree)).filter((one) => one.path === path);
  const [entry] = entries;
  const isStaged = entry !== undefined && entry.oid !== oldOid;
  const stagedOid = isStaged ? await edited(objects, entry.oid, wanted) : newOid;
  const isKept = entry === undefined || entries.length > 1 || stagedOid === null;
  const staged = isKept ? null : { ...change, newMode: entry.mode, newOid: stagedOid };
  return { change, staged };
}

/** Returns the edited object's id; `null` when there is nothing to edit. */
async function edited(objects: Objects, oid: string, { edit }: HeadEdit): Promise<string | null> {
  const content = (await objects.read(oid))?.content;
  if (content === undefined || !isUtf8(content)) return null;
  const text = content.toString('utf8');
  const now = await edit(text);
  if (now === null || now === text) return null;
  return objects.write('blob', Buffer.from(now));
}

/** HEAD before a commit, kept until the user's index was updated; `none` before the first commit. */
const fileOf = (tree: WorkTree) => join(privateFolder(tree), 'commit-pending');
const NONE = 'none';

export function notePending(tree: WorkTree, head: string | null): void {
  writeFileSync(fileOf(tree), head ?? NONE);
}

export function clearPending(tree: WorkTree): void {
  rmSync(fileOf(tree), { force: true });
}

/**
 * Updates the user's index after a killed ralph made a commit; otherwise committed files would look like staged
 * changes. Only entries unchanged since then are updated; nothing when HEAD moved on or git is using the index.
 */
export async function finishPending(tree: WorkTree): Promise<void> {
  let before: string;
  try {
    before = readFileSync(fileOf(tree), 'utf8').trim();
  } catch {
    return;
  }
  const now = await revision(tree, 'HEAD');
  const parent = await revision(tree, 'HEAD^');
  if (now !== null && now !== before && (parent ?? NONE) === before) {
    const made = await changesFromHead(tree, before === NONE ? null : before, now);
    const follows = await changeUserIndex(tree, async (git) => {
      const entries = new Map((await readEntries(git)).map((entry) => [entry.path, entry]));
      const behind = made.filter((change) => isAsBefore(change, entries.get(change.path)));
      await setChanged(git, behind);
    });
    if (!follows) return;
  }
  clearPending(tree);
}

function isAsBefore(change: RawChange, entry: IndexEntry | undefined): boolean {
  if (change.status === 'A') return entry === undefined;
  return entry?.oid === change.oldOid && entry.mode === change.oldMode;
}
