import { type GateResult, type GateSpec, isRed } from '../../domain/gate.ts';
import type { RedLine } from '../../domain/records/iteration.ts';
import { tail } from '../../lib/text.ts';
import type { JudgeContext } from '../context.ts';
import { ask, type Tested } from '../lab/index.ts';

/** Characters of a gate's output that show what fails. */
export const OUTPUT_SHOWN = 2000;

/** A gate that fails on the line, with the end of what it printed. */
type Red = { readonly spec: GateSpec; readonly output: string };

/**
 * Gates that fail on the line three times, as with work that is sent back: what lies on your branch is taken back for no chance.
 *
 * @param line As it is, without work of an attempt.
 * @param first Results of the first time.
 */
export async function stillRedOn(
  context: JudgeContext,
  line: Tested,
  specs: readonly GateSpec[],
  first: readonly GateResult[],
): Promise<readonly Red[]> {
  const redIn = (results: readonly GateResult[]) => results.filter(({ outcome }) => isRed(outcome));
  const specsOf = (results: readonly GateResult[]) =>
    specs.filter((spec) => results.some(({ name }) => name === spec.name));
  let red = redIn(first);
  for (let times = 1; times <= 2 && red.length > 0; times += 1)
    red = redIn((await ask(context, specsOf(red), line, { why: 'since-when' })).results);
  return red.flatMap((result) =>
    specsOf([result]).map((spec) => ({ spec, output: tail(result.outputTail, OUTPUT_SHOWN) })),
  );
}

/** Commits that are tried, the newest. */
const MOST_TRIED = 5;

/**
 * Finds since when gates fail on the line that passed before. A result of ralph's is named where they pass without it, and without
 * what came after it they fail: a commit of yours is the cause where they pass without that.
 *
 * @param line As it is now, without the attempt's work. `red`: gates that fail on it, seen three times.
 * @param began The commit that an attempt began with; `null`: what landed in earlier runs may be the cause, too.
 */
export async function redLineOf(
  context: JudgeContext,
  line: Tested,
  began: string | null,
  red: readonly Red[],
): Promise<RedLine> {
  const { ports } = context;
  const gates = red.map(({ spec, output }) => ({ gate: spec.name, output }));
  const specs = red.map(({ spec }) => spec);
  const found = (result: RedLine['result']) => ({ commit: line.base.commit, gates, result });
  const passesOn = async (tree: string) => {
    const { results } = await ask(context, specs, { ...line, tree }, { why: 'before' });
    return results.every(({ outcome }) => outcome.kind === 'passed');
  };
  let tried = 0;
  for (const { tree, before, result } of await ports.line.since(began)) {
    // Marks of the task list are commits of ralph's, too, and change nothing for gates.
    if ((await ports.work.keyOf(tree)) === (await ports.work.keyOf(before))) continue;
    if (tried === MOST_TRIED || ports.stop.polite.aborted) break;
    tried += 1;
    // Red by chance, it would put the blame on an earlier one.
    if ((await passesOn(before)) || (await passesOn(before))) return found(result);
  }
  return found(null);
}
