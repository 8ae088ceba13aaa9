import { pathsOf, type Snapshot } from '../domain/change-set.ts';
import { isOutput } from '../domain/records/state.ts';
import type { LoopContext } from './context.ts';

/** What a task's attempts changed in the copy since its base, without what tools made: paths of its commit. */
export async function workPaths(
  { ports: { work, store } }: Pick<LoopContext, 'ports'>,
  after: Snapshot,
): Promise<string[]> {
  const base = work.base();
  if (base === null) return [];
  // What is shown from the checkout is in no snapshot of the copy.
  const tree = await work.keyOf(base.tree);
  const changes = await work.git.diff({ tree, head: base.commit, branch: base.branch }, after);
  return pathsOf(changes).filter((path) => !isOutput(store.state, path));
}
