import { GitError, type KeptTree, type RestoreOutcome } from '../../../domain/ports.ts';
import { objectGit } from '../call/git.ts';
import { printPath } from '../call/git-path.ts';
import { keepContent } from '../checkpoints.ts';
import { stampOf } from '../repository/work-tree.ts';
import type { Snapshots } from '../snapshot/snapshot.ts';
import { FileTooLarge } from '../snapshot/snapshot-settings.ts';
import { type Holding, storeInTheWay } from './in-the-way.ts';
import { checkOut, perform } from './perform-restore.ts';
import { planRestore, type RestorePlan, touchedPaths } from './plan-restore.ts';
import { writeTreeOver } from './raw-content.ts';
import { leftStagings, openStaging, removeStaging, storeUnheld } from './staging.ts';

/** How often it starts again when a program keeps writing into the work tree. */
const ROUNDS = 4;

/**
 * Keeps the work tree as it is, and all that putting `tree` back would take away beside it.
 *
 * @throws GitError when something can't be read or stored, or `tree` can't be put back: then nothing may be taken
 * away either.
 */
export async function keepForRestore(snapshots: Snapshots, target: string, note: string): Promise<KeptTree> {
  // What a process left that was killed while it put a tree back.
  const left = 'written while a rollback ran that was ended before its end';
  for (const folder of leftStagings(snapshots.tree)) await settleStaging(snapshots, folder, left);
  const plan = await planRestore(snapshots, target, () => false);
  const holding = await storeInTheWay(plan, snapshots.files.passingIndex);
  const id = await keepHolding(plan, holding, note);
  return { id, snapshot: { ...plan.snapshot, tree: holding.tree }, raw: holding.raw };
}

/** Makes the work tree what a tree holds. @see Git.restore */
export async function restore(snapshots: Snapshots, target: string, kept: KeptTree): Promise<RestoreOutcome> {
  try {
    const isTree = await objectGit(snapshots.tree, ['cat-file', '-e', `${target}^{tree}`], {
      answers: [1, 128],
    });
    if (isTree.code !== 0) {
      const reason = `The repository doesn't hold the tree ${target} any more. Run: ralph checkpoints list`;
      return { kind: 'failed', reason };
    }
    return await putBack(snapshots, target, kept);
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    if (errno === undefined && !(error instanceof GitError) && !(error instanceof FileTooLarge)) throw error;
    const reason = `The work tree was not put back, or only a part of it (${message}). What it held is kept in ${kept.id}. Fix that, then roll back again: it finishes what was begun.`;
    return { kind: 'failed', reason };
  }
}

async function putBack(snapshots: Snapshots, target: string, kept: KeptTree): Promise<RestoreOutcome> {
  const placed = new Map<string, string>();
  const isPlaced = (file: Buffer) => placed.get(file.toString('latin1')) === stampOf(file);
  const onPlaced = (file: Buffer) => placed.set(file.toString('latin1'), stampOf(file));
  const paths = new Set<string>();
  let alsoKept: string | null = null;
  const note = `came up while a tree was put back, beside ${kept.id}`;
  for (let round = 1; ; round += 1) {
    const plan = await planRestore(snapshots, target, isPlaced);
    const open = touchedPaths(plan).map(printPath);
    if (open.length === 0) {
      return { kind: 'restored', snapshot: plan.snapshot, paths: [...paths].sort(), alsoKept };
    }
    if (round > ROUNDS) {
      const reason = `A program keeps writing ${open.slice(0, 5).join(', ')} while it is put back. End it, then roll back again. What it wrote is kept in ${alsoKept ?? kept.id}.`;
      return { kind: 'failed', reason };
    }
    const holding = await storeInTheWay(plan, snapshots.files.passingIndex);
    const isKept = round === 1 && holding.tree === kept.snapshot.tree && holding.raw === kept.raw;
    if (!isKept) alsoKept = await keepHolding(plan, holding, note);
    for (const path of open) paths.add(path);
    const staging = openStaging(plan.tree, holding.oids);
    try {
      perform(plan, await checkOut(plan, staging.folder), staging.aside, onPlaced);
    } finally {
      alsoKept = (await settleStaging(snapshots, staging.folder, note)) ?? alsoKept;
    }
  }
}

/** Gives what is stored a ref; its id. */
function keepHolding({ tree, snapshot }: RestorePlan, holding: Holding, note: string): Promise<string> {
  return keepContent(tree, { ...holding, head: snapshot.head, note });
}

/**
 * Puts what was taken away and is held nowhere into a checkpoint over the work tree as it is now, then removes the
 * folder it lay in. `null` when every byte was held.
 */
async function settleStaging(snapshots: Snapshots, folder: string, note: string): Promise<string | null> {
  const { tree, files } = snapshots;
  const unheld = await storeUnheld(tree, folder);
  let id: string | null = null;
  if (unheld.size > 0) {
    const now = await snapshots.take();
    const kept = await writeTreeOver(tree, files.passingIndex, now.tree, unheld);
    id = await keepContent(tree, { tree: kept, head: now.head, raw: null, note });
  }
  removeStaging(folder);
  return id;
}
