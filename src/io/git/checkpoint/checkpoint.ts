import type { Snapshot } from '../../../domain/change-set.ts';
import type { CheckpointPolicy } from '../../../domain/ports.ts';
import { commitTree, objectGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { CHECKPOINT_REFS, KEPT_REFS, listRefs } from './checkpoint-refs.ts';

/**
 * Keeps a snapshot under `refs/ralph/checkpoints/RUN/N`: a commit of its tree whose parent is the HEAD of that
 * moment, so that `git gc` keeps both.
 */
export async function keepCheckpoint(
  tree: WorkTree,
  run: string,
  number: number,
  snapshot: Snapshot,
): Promise<void> {
  const parents = snapshot.head === null ? [] : [snapshot.head];
  const commit = await commitTree(tree, snapshot.tree, parents, `ralph checkpoint ${run}/${number}\n`);
  await objectGit(tree, ['update-ref', `${CHECKPOINT_REFS}${run}/${number}`, commit]);
}

/** Which checkpoints go: those that are neither young nor among the newest. Times in milliseconds since 1970. */
export function outdated(
  checkpoints: readonly { readonly ref: string; readonly at: number }[],
  policy: CheckpointPolicy,
  now: number,
): string[] {
  const since = now - policy.retentionMinutes * 60_000;
  return checkpoints
    .toSorted((one, other) => other.at - one.at)
    .filter(({ at }, index) => index >= policy.keep && at < since)
    .map(({ ref }) => ref);
}

/**
 * Removes the refs of checkpoints that are no longer kept; their objects go with git's own housekeeping. What a
 * rollback replaced stays, however old it is, and doesn't count.
 */
export async function pruneCheckpoints(tree: WorkTree, policy: CheckpointPolicy, now: number): Promise<void> {
  const pruned = (await listRefs(tree, CHECKPOINT_REFS)).filter(({ ref }) => !ref.startsWith(KEPT_REFS));
  const input = outdated(pruned, policy, now)
    .map((ref) => `delete ${ref}\n`)
    .join('');
  if (input !== '') await objectGit(tree, ['update-ref', '--stdin'], { input });
}
