import type { Snapshot } from '../../domain/change-set.ts';
import type { CheckpointPolicy } from '../../domain/ports.ts';
import { OWN_IDENTITY } from './nested.ts';
import { objectGit, type WorkTree } from './work-tree.ts';

/** Where the refs of all checkpoints are, and of those that only a person drops. */
export const CHECKPOINT_REFS = 'refs/ralph/checkpoints/';
export const KEPT_REFS = `${CHECKPOINT_REFS}kept/`;

/**
 * Keeps a snapshot under `refs/ralph/checkpoints/RUN/N`: a commit of its tree whose parent is the HEAD of that
 * moment, so that `git gc` keeps both. Not signed, and nobody's identity but ralph's.
 */
export async function keepCheckpoint(
  tree: WorkTree,
  run: string,
  number: number,
  snapshot: Snapshot,
): Promise<void> {
  const parents = snapshot.head === null ? [] : ['-p', snapshot.head];
  const made = await objectGit(tree, ['commit-tree', snapshot.tree, ...parents, '-F', '-'], {
    env: OWN_IDENTITY,
    input: `ralph checkpoint ${run}/${number}\n`,
  });
  const ref = `${CHECKPOINT_REFS}${run}/${number}`;
  await objectGit(tree, ['update-ref', ref, made.stdout.toString('utf8').trim()]);
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
 * rollback replaced stays, however old it is, and does not count.
 */
export async function pruneCheckpoints(tree: WorkTree, policy: CheckpointPolicy, now: number): Promise<void> {
  const format = '--format=%(committerdate:unix) %(refname)';
  const listed = await objectGit(tree, ['for-each-ref', format, CHECKPOINT_REFS]);
  const checkpoints = listed.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.includes(` ${KEPT_REFS}`))
    .map((line) => ({ at: Number(line.split(' ', 1)[0]) * 1000, ref: line.slice(line.indexOf(' ') + 1) }));
  const input = outdated(checkpoints, policy, now)
    .map((ref) => `delete ${ref}\n`)
    .join('');
  if (input !== '') await objectGit(tree, ['update-ref', '--stdin'], { input });
}
