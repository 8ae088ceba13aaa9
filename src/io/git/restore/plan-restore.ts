import type { Snapshot } from '../../../domain/change-set.ts';
import { RestoreRefused } from '../../../domain/ports.ts';
import { shellQuote } from '../../../lib/shell-quote.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { changesFromHead } from '../diff/diff.ts';
import { GITLINK, isGitlink, type RawChange } from '../diff/parse-diff.ts';
import { absolute, dotGitOf, isOwn, type WorkTree } from '../repository/work-tree.ts';
import type { Snapshots } from '../snapshot/snapshot.ts';
import { lookInside } from './raw-content.ts';

/** What has to happen in a work tree so that it holds a tree. */
export type RestorePlan = {
  readonly tree: WorkTree;
  /** What the work tree holds now. */
  readonly snapshot: Snapshot;
  /** The tree that is put back. */
  readonly target: string;
  /** Files and symlinks that go. */
  readonly remove: readonly BytePath[];
  /** Files and symlinks that come. */
  readonly write: readonly BytePath[];
  /** Old content of what changes, by path. */
  readonly old: ReadonlyMap<BytePath, string>;
};

/**
 * Compares a work tree with a tree.
 *
 * @param isPlaced What was put at this place a moment ago and is untouched: it is right although a snapshot may name
 * it otherwise (an ignored file, line endings that git would store in another way).
 * @throws RestoreRefused when the tree can't be put back: a submodule differs.
 */
export async function planRestore(
  { tree, take }: Snapshots,
  target: string,
  isPlaced: (file: Buffer) => boolean,
): Promise<RestorePlan> {
  const snapshot = await take();
  const changes = await changesFromHead(tree, snapshot.tree, target);
  const remove: BytePath[] = [];
  const write: BytePath[] = [];
  const old = new Map<BytePath, string>();
  for (const change of changes) {
    const { path, status, oldOid } = change;
    if (isOwn(tree, path)) continue;
    if (isGitlink(change)) throw submoduleDiffers(tree, change);
    if (status !== 'A') old.set(path, oldOid);
    const found = lookInside(tree, path);
    if (status === 'D' && found !== null && !found.isDirectory()) remove.push(path);
    if (status !== 'D' && !(found !== null && isPlaced(absolute(tree, path)))) write.push(path);
  }
  return { tree, snapshot, target, remove, write, old };
}

/** What a plan changes, relative to the top of the work tree; empty when nothing is left to do. */
export function touchedPaths({ remove, write }: RestorePlan): BytePath[] {
  return [...remove, ...write];
}

function submoduleDiffers(tree: WorkTree, { path, newMode, newOid }: RawChange): RestoreRefused {
  const name = printPath(path);
  const wanted =
    newMode !== GITLINK
      ? "wasn't there"
      : dotGitOf(tree, path) === null
        ? `was at ${newOid} (git submodule update --init ${shellQuote(name)})`
        : `was at ${newOid} (git -C ${shellQuote(name)} diff --stat ${newOid})`;
  return new RestoreRefused(
    `The submodule ${name} changed since this checkpoint, and a rollback doesn't restore submodules: it ${wanted}. Put it back by hand, then roll back again.`,
  );
}
