import type { CommandRun } from '../../domain/command-run.ts';
import { RED_TIMES } from '../../domain/command-runs.ts';
import { type GateSpec, isRed } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import type { JudgeContext } from '../context.ts';
import { ask, type Tested } from '../lab/index.ts';

/**
 * The last runs of gates that fail on the line as often as it takes: what lies on your branch is taken back for no chance.
 *
 * @param line As it is, without work of an attempt.
 * @param first Of the first time.
 */
export async function stillRedOn(
  context: JudgeContext,
  line: Tested,
  specs: readonly GateSpec[],
  first: readonly CommandRun[],
): Promise<readonly CommandRun[]> {
  let red = first.filter(({ outcome }) => isRed(outcome));
  for (let times = 1; times < RED_TIMES && red.length > 0; times += 1) {
    const { results } = await ask(context, specsOf(specs, red), line, { why: 'since-when' });
    red = results.filter(({ outcome }) => isRed(outcome));
  }
  return red;
}

function specsOf(specs: readonly GateSpec[], runs: readonly CommandRun[]): GateSpec[] {
  return specs.filter((spec) => runs.some(({ name }) => name === spec.name));
}

/** Commits that are tried, the newest. */
const MOST_TRIED = 5;

/**
 * Finds the result of ralph's since which gates fail on the line that passed before: they pass without it, and without what came after it they
 * fail. `null`: a commit of yours is the cause, or that isn't found.
 *
 * @param line As it is now, without the attempt's work. `red`: of the gates that fail on it, as often as it takes.
 * @param began The commit that an attempt began with; `null`: what landed in earlier runs may be the cause, too.
 */
export async function redSince(
  context: JudgeContext,
  line: Tested,
  began: string | null,
  { specs, red }: { readonly specs: readonly GateSpec[]; readonly red: readonly CommandRun[] },
): Promise<IterationFacts['redSince']> {
  if (red.length === 0) return null;
  const { ports } = context;
  const passesOn = async (tree: string) => {
    const { results } = await ask(context, specsOf(specs, red), { ...line, tree }, { why: 'before' });
    return results.every(({ outcome }) => outcome.kind === 'passed');
  };
  let tried = 0;
  for (const { tree, before, result } of await ports.line.since(began)) {
    // Marks of the task list are commits of ralph's, too, and change nothing for gates.
    if ((await ports.work.keyOf(tree)) === (await ports.work.keyOf(before))) continue;
    if (tried === MOST_TRIED || ports.stop.polite.aborted) break;
    tried += 1;
    // Red by chance, it would put the blame on an earlier one.
    if ((await passesOn(before)) || (await passesOn(before))) return result;
  }
  return null;
}
