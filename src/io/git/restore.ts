import type { KeptTree, RestoreOutcome } from '../../domain/ports.ts';
import { printPath } from './git-path.ts';
import { storeInTheWay } from './in-the-way.ts';
import { keepHolding, settleStaging } from './keep-for-restore.ts';
import { markOf } from './list-checkpoints.ts';
import { perform, prepare } from './perform-restore.ts';
import { isIdle, planRestore, type SitePlan, touchedPaths } from './plan-restore.ts';
import { GitError } from './run-git.ts';
import type { Snapshots } from './snapshot.ts';
import { FileTooLarge } from './snapshot-settings.ts';
import { openStaging } from './staging.ts';
import { look, objectGit, type WorkTree } from './work-tree.ts';

/** Somebody who goes on writing into the work tree is waited for so often. */
const ROUNDS = 4;

/** Makes the work tree what a tree holds. @see Git.restore */
export async function restore(
  tree: WorkTree,
  snapshots: Snapshots,
  target: string,
  kept: KeptTree,
): Promise<RestoreOutcome> {
  try {
    const isTree = await objectGit(tree, ['cat-file', '-e', `${target}^{tree}`], { answers: [1, 128] });
    if (isTree.code !== 0) {
      const reason = `The repository does not hold the tree ${target} any more. Run: ralph checkpoints list`;
      return { kind: 'failed', reason };
    }
    return await putBack(tree, snapshots, target, kept);
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    if (errno === undefined && !(error instanceof GitError) && !(error instanceof FileTooLarge)) throw error;
    const reason = `The work tree was not put back, or only a part of it (${message}). What it held is kept in ${kept.id}. Mend that, then do it once more: what was begun is ended then.`;
    return { kind: 'failed', reason };
  }
}

async function putBack(
  tree: WorkTree,
  snapshots: Snapshots,
  target: string,
  kept: KeptTree,
): Promise<RestoreOutcome> {
  const placed = new Map<string, string>();
  const isPlaced = (file: Buffer) => placed.get(file.toString('latin1')) === stampOf(file);
  const onPlaced = (file: Buffer) => placed.set(file.toString('latin1'), stampOf(file));
  const paths = new Set<string>();
  let held = await markOf(tree, kept.id);
  let alsoKept: string | null = null;
  const note = `came up while a tree was put back, beside ${kept.id}`;
  for (let round = 1; ; round += 1) {
    const plan: SitePlan = await planRestore(tree, snapshots, target, isPlaced);
    if (isIdle(plan)) {
      return { kind: 'restored', snapshot: plan.snapshot, paths: [...paths].sort(), alsoKept };
    }
    const open = touchedPaths(plan).map(printPath);
    if (round > ROUNDS) {
      const reason = `Something goes on writing ${open.slice(0, 5).join(', ')} while it is put back. End that program, then do it once more. What it wrote is kept in ${alsoKept ?? kept.id}.`;
      return { kind: 'failed', reason };
    }
    const holding = await storeInTheWay(plan);
    if (holding.mark !== held) alsoKept = await keepHolding(plan, holding, note);
    held = '';
    for (const path of open) paths.add(path);
    const staging = openStaging(tree, holding.oids);
    try {
      perform(await prepare(plan, staging.folder), staging, onPlaced);
    } finally {
      alsoKept = (await settleStaging(tree, snapshots, staging.folder, note)) ?? alsoKept;
    }
  }
}

/** Tells whether a file is still the one that was put there. */
function stampOf(file: Buffer): string {
  const found = look(file);
  return found === null ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}
