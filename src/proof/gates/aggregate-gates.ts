import {
  type GateChange,
  type GateJudgement,
  type GateOutcome,
  type GateReport,
  type GateResult,
  type GateSpec,
  isRed,
  outcomeText,
} from '../../domain/gate.ts';
import { type GateBaseline, runBefore } from '../../domain/gate-baseline.ts';
import type { NotGreen } from '../../domain/test-results.ts';

/**
 * Compares each gate with its baseline (ADR 5): regressions count, and failures of gates that the configuration or the task
 * requires. A gate without a baseline counts as a regression, as nothing proves that it failed before. A required gate that can't run
 * counts as failed; otherwise a tool that was missing before doesn't count.
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
    /** Gates that exited as passed although their runners report otherwise, without your approval. */
    readonly notGreen: readonly ({ readonly gate: string } & Pick<NotGreen, 'kind' | 'text'>)[];
    /** Gates that can't fail any more. */
    readonly dead: readonly string[];
    /** Gates that also fail without the work. */
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
    // A gate that failed before and was fixed may have fewer tests.
    if (less !== undefined && result.outcome.kind === 'passed' && !(less.kind === 'lost' && isRed(before)))
      return { ...judgement, standing: COUNTED_AS[less.kind], counts: true, why: less.text };
    const isVacuous = changes.some(({ gate, hollow: why }) => gate === result.name && why !== null);
    // A check that was made to check nothing counts as removed.
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

/** A check that passed before and is missing now counts: removing it doesn't pass it. */
function resultOfMissing(before: GateOutcome | undefined, required: boolean): GateJudgement['standing'] {
  if (before?.kind === 'passed') return 'regression';
  return required ? 'required_failed' : 'tool_missing';
}

/** `none` if no gate ran, so that nothing is proved. */
function statusOf(judgements: readonly GateJudgement[]): GateReport['status'] {
  if (judgements.some(({ counts }) => counts)) return 'failed';
  const ran = judgements.some(({ standing: status }) => status !== 'skipped' && status !== 'tool_missing');
  return ran ? 'passed' : 'none';
}

type MissingTool = { readonly gate: string; readonly tool: string };

type MissingTools = {
  /** The run must not start (exit code 2). */
  readonly fatal: readonly MissingTool[];
  readonly warnings: readonly MissingTool[];
};

/**
 * Returns the tools that the baseline didn't find, by `on_missing`, without those with `skip`. A required gate can't pass without its tool,
 * whatever `on_missing` is.
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
 * Returns the outcomes of failed gates with the end of their output, for records and the screen; empty without any.
 * @param limit Characters of output over all gates, shared equally.
 */
export function failingTails(results: readonly GateResult[], limit: number): string {
  const failing = results.filter(({ outcome }) => isRed(outcome));
  const share = Math.floor(limit / Math.max(1, failing.length));
  return failing
    .map(({ name, outcome, outputTail }) =>
      [`${name} ${outcomeText(outcome)}`, endOf(outputTail.trimEnd(), share)]
        .filter((part) => part !== '')
        .join('\n'),
    )
    .join('\n\n');
}

function endOf(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(text.length - limit);
}
