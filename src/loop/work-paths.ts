import { pathsOf, type Snapshot } from '../domain/change-set.ts';
import { isOutput } from '../domain/records/state.ts';
import type { LoopContext } from './context.ts';

/** Returns the paths for a task's commit, without output of tools. */
export async function workPaths(
  { ports: { work, store } }: Pick<LoopContext, 'ports'>,
  after: Snapshot,
): Promise<string[]> {
  const base = work.base();
  if (base === null) return [];
  // Snapshots of the copy lack files that are shown from the checkout, so the base is compared without them, too.
  const tree = await work.keyOf(base.tree);
  const changes = await work.git.diff({ tree, head: base.commit, branch: base.branch }, after);
  return pathsOf(changes).filter((path) => !isOutput(store.state, path));
}
