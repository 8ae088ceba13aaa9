import type { CommandRun } from '../../domain/command-run.ts';
import { RED_TIMES } from '../../domain/command-runs.ts';
import { type GateSpec, isRed } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { ask, type Tested } from '../../lab/index.ts';
import type { JudgeContext } from '../context.ts';

/**
 * Returns the gates that fail in every run on `line`, without the attempt's work. A gate that only sometimes fails must
 * not cause a revert.
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

/** Maximum number of commits that are tried: the newest ones. */
const MOST_TRIED = 5;

/**
 * Returns the landed result without which the failing gates pass; `null`: a commit of yours broke them, or no result is
 * found.
 * @param began Base commit of the attempt; `null`: results that landed in earlier runs are tried, too
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
  for (const { tree, parentTree, result } of await ports.line.since(began)) {
    // Commits with only marks of the task list change nothing for gates.
    if ((await ports.work.keyOf(tree)) === (await ports.work.keyOf(parentTree))) continue;
    if (tried === MOST_TRIED || ports.stop.polite.aborted) break;
    tried += 1;
    // A gate that fails by chance would blame an older result, so it runs twice.
    if ((await passesOn(parentTree)) || (await passesOn(parentTree))) return result;
  }
  return null;
}
