import {
  type GateChange,
  type GateJudgement,
  type GateOutcome,
  type GateReport,
  type GateResult,
  type GateSpec,
  isRed,
} from '../../domain/gate.ts';
import { type GateBaseline, runBefore } from '../../domain/gate-baseline.ts';
import type { NotGreen } from '../../domain/test-results.ts';
import { formatDuration } from '../../lib/duration.ts';

/**
 * Compares each gate with how it stood before (spec 1-loop, Gates): regressions count, and so do failures of gates
 * that are required, by configuration or by the task. A gate of which nothing is known from before counts as a
 * regression, since nothing proves that it failed already. Required means passed: one that could not run counts. Of
 * the others, a tool that was missing already is shown and does not count.
 */
export function aggregateGates(
  results: readonly GateResult[],
  baseline: GateBaseline | null,
  {
    required,
    changes,
    notGreen,
    dead,
    down,
  }: {
    readonly required: readonly string[];
    readonly changes: readonly GateChange[];
    /** Gates that ended as passed and aren't by what their runners say, unless you approved that. */
    readonly notGreen: readonly ({ readonly gate: string } & Pick<NotGreen, 'kind' | 'text'>)[];
    /** Gates that can't fail any more. */
    readonly dead: readonly string[];
    /** Gates that fail without the work, too. */
    readonly down: readonly string[];
  },
): GateReport {
  const judgements = results.map((result) => {
    const before = runBefore(baseline, result.name)?.outcome;
    const isRequired = required.includes(result.name);
    const judgement = compared(result, before, isRequired);
    if (down.includes(result.name)) return { ...judgement, standing: 'down' as const, counts: false };
    if (dead.includes(result.name)) return { ...judgement, standing: 'dead' as const, counts: true };
    if (result.outcome.kind === 'passed' && result.rewrote.length > 0)
      return { ...judgement, standing: 'rewritten' as const, counts: true };
    const less = notGreen.find(({ gate }) => gate === result.name);
    // A gate that failed before, and was fixed, may have fewer tests.
    if (less !== undefined && result.outcome.kind === 'passed' && !(less.kind === 'lost' && isRed(before)))
      return { ...judgement, standing: COUNTED_AS[less.kind], counts: true, why: less.text };
    const isVacuous = changes.some(({ gate, hollow: why }) => gate === result.name && why !== null);
    // A check that was made to check nothing is as good as one that was taken away.
    return isVacuous && !judgement.counts && (isRequired || before?.kind === 'passed')
      ? { ...judgement, standing: 'hollow' as const, counts: true }
      : judgement;
  });
  return { status: statusOf(judgements), judgements };
}

const COUNTED_AS: Readonly<Record<NotGreen['kind'], GateJudgement['standing']>> = {
  failed: 'tests_failed',
  none: 'tests_missing',
  skipped: 'tests_missing',
  not_loaded: 'tests_missing',
  focused: 'tests_missing',
  lost: 'tests_missing',
};

function compared(
  { name, outcome }: GateResult,
  before: GateOutcome | undefined,
  required: boolean,
): GateJudgement {
  const status = resultOf(outcome, before, required);
  const counts = status === 'regression' || status === 'required_failed';
  return { name, outcome, standing: status, counts, why: null };
}

function resultOf(
  { kind }: GateOutcome,
  before: GateOutcome | undefined,
  required: boolean,
): GateJudgement['standing'] {
  if (kind === 'passed') return isRed(before) ? 'fixed' : 'passed';
  if (kind === 'skipped') return 'skipped';
  if (kind === 'tool_missing') return resultOfMissing(before, required);
  if (!isRed(before)) return 'regression';
  return required ? 'required_failed' : 'failed_before';
}

/** What ran and passed before went missing in the attempt: removing a check is no way to pass it. */
function resultOfMissing(before: GateOutcome | undefined, required: boolean): GateJudgement['standing'] {
  if (before?.kind === 'passed') return 'regression';
  return required ? 'required_failed' : 'tool_missing';
}

/** `none` when no gate ran: nothing is proved either way. */
function statusOf(judgements: readonly GateJudgement[]): GateReport['status'] {
  if (judgements.some(({ counts }) => counts)) return 'failed';
  const ran = judgements.some(({ standing: status }) => status !== 'skipped' && status !== 'tool_missing');
  return ran ? 'passed' : 'none';
}

type MissingTool = { readonly gate: string; readonly tool: string };

type MissingTools = {
  /** The run must not start (exit 2). */
  readonly fatal: readonly MissingTool[];
  readonly warnings: readonly MissingTool[];
};

/**
 * Tools that the baseline did not find, by `on_missing`; those of `skip` are passed over in silence. A required gate
 * can't be passed without its tool, whatever `on_missing` says.
 */
export function missingTools(results: readonly GateResult[], specs: readonly GateSpec[]): MissingTools {
  const missing = results.flatMap(({ name, outcome }) =>
    outcome.kind === 'tool_missing' ? [{ gate: name, tool: outcome.tool }] : [],
  );
  const handledAs = (onMissing: GateSpec['onMissing']) =>
    missing.filter(({ gate }) => {
      const spec = specs.find(({ name }) => name === gate);
      return (spec === undefined || spec.required ? 'fail' : spec.onMissing) === onMissing;
    });
  return { fatal: handledAs('fail'), warnings: handledAs('warn') };
}

/**
 * How the failing gates ended and the end of what they printed, for records and the screen; empty when none failed.
 * @param limit characters of output over all gates, shared equally
 */
export function failingTails(results: readonly GateResult[], limit: number): string {
  const failing = results.filter(({ outcome }) => isRed(outcome));
  const share = Math.floor(limit / Math.max(1, failing.length));
  return failing
    .map(({ name, outcome, outputTail }) =>
      [`${name}: ${describe(outcome)}`, endOf(outputTail.trimEnd(), share)]
        .filter((part) => part !== '')
        .join('\n'),
    )
    .join('\n\n');
}

function describe(outcome: GateOutcome): string {
  if (outcome.kind === 'timed_out') return `timed out after ${formatDuration(outcome.afterMs)}`;
  if (outcome.kind !== 'failed') return outcome.kind;
  return outcome.exitCode === null
    ? `signal ${outcome.signal ?? 'unknown'}`
    : `exit code ${outcome.exitCode}`;
}

function endOf(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(text.length - limit);
}
