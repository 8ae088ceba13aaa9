import { GitError, type PushOutcome } from '../../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { objectText, revision } from '../call/git.ts';
import { runGit } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { changedHook } from '../view/changed-hook.ts';
import { withHooks } from '../view/hooks.ts';

/** Where a branch is pushed to, by the settings as they were when the run began; `null`: nowhere. */
export async function pushTarget(
  tree: WorkTree,
  name: string | null,
): Promise<{ readonly remote: string; readonly branch: string } | null> {
  const branch = name ?? (await answer(tree, ['symbolic-ref', '--quiet', '--short', 'HEAD']));
  if (branch === null || (await revision(tree, `refs/heads/${branch}`)) === null) return null;
  const remotes = (await answer(tree, ['remote']))?.split('\n') ?? [];
  const named = [
    await answer(tree, ['config', `branch.${branch}.pushRemote`]),
    await answer(tree, ['config', 'remote.pushDefault']),
    await answer(tree, ['config', `branch.${branch}.remote`]),
    'origin',
    remotes.length === 1 ? (remotes[0] ?? null) : null,
  ];
  const remote = named.find((one) => one !== null && remotes.includes(one)) ?? null;
  return remote === null ? null : { remote, branch };
}

async function answer(tree: WorkTree, args: readonly string[]): Promise<string | null> {
  return (await objectText(tree, args, { answers: [1, 128] })) || null;
}

/** Pushes a branch as `git push REMOTE BRANCH` does: never forced, nothing beside it, with your hooks. */
export async function pushBranch(tree: WorkTree, name: string | null): Promise<PushOutcome> {
  const changed = changedHook(tree);
  if (changed !== null) {
    const reason = `${JSON.stringify(changed)} has changed since ralph started, and your git hooks would run it. Check it with git diff, then commit yourself.`;
    return { kind: 'failed', reason };
  }
  const target = await pushTarget(tree, name);
  if (target === null) return { kind: 'failed', reason: 'there is no branch, or no remote to push it to.' };
  const { remote, branch } = target;
  const ref = `refs/heads/${branch}`;
  const plain = ['--no-force', '--no-mirror', '--no-follow-tags', '--recurse-submodules=no'];
  try {
    await withHooks(tree, (hooks) =>
      runGit(gitCall({ kind: 'user', tree, hooks }, { LC_ALL: 'C' }), [
        ...['push', '--quiet', ...plain, '--', remote],
        `${ref}:${ref}`,
      ]),
    );
    return { kind: 'pushed', ...target };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: 'failed', reason: error.message.trim() };
  }
}
