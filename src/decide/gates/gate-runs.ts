import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import { type GateResult, type GateSpec, isRed } from '../../domain/gate.ts';
import { type GateBaseline, runBefore } from '../../domain/gate-baseline.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { goalText } from '../../domain/task.ts';
import type { NotGreen, TestComparison } from '../../domain/test-results.ts';
import { own } from '../../lib/own.ts';
import { asksToSkip } from '../../proof/avoidance/index.ts';
import { planGates } from '../../proof/gates/index.ts';
import { absentTests, lostTests, notGreen } from '../../proof/results/index.ts';

type GatesToRun = ReturnType<typeof planGates> & {
  /** Gates that the task asks for and the configuration doesn't have. */
  readonly unknown: readonly string[];
};

/**
 * The gates to run after an attempt, and those that the paths pass over which the task's attempts changed. An attempt
 * that didn't come to its end, or a series that changed nothing, has nothing to prove, unless the agent reports that the
 * task was done before.
 */
export function gatesToRun(
  specs: readonly GateSpec[],
  {
    task,
    end,
    report,
    changes,
    series,
  }: Pick<IterationFacts, 'task' | 'end' | 'report' | 'changes' | 'series'>,
  { status }: Pick<Claim, 'status'>,
): GatesToRun {
  const cameToItsEnd = end.kind === 'exited' && end.code === 0 && report.ok;
  const paths = [...new Set([...pathsOf(changes), ...(series === null ? [] : pathsOf(series.changes))])];
  const isEmpty = paths.length === 0;
  if (!cameToItsEnd || (isEmpty && status !== 'already_done')) return { run: [], skipped: [], unknown: [] };
  const unknown = new Set(task.gates.filter((name) => !specs.some((spec) => spec.name === name)));
  return { ...planGates(specs, isEmpty ? null : paths), unknown: [...unknown] };
}

type Facts = Pick<IterationFacts, 'commandRuns' | 'baseline' | 'avoidance' | 'task' | 'taskState'>;
type Results = readonly TestComparison[];

/** Gates that ended as passed and aren't, by what their runners say beside the baseline. */
export function gatesNotGreen(
  facts: Facts,
  results: Results,
): readonly (NotGreen & { readonly gate: string })[] {
  const { baseline } = facts;
  const gates = gatesIn(facts);
  if (baseline === null) return [];
  const excused = excusedIn(facts);
  return results.flatMap(({ gate, now, before }) => {
    if (gates.find(({ name }) => name === gate)?.outcome.kind !== 'passed') return [];
    const found = notGreen({ now, before }, own(baseline.commands, gate) ?? '');
    return found === null || excused[found.kind] ? [] : [{ ...found, gate }];
  });
}

/** Tests that ran before in a gate and are gone, the most of one gate: also of one that was red before and is, if no other test fails now. */
export function testsLost(facts: Facts, results: Results): number {
  const { baseline } = facts;
  const notGreen = gatesNotGreen(facts, results).map(({ lost }) => lost);
  if (baseline === null || excusedIn(facts).lost) return Math.max(0, ...notGreen);
  const red = new Set(gatesIn(facts).flatMap(({ name, outcome }) => (isRed(outcome) ? [name] : [])));
  const lost = results.flatMap(({ gate, now, before, newlyFailing }) => {
    // A runner that stops at the first failure runs others each time.
    const isSame = red.has(gate) && now.failing.length > 0 && newlyFailing.length === 0;
    const isNamed = absentTests({ now, before }) !== null;
    return isSame && isNamed ? [lostTests({ now, before }, own(baseline.commands, gate) ?? '')] : [];
  });
  return Math.max(0, ...notGreen, ...lost);
}

const LEAVES_OUT: ReadonlySet<string> = new Set(['test_deletion', 'test_focus']);

/** What a gate may lack: tests that you approved to go, and those that the diff takes away with what they tested or as the task asks. */
function excusedIn({ avoidance, task, taskState }: Facts): Readonly<Record<NotGreen['kind'], boolean>> {
  const { findings, testsGone } = avoidance;
  const isApproved = taskState.decisions.approved.length > 0;
  const mayGo = isApproved || asksToSkip(goalText(task));
  // Behind a focus, tests that are there don't run either.
  const isExplained =
    testsGone > 0 &&
    !findings.some(({ category, whitelisted }) => LEAVES_OUT.has(category) && whitelisted === null);
  return {
    failed: false,
    not_loaded: isApproved,
    focused: isApproved,
    none: mayGo,
    skipped: mayGo,
    lost: mayGo || isExplained,
  };
}

/** Gates that passed on the verified tree and fail now. */
export function notReproduced(
  results: readonly GateResult[],
  reference: GateBaseline | null,
): readonly string[] {
  return results.flatMap(({ name, outcome }) => {
    const before = runBefore(reference, name)?.outcome.kind;
    return isRed(outcome) && before === 'passed' ? [name] : [];
  });
}
