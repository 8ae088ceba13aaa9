import type { GateSpec } from '../../domain/gate.ts';
import type { RedLine } from '../../domain/records/iteration.ts';
import { runOnTree, type Tested } from '../clean-copy.ts';
import type { JudgeContext } from '../context.ts';

/** Results that are tried, the newest. */
const MOST_TRIED = 5;

/**
 * Finds since when gates fail on the line that passed where an attempt began. Only a result of ralph's is named, and only where no
 * commit of yours came after it.
 *
 * @param line As it is now, without the attempt's work. `red`: gates that fail on it, seen three times, with the end of what they printed.
 */
export async function redLineOf(
  context: JudgeContext,
  line: Tested,
  began: string,
  red: readonly { readonly spec: GateSpec; readonly output: string }[],
): Promise<RedLine> {
  const { ports } = context;
  const gates = red.map(({ spec, output }) => ({ gate: spec.name, output }));
  const specs = red.map(({ spec }) => spec);
  const found = (result: RedLine['result']) => ({ commit: line.base.commit, gates, result });
  const passesOn = async (tree: string) => {
    const { results } = await runOnTree(context, specs, { ...line, tree }, { log: 'before' });
    return results.every(({ outcome }) => outcome.kind === 'passed');
  };
  let tried = 0;
  for (const { tree, before, result } of await ports.line.since(began)) {
    // Marks of the task list are commits of ralph's, too, and change nothing for gates.
    if ((await ports.work.keyOf(tree)) === (await ports.work.keyOf(before))) continue;
    if (result === null || tried === MOST_TRIED || ports.stop.polite.aborted) break;
    tried += 1;
    // Red by chance, it would put the blame on an earlier one.
    if ((await passesOn(before)) || (await passesOn(before)))
      return found({ taskId: result.taskId, number: result.number });
  }
  return found(null);
}
