import type { Snapshot } from '../../domain/change-set.ts';
import { OWN_IDENTITY } from './nested.ts';
import { objectGit, type WorkTree } from './work-tree.ts';

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
  const ref = `refs/ralph/checkpoints/${run}/${number}`;
  await objectGit(tree, ['update-ref', ref, made.stdout.toString('utf8').trim()]);
}
