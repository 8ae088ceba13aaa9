import type { KeptTree } from '../../../domain/ports.ts';
import { keepContent } from '../checkpoint/kept-checkpoint.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import type { Snapshots } from '../snapshot/snapshot.ts';
import { type Holding, storeInTheWay } from './in-the-way.ts';
import { planRestore, type RestorePlan } from './plan-restore.ts';
import { writeTreeOver } from './raw-content.ts';
import { leftStagings, removeStaging, storeUnheld } from './staging.ts';

/**
 * Keeps the work tree as it is, and all that putting `tree` back would take away beside it.
 *
 * @throws GitError when something can't be read or stored, or `tree` can't be put back: then nothing may be taken
 * away either.
 */
export async function keepForRestore(
  tree: WorkTree,
  snapshots: Snapshots,
  target: string,
  note: string,
): Promise<KeptTree> {
  // What a process left that was killed while it put a tree back.
  for (const folder of leftStagings(tree))
    await settleStaging(
      tree,
      snapshots,
      folder,
      'written while a rollback ran that was ended before its end',
    );
  const plan = await planRestore(tree, snapshots, target, () => false);
  const holding = await storeInTheWay(plan, snapshots.files.passingIndex);
  const id = await keepHolding(plan, holding, note);
  return { id, snapshot: { ...plan.snapshot, tree: holding.tree }, raw: holding.raw };
}

/** Gives what is stored a ref; its id. */
export function keepHolding(
  { tree, snapshot }: RestorePlan,
  holding: Holding,
  note: string,
): Promise<string> {
  return keepContent(tree, { ...holding, head: snapshot.head, note });
}

/**
 * Puts what was taken away and is held nowhere into a checkpoint over the work tree as it is now, then removes the
 * folder it lay in. `null` when every byte was held.
 */
export async function settleStaging(
  tree: WorkTree,
  snapshots: Snapshots,
  folder: string,
  note: string,
): Promise<string | null> {
  const unheld = await storeUnheld(tree, folder);
  let id: string | null = null;
  if (unheld.size > 0) {
    const now = await snapshots.take();
    const kept = await writeTreeOver(tree, snapshots.files.passingIndex, now.tree, unheld);
    id = await keepContent(tree, { tree: kept, head: now.head, raw: null, note });
  }
  removeStaging(folder);
  return id;
}
