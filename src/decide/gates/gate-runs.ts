import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import { type GateResult, type GateSpec, isRed } from '../../domain/gate.ts';
import { type GateBaseline, runBefore } from '../../domain/gate-baseline.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { goalText } from '../../domain/task.ts';
import type { NotGreen } from '../../domain/test-results.ts';
import { own } from '../../lib/own.ts';
import { asksToSkip } from '../../proof/avoidance/index.ts';
import { planGates } from '../../proof/gates/index.ts';
import { compareResults, notGreen } from '../../proof/results/index.ts';

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
 * Gates that ended as passed and aren't, by what their runners say beside the baseline. Tests that you approved to go may go, and so may those
 * that the diff takes away with what they tested or as the task asks.
 */
export function gatesNotGreen(
  facts: Pick<IterationFacts, 'commandRuns' | 'baseline' | 'avoidance' | 'task' | 'taskState'>,
): readonly (NotGreen & { readonly gate: string })[] {
  const { baseline, avoidance, task, taskState } = facts;
  const { findings, testsGone } = avoidance;
  const gates = gatesIn(facts);
  if (baseline === null) return [];
  const isApproved = taskState.decisions.approved.length > 0;
  const mayGo = isApproved || asksToSkip(goalText(task));
  const isExplained =
    testsGone > 0 &&
    !findings.some(({ category, whitelisted }) => category === 'test_deletion' && whitelisted === null);
  const excused: Readonly<Record<NotGreen['kind'], boolean>> = {
    failed: false,
    not_loaded: isApproved,
    focused: isApproved,
    none: mayGo,
    skipped: mayGo,
    lost: mayGo || isExplained,
  };
  return compareResults(gates, baseline).flatMap(({ gate, now, before }) => {
    if (gates.find(({ name }) => name === gate)?.outcome.kind !== 'passed') return [];
    const found = notGreen({ now, before }, own(baseline.commands, gate) ?? '');
    return found === null || excused[found.kind] ? [] : [{ ...found, gate }];
  });
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
