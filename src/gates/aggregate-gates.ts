import type { GateBaseline, GateJudgement, GateOutcome, GateReport, GateResult } from '../domain/gate.ts';
import { unreachable } from '../lib/unreachable.ts';

/** Whether an outcome says that the gate does not hold. A missing tool says nothing. */
export function isFailing(outcome: GateOutcome | undefined): boolean {
  return outcome?.kind === 'failed' || outcome?.kind === 'timed_out';
}

/**
 * Judges each gate against how it stood before (spec 1-loop, Gates): regressions count, and so do failures of gates
 * that are required, by configuration or by the task. A gate of which nothing is known from before counts as a
 * regression, since nothing proves that it failed already. A tool that was missing already
 * is shown and does not count.
 */
export function aggregateGates(
  results: readonly GateResult[],
  baseline: GateBaseline | null,
  { required }: { readonly required: readonly string[] },
): GateReport {
  const judgements = results.map((result) =>
    judge(result, outcomeBefore(baseline, result.name), required.includes(result.name)),
  );
  return { status: statusOf(judgements), judgements };
}

function outcomeBefore(baseline: GateBaseline | null, name: string): GateOutcome | undefined {
  if (baseline === null || !Object.hasOwn(baseline.outcomes, name)) return undefined;
  return baseline.outcomes[name];
}

function judge(
  { name, outcome }: GateResult,
  before: GateOutcome | undefined,
  required: boolean,
): GateJudgement {
  const standing = standingOf(outcome, before, required);
  return {
    name,
    outcome,
    standing,
    counts: standing === 'regression' || standing === 'required_failed',
  };
}

function standingOf(
  outcome: GateOutcome,
  before: GateOutcome | undefined,
  required: boolean,
): GateJudgement['standing'] {
  switch (outcome.kind) {
    case 'passed':
      return isFailing(before) ? 'fixed' : 'passed';
    case 'failed':
    case 'timed_out':
      if (!isFailing(before)) return 'regression';
      return required ? 'required_failed' : 'failed_before';
    case 'tool_missing':
      // What ran and passed before the attempt went missing in it: removing the check is no way to pass it.
      return before?.kind === 'passed' ? 'regression' : 'tool_missing';
    case 'skipped':
      return 'skipped';
    default:
      return unreachable(outcome);
  }
}

/** `none` when no gate ran: nothing is proved either way. */
function statusOf(judgements: readonly GateJudgement[]): GateReport['status'] {
  if (judgements.some(({ counts }) => counts)) return 'failed';
  const ran = judgements.some(({ standing }) => standing !== 'skipped' && standing !== 'tool_missing');
  return ran ? 'passed' : 'none';
}
