import type { GateSpec } from '../../domain/gate.ts';
import type { RedLine } from '../../domain/records/iteration.ts';
import { runOnTree, type Tested } from '../clean-copy.ts';
import type { LoopContext } from '../context.ts';

/** Results that are tried, the newest. */
const MOST_TRIED = 5;

/**
 * Finds since when gates fail on the line that passed where an attempt began. Only a result of ralph's is named, and only where nothing
 * but its results came since.
 *
 * @param line As it is now, without the attempt's work. `red`: gates that fail on it, seen three times, with the end of what they printed.
 */
export async function redLineOf(
  context: LoopContext,
  line: Tested,
  began: string,
  red: readonly { readonly spec: GateSpec; readonly output: string }[],
): Promise<RedLine> {
  const { ports } = context;
  const gates = red.map(({ spec, output }) => ({ gate: spec.name, output }));
  const specs = red.map(({ spec }) => spec);
  const found = (result: RedLine['result']) => ({ commit: line.base.commit, gates, result });
  const all = await ports.line.since(began);
  // Marks of the task list, which change nothing for gates, are commits of ralph's, too.
  const keys = all.map(async (one) => [await ports.work.keyOf(one.tree), await ports.work.keyOf(one.before)]);
  const same = (await Promise.all(keys)).map(([now, before]) => now === before);
  const changes = all.filter((_, at) => same[at] !== true);
  if (changes.some(({ result }) => result === null)) return found(null);
  for (const { before, result } of changes.slice(0, MOST_TRIED)) {
    if (ports.stop.polite.aborted) break;
    const { results } = await runOnTree(context, specs, { ...line, tree: before }, { log: 'before' });
    if (results.every(({ outcome }) => outcome.kind === 'passed'))
      return found(result === null ? null : { taskId: result.taskId, number: result.number });
  }
  return found(null);
}
