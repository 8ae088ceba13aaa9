import { mkdirSync } from 'node:fs';
import type { Snapshot } from '../../../domain/change-set.ts';
import type { TreeBrought } from '../../../domain/ports.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { privateFolder, type WorkTree } from '../call/work-tree.ts';
import { changesFromHead } from '../diff/diff.ts';
import { headRef } from '../repository/refs.ts';
import { pathsInTheWay } from './in-the-way.ts';
import { beginLanding, bringForward, readyFiles, recoverLanding } from './landing.ts';

/**
 * Makes the files of the checkout what a tree holds, as far as that differs from what they hold now. No commit is made and nothing is
 * staged. By a plan on disk: done again after a kill it ends the same.
 *
 * @param now A snapshot of the checkout.
 */
export async function bringTree(tree: WorkTree, now: Snapshot, wanted: string): Promise<TreeBrought> {
  const folder = privateFolder(tree);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await recoverLanding(tree);
  const changes = await changesFromHead(tree, now.tree, wanted);
  const way = await pathsInTheWay(tree, changes, folder, false);
  if (way.size > 0) return { kind: 'in_the_way', paths: [...way].map(printPath) };
  const ref = await headRef(tree);
  const tip = now.head ?? '';
  const files = await readyFiles(tree, wanted, changes, () => false);
  const plan = {
    ...{ id: `${process.pid}-${Date.now()}`, updates: [], ref, from: tip, to: tip },
    ...{ isHere: true, withIndex: false, files },
  };
  if (!beginLanding(tree, plan)) return { kind: 'in_the_way', paths: ['.git/index.lock'] };
  const brought = await bringForward(tree, plan, false);
  if (brought.kind === 'way') return { kind: 'in_the_way', paths: [printPath(brought.path as BytePath)] };
  return { kind: 'brought', paths: changes.map(({ path }) => printPath(path)) };
}
