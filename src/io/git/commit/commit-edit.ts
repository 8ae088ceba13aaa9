import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import type { HeadEdit } from '../../../domain/ports.ts';
import { commitOnBehalf, objectGit, objectText, revision, signingLimit, userIndexGit } from '../call/git.ts';
import { parsePath } from '../call/git-path.ts';
import { changeUserIndex, isIndexLocked } from '../call/index-lock.ts';
import { inOwnFolder, type WorkTree } from '../call/work-tree.ts';
import { setChanged } from '../read/index-content.ts';
import type { RawChange } from '../read/parse-diff.ts';
import { parseIndexEntries } from '../read/parse-status.ts';
import { operationInProgress } from '../repository/find-work-tree.ts';
import { checkedOutIn } from '../repository/refs.ts';
import { clearPending, notePending } from '../snapshot/pending-commit.ts';
import { changedTree } from '../trees/changed-tree.ts';

/**
 * Commits edits of files on top of a branch, and nothing else that the work tree or the index has of them. Where git is at work, or
 * an operation is in progress, nothing is done.
 *
 * @param target Full name of a branch that is checked out nowhere; `null`: what is checked out here.
 * @returns the commit; `null`: there was nothing to do, or it wasn't the time for it.
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
  return inOwnFolder(tree, async (folder) => {
    const treeId = await changedTree(tree, join(folder, 'index'), head, (git) =>
      setChanged(
        git,
        made.map(({ change }) => change),
      ),
    );
    const commit = await commitOnBehalf(tree, treeId, [head], message, {}, await signingLimit(tree));
    if (target === null) notePending(tree, head);
    await objectGit(tree, ['update-ref', '-m', message, target ?? 'HEAD', commit, head]);
    const staged = made.flatMap((one) => one.staged ?? []);
    // Where git is at work on the index, it follows later.
    const isDone =
      target !== null ||
      staged.length === 0 ||
      (await changeUserIndex(tree, (git) => setChanged(git, staged)));
    if (target === null && isDone) clearPending(tree);
    return commit;
  });
}

/**
 * An edit of a file as HEAD has it, whatever else the work tree has of it, and the same of what the user has staged (`null`: that
 * stays as it is); `null` where HEAD doesn't hold the file, or the edit changes nothing there.
 */
async function editHead(tree: WorkTree, head: string, wanted: HeadEdit) {
  const path = parsePath(wanted.path);
  const listed = await objectGit(tree, ['ls-tree', '-z', head, '--', wanted.path]);
  const [, oldMode = '', oldOid = ''] =
    /^(100\d{3}) blob ([0-9a-f]+)\t/.exec(listed.stdout.toString('latin1')) ?? [];
  const newOid = oldOid === '' ? null : await edited(tree, oldOid, wanted);
  if (newOid === null) return null;
  const change: RawChange = {
    ...{ status: 'M', path, oldPath: null, oldMode, newMode: oldMode, oldOid, newOid },
  };
  const listing = await userIndexGit(tree)(['ls-files', '-v', '-s', '-z', '--', wanted.path]);
  const entries = parseIndexEntries(listing.stdout);
  const [entry] = entries;
  const isStaged = entry !== undefined && entry.oid !== oldOid;
  const stagedOid = isStaged ? await edited(tree, entry.oid, wanted) : newOid;
  const isKept = entry === undefined || entries.length > 1 || stagedOid === null;
  const staged = isKept ? null : { ...change, newMode: entry.mode, newOid: stagedOid };
  return { change, staged };
}

/** The object with the edit; `null` where there is nothing to edit. */
async function edited(tree: WorkTree, oid: string, { edit }: HeadEdit): Promise<string | null> {
  const { stdout } = await objectGit(tree, ['cat-file', 'blob', oid]);
  if (!isUtf8(stdout)) return null;
  const text = stdout.toString('utf8');
  const now = await edit(text);
  if (now === null || now === text) return null;
  return objectText(tree, ['hash-object', '-w', '--no-filters', '--stdin'], { input: now });
}
