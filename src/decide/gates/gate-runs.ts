import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import type { GateBaseline, GateResult, GateSpec } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { goalText } from '../../domain/task.ts';
import { own } from '../../lib/own.ts';
import { asksToSkip } from '../../proof/avoidance/index.ts';
import { isFailing, planGates } from '../../proof/gates/index.ts';
import { compareResults, lostTests } from '../../proof/results/index.ts';

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

/**
 * Passing gates of which tests that ran at the reference are gone, or that ran none, with how many. What you approved may go, and
 * so may what the diff takes away with what it tested or as the task asks.
 */
export function gatesWithLostTests(
  facts: Pick<IterationFacts, 'commandRuns' | 'baseline' | 'avoidance' | 'task' | 'taskState'>,
): readonly { readonly gate: string; readonly count: number }[] {
  const { baseline, avoidance, task, taskState } = facts;
  const { findings, testsGone } = avoidance;
  const gates = gatesIn(facts);
  if (taskState.decisions.approved.length > 0 || asksToSkip(goalText(task))) return [];
  const isExplained =
    testsGone > 0 &&
    !findings.some(({ category, whitelisted }) => category === 'test_deletion' && whitelisted === null);
  return compareResults(gates, baseline).flatMap(({ gate, now, before }) => {
    if (gates.find(({ name }) => name === gate)?.outcome.kind !== 'passed') return [];
    const count = lostTests({ now, before }, own(baseline?.commands ?? {}, gate) ?? '');
    const ranNone = now.tests?.run === 0;
    return count === 0 || (isExplained && !ranNone) ? [] : [{ gate, count }];
  });
}

/** Gates that passed on the verified tree and fail now. */
export function notReproduced(
  results: readonly GateResult[],
  reference: GateBaseline | null,
): readonly string[] {
  return results.flatMap(({ name, outcome }) => {
    const before = reference === null ? undefined : own(reference.outcomes, name);
    return isFailing(outcome) && before?.kind === 'passed' ? [name] : [];
  });
}
