import type { CheckpointEntry } from '../../../domain/ports.ts';
import { objectGit, revision } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { CHECKPOINT_REFS, KEPT_REFS, listRefs } from './checkpoint-refs.ts';
import { parseKeptBody } from './kept-checkpoint.ts';

/** All checkpoints of the repository, newest first; of the same second the one with the higher number. */
export async function listCheckpoints(tree: WorkTree): Promise<readonly CheckpointEntry[]> {
  const listed = await listRefs(tree, CHECKPOINT_REFS);
  return listed
    .filter((record) => record.tree !== '')
    .sort((one, other) => other.at - one.at || numberOf(other.ref) - numberOf(one.ref))
    .map(({ ref, at, tree: treeId, parents, subject, body }) => {
      const { raw } = parseKeptBody(body);
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

/** The mark of a kept checkpoint; empty when there is none of that id. */
export async function markOf(tree: WorkTree, id: string): Promise<string> {
  const [record] = await listRefs(tree, `${CHECKPOINT_REFS}${id}`);
  return record === undefined ? '' : parseKeptBody(record.body).mark;
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
