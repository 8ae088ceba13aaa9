import type { KeptTree } from '../../domain/ports.ts';
import { type Holding, storeInTheWay } from './in-the-way.ts';
import { type InsideKept, keepCommit, keepContent } from './kept-checkpoint.ts';
import { planRestore, type SitePlan } from './plan-restore.ts';
import { writeTreeOver } from './raw-content.ts';
import type { Snapshots } from './snapshot.ts';
import { leftStagings, removeStaging, storeUnheld } from './staging.ts';
import type { WorkTree } from './work-tree.ts';

/**
 * Keeps the work tree as it is, and all that putting `tree` back would take away beside it.
 *
 * @throws GitError when something cannot be read or stored: then nothing may be taken away either.
 */
export async function keepForRestore(
  tree: WorkTree,
  snapshots: Snapshots,
  target: string,
  note: string,
): Promise<KeptTree> {
  await settleLeftOvers(tree, snapshots);
  const plan = await planRestore(tree, snapshots, target, () => false);
  const holding = await storeInTheWay(plan);
  const id = await keepHolding(plan, holding, note);
  return { id, snapshot: { ...plan.snapshot, tree: holding.tree } };
}

/** Gives what is stored a ref, submodules first: what a checkpoint names is there. */
export async function keepHolding(
  plan: SitePlan,
  holding: Holding,
  note: string,
  identity: string | null = null,
): Promise<string> {
  const inside: InsideKept[] = [];
  for (const [at, inner] of plan.inside.entries()) {
    const held = holding.inside[at];
    if (held === undefined) continue;
    const id = await keepHolding(inner.plan, held, note, inner.identity);
    inside.push({ gitDir: inner.plan.tree.gitDir, id });
  }
  for (const { tree, oid } of plan.gone) {
    // A repository that goes with its folder keeps nothing; its bytes are stored here.
    if (tree === null || tree.gitDir.startsWith(`${tree.top}/`)) continue;
    inside.push({ gitDir: tree.gitDir, id: await keepCommit(tree, oid) });
  }
  const parent = identity ?? plan.snapshot.head;
  return keepContent(plan.tree, { ...holding, parent, note, inside });
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
  const { own, other } = await storeUnheld(tree, folder);
  let id: string | null = null;
  if (own.size + other.size > 0) {
    const now = await snapshots.take();
    const write = (base: string | null, entries: typeof own) =>
      entries.size === 0 ? base : writeTreeOver(tree, snapshots.files.keepIndex, base, entries);
    const treeId = (await write(now.tree, own)) ?? now.tree;
    id = await keepContent(tree, {
      tree: treeId,
      raw: await write(null, other),
      parent: now.head,
      note,
      mark: '',
      inside: [],
    });
  }
  removeStaging(folder);
  return id;
}

/** Ends what a process left that was killed while it put a tree back. */
async function settleLeftOvers(tree: WorkTree, snapshots: Snapshots): Promise<void> {
  const note = 'written while a rollback ran that was ended before its end';
  for (const folder of leftStagings(tree)) await settleStaging(tree, snapshots, folder, note);
}
