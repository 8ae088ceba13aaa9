import { toolOutputsIn } from 'ralph-ecosystems';
import { isAtOrBelow } from 'ralph-kit/paths';
import type { Snapshot } from '../domain/change-set.ts';
import { isOutput, OUTPUTS_KEPT } from '../domain/records/state.ts';
import type { LoopContext } from './context.ts';

type Place = Pick<LoopContext, 'ports'>;

/** Records paths that gates wrote. Paths at or above the attempt's own changes (`works`) are left out. */
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

/** Records folders that tools filled. Those that HEAD's commit has are left out. */
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
