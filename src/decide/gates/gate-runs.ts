import { asksToSkip } from 'ralph-kit/asks-to-change';
import { own } from 'ralph-kit/own';
import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import { type GateResult, type GateSpec, isRed } from '../../domain/gate.ts';
import { type GateBaseline, runBefore } from '../../domain/gate-baseline.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { goalText } from '../../domain/task.ts';
import type { NotGreen, TestComparison } from '../../domain/test-results.ts';
import { planGates } from '../../proof/gates/index.ts';
import { absentTests, lostTests, notGreen } from '../../proof/results/index.ts';

type GatesToRun = ReturnType<typeof planGates> & {
  readonly unknown: readonly string[];
};

type AttemptEnd = Pick<IterationFacts, 'task' | 'end' | 'report' | 'changes' | 'series'>;

/**
 * Returns the gates to run after an attempt, and those skipped because of their paths. None runs after an unfinished
 * attempt or without changes, unless the agent reports that the task was already done.
 */
export function gatesToRun(
  specs: readonly GateSpec[],
  { task, end, report, changes, series }: AttemptEnd,
  { status }: Pick<Claim, 'status'>,
): GatesToRun {
  const endedNormally = end.kind === 'exited' && end.code === 0 && report.ok;
  const paths = [...new Set([...pathsOf(changes), ...(series === null ? [] : pathsOf(series.changes))])];
  const isEmpty = paths.length === 0;
  if (!endedNormally || (isEmpty && status !== 'already_done')) return { run: [], skipped: [], unknown: [] };
  const unknown = new Set(task.gates.filter((name) => !specs.some((spec) => spec.name === name)));
  return { ...planGates(specs, isEmpty ? null : paths), unknown: [...unknown] };
}

type Facts = Pick<IterationFacts, 'commandRuns' | 'baseline' | 'avoidance' | 'task' | 'taskState'>;
type Results = readonly TestComparison[];

/**
 * Returns gates whose command succeeded although their test results, compared with the baseline, show that they didn't
 * pass.
 */
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

/**
 * Returns the largest number of tests that one gate lost. Gates that fail as before, without new failures, are
 * included.
 */
export function testsLost(facts: Facts, results: Results): number {
  const { baseline } = facts;
  const notGreen = gatesNotGreen(facts, results).map(({ lost }) => lost);
  if (baseline === null || excusedIn(facts).lost) return Math.max(0, ...notGreen);
  const red = new Set(gatesIn(facts).flatMap(({ name, outcome }) => (isRed(outcome) ? [name] : [])));
  const lost = results.flatMap(({ gate, now, before, newlyFailing }) => {
    // A test runner that stops at its first failure runs other tests each time, so the same failures have to be shown.
    const isSame = red.has(gate) && now.failing.length > 0 && newlyFailing.length === 0;
    const isNamed = absentTests({ now, before }) !== null;
    return isSame && isNamed ? [lostTests({ now, before }, own(baseline.commands, gate) ?? '')] : [];
  });
  return Math.max(0, ...notGreen, ...lost);
}

const LEAVES_OUT: ReadonlySet<string> = new Set(['test_deletion', 'test_focus']);

/**
 * Returns which losses are excused: you approved them, the diff removes the tests with what they test, or the task asks
 * for it.
 */
function excusedIn({ avoidance, task, taskState }: Facts): Readonly<Record<NotGreen['kind'], boolean>> {
  const { findings, testsGone } = avoidance;
  const isApproved = taskState.decisions.approved.length > 0;
  const mayGo = isApproved || asksToSkip(goalText(task));
  // A focus prevents existing tests from running, so it explains a loss, too.
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

export function notReproduced(
  results: readonly GateResult[],
  reference: GateBaseline | null,
): readonly string[] {
  return results.flatMap(({ name, outcome }) => {
    const before = runBefore(reference, name)?.outcome.kind;
    return isRed(outcome) && before === 'passed' ? [name] : [];
  });
}
