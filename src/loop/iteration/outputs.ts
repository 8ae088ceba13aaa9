import type { Snapshot } from '../../domain/change-set.ts';
import { isOutput, OUTPUTS_KEPT } from '../../domain/records/state.ts';
import { toolOutputsIn } from '../../ecosystems/index.ts';
import { isAtOrBelow } from '../../lib/paths.ts';
import type { LoopContext } from '../context.ts';

type Place = Pick<LoopContext, 'ports'>;

/**
 * Remembers what gates made where there was nothing, but for what stands in the place of somebody's work.
 *
 * @param works Paths that the attempt changed.
 */
export function rememberOutputs(
  { ports: { store } }: Place,
  made: readonly string[],
  works: readonly string[],
): void {
  const paths = made
    .filter((path) => !isOutput(store.state, path) && !works.some((work) => isAtOrBelow(work, path)))
    .slice(0, OUTPUTS_KEPT);
  if (paths.length > 0) store.commit(() => [{ type: 'outputs_seen', paths, by: 'gates' }]);
}

/** Remembers the folders and files among these paths that tools write and of which no commit holds anything. */
export async function rememberToolOutputs(
  { ports: { git, store } }: Place,
  { head }: Snapshot,
  paths: readonly string[],
): Promise<void> {
  const outputs = toolOutputsIn(paths).filter((output) => !isOutput(store.state, output));
  if (outputs.length === 0) return;
  const facts = head === null ? [] : await git.fileFacts({ tree: head, head, branch: null }, outputs);
  const held = new Set(facts.filter(({ exists }) => exists).map(({ path }) => path));
  const seen = outputs.filter((output) => !held.has(output));
  if (seen.length === 0) return;
  store.commit(() => [{ type: 'outputs_seen', paths: seen, by: 'agent' }]);
}
