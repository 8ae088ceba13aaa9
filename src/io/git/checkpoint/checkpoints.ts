import type { Snapshot } from '../../../domain/change-set.ts';
import type { CheckpointEntry, CheckpointPolicy } from '../../../domain/ports.ts';
import { commitTree, objectGit, revision } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { CHECKPOINT_REFS, KEPT_REFS, listRefs } from './checkpoint-refs.ts';
import { rawCommitIn } from './kept-checkpoint.ts';

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

/** All checkpoints of the repository, newest first; of the same second the one with the higher number. */
export async function listCheckpoints(tree: WorkTree): Promise<readonly CheckpointEntry[]> {
  const listed = await listRefs(tree, CHECKPOINT_REFS);
  return listed
    .filter((record) => record.tree !== '')
    .sort((one, other) => other.at - one.at || numberOf(other.ref) - numberOf(one.ref))
    .map(({ ref, at, tree: treeId, parents, subject, body }) => {
      const raw = rawCommitIn(body);
      return {
        id: ref.slice(CHECKPOINT_REFS.length),
        at: new Date(at).toISOString(),
        tree: treeId,
        head: parents.find((parent) => parent !== raw) ?? null,
        kept: ref.startsWith(KEPT_REFS),
        note: readable(subject),
      };
    });
}

/** Forgets a checkpoint; false when there is none of that id. */
export async function dropCheckpoint(tree: WorkTree, id: string): Promise<boolean> {
  const ref = `${CHECKPOINT_REFS}${id}`;
  const commit = await revision(tree, ref);
  const known = (await listRefs(tree, ref)).some((one) => one.ref === ref);
  if (commit === null || !known) return false;
  await objectGit(tree, ['update-ref', '-d', ref, commit]);
  return true;
}

function readable(subject: string): string {
  const [, run, number] = /^ralph checkpoint (.+)\/(\d+)$/.exec(subject) ?? [];
  return run === undefined ? subject : `before iteration ${number} of run ${run}`;
}

function numberOf(ref: string): number {
  return Number(ref.slice(ref.lastIndexOf('/') + 1)) || 0;
}
