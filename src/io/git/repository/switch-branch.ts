import { type Git, GitError } from '../../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { objectGit } from '../call/git.ts';
import { runGit } from '../call/run-git.ts';
import { withHooks } from '../view/boxed-hooks.ts';
import { changedHook } from '../view/changed-hook.ts';
import { hookReason } from '../view/hooks.ts';
import type { WorkTree } from './work-tree.ts';

/**
 * Makes a branch at HEAD, or switches to the one of that name; git refuses where local changes would be lost. Hooks of
 * the user may run, so it isn't one of the questions in `porcelain.ts`.
 */
export async function switchTo(tree: WorkTree, name: string): ReturnType<Git['switchBranch']> {
  const question = (args: readonly string[]) => objectGit(tree, args, { answers: [1] });
  const changed = changedHook(tree);
  if (changed !== null)
    return { ok: false, reason: `The branch "${name}" was not checked out: ${hookReason(changed)}` };
  try {
    const valid = await question(['check-ref-format', `refs/heads/${name}`]);
    if (valid.code !== 0 || name.startsWith('-')) {
      return { ok: false, reason: `"${name}" isn't a name for a branch. Change branch names in [git].` };
    }
    const exists = await question(['show-ref', '--verify', '--quiet', `refs/heads/${name}`]);
    const args = ['switch', '--no-guess', ...(exists.code === 0 ? [] : ['-c']), name];
    await withHooks(tree, (hooks) => runGit(gitCall({ kind: 'user', tree, hooks }, { LC_ALL: 'C' }), args));
    return { ok: true };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { ok: false, reason: `The branch "${name}" was not checked out. ${error.message}` };
  }
}
