import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HeadEdit } from '../../../domain/ports.ts';
import { commitOnBehalf, objectGit, revision, signingLimit, userIndexGit } from '../call/git.ts';
import { ownFolderIn, privateFolder, type WorkTree } from '../call/work-tree.ts';
import { setChanged } from '../read/index-state.ts';
import { operationInProgress } from '../repository/operations.ts';
import { clearPending, notePending } from '../snapshot/pending-commit.ts';
import { changedTree } from '../trees/changed-tree.ts';
import { editHead } from './edited-file.ts';

/**
 * Commits an edit of one file on top of a branch, and nothing else that the work tree or the index has of it. Where git is at work, or
 * an operation is in progress, nothing is done.
 *
 * @param target Full name of the branch; `null`: what is checked out.
 * @returns the commit; `null`: there was nothing to do, or it wasn't the time for it.
 */
export async function commitEdit(
  tree: WorkTree,
  target: string | null,
  edit: HeadEdit,
  message: string,
): Promise<string | null> {
  const isBusy = operationInProgress(tree.gitDir) !== null || existsSync(join(tree.gitDir, 'index.lock'));
  if (isBusy) return null;
  const head = await revision(tree, target ?? 'HEAD');
  const edited = await editHead(tree, head, edit);
  if (head === null || edited === null) return null;
  const folder = ownFolderIn(privateFolder(tree), 'snapshot');
  try {
    const made = await changedTree(tree, join(folder, 'index'), head, (git) =>
      setChanged(git, [edited.change]),
    );
    const commit = await commitOnBehalf(tree, made, [head], message, {}, await signingLimit(tree));
    if (target === null) notePending(tree, head);
    await objectGit(tree, ['update-ref', '-m', message, target ?? 'HEAD', commit, head]);
    if (target === null && edited.staged !== null) await setChanged(userIndexGit(tree), [edited.staged]);
    if (target === null) clearPending(tree);
    return commit;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
