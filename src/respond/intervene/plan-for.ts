import type { InterventionSettings } from '../../domain/config.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type {
  InterventionPlan,
  InterventionRecord,
  InterventionType,
  KnownCheckpoint,
  StopScope,
} from '../../domain/intervention.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { isOutsideCause, VERDICT_COUNTING } from '../../domain/verdict.ts';
import { unreachable } from '../../lib/unreachable.ts';
import { factsText, recoveryPlan, rollbackText, softCorrection } from './texts.ts';
import { lowered, throttleNotice } from './throttle.ts';
import type { Choice, InterventionInput } from './types.ts';

/**
 * What an intervention does.
 *
 * @param choices the findings that it answers, the gravest first.
 * @param records the interventions of the series.
 */
export function planFor(
  type: InterventionType,
  choices: readonly Choice[],
  input: InterventionInput,
  records: readonly InterventionRecord[],
): InterventionPlan {
  const findings = choices.map(({ finding }) => finding);
  const issues = findings.map((finding) => finding.type);
  const own = choices.find(({ text }) => text !== null)?.text ?? null;
  switch (type) {
    case 'soft_correction':
      return { type, text: softTexts(choices, input) };
    case 'context_reinforcement':
      return { type, issues, facts: factsText(findings, input) };
    case 'resource_throttling': {
      const { limits, growth } = lowered(input, findings, records);
      const text = own ?? throttleNotice(limits, growth, input.task);
      return { type, before: input.limits, limits, growth, text, facts: factsText(findings, input) };
    }
    case 'checkpoint_rollback': {
      const checkpoint = chooseCheckpoint(input, issues);
      const text = own ?? rollbackText(findings, checkpoint, input);
      const recovery = checkpoint === null ? recoveryPlan(findings, input) : [];
      return { type, checkpoint: checkpoint?.id ?? null, text, facts: factsText(findings, input), recovery };
    }
    case 'emergency_stop':
      return {
        type,
        reason: findings.map(({ summary }) => summary).join(' '),
        scope: stopScope(findings, input.settings),
      };
    default:
      return unreachable(type);
  }
}

/** What endangers more than the task at hand: secrets, and what ralph runs or you approved. */
const RUN_WIDE: ReadonlySet<string> = new Set(['critical_security_violation', 'state_tampering']);

/** How far an emergency stop reaches: all runs until you resolve it, or the task alone, which waits for you. */
export function stopScope(
  findings: readonly Finding[],
  { stop }: Pick<InterventionSettings, 'stop'>,
): StopScope {
  const isRunWide = findings.some(({ severity, type }) => severity === 'critical' && RUN_WIDE.has(type));
  return stop === 'run' || isRunWide ? 'run' : 'task';
}

/** One text per issue, without those that already reached the running agent. */
function softTexts(choices: readonly Choice[], input: InterventionInput): string {
  const reached = input.observed.corrections.map(({ issue }) => issue);
  return choices
    .filter(({ finding }) => !reached.includes(finding.type))
    .map(({ finding, text }) => text ?? softCorrection(finding, input))
    .join('\n\n');
}

/**
 * The newest safe checkpoint from before the issues began, at most `max_rollback_depth` back: enough of the gates passed
 * there, and no attempt of the task had failed shortly before. `null` when there is none.
 */
export function chooseCheckpoint(
  input: Pick<InterventionInput, 'checkpoints' | 'iteration' | 'settings' | 'taskState'>,
  issues: readonly string[],
): KnownCheckpoint | null {
  const { max_rollback_depth, safe_checkpoint } = input.settings;
  // A rollback undid what was before it: neither its issues nor its failures are in the tree any more.
  const undone = input.taskState.attempts.findLastIndex(({ rolledBack }) => rolledBack);
  const attempts = input.taskState.attempts.slice(undone + 1);
  const began = Math.min(...issues.map((issue) => issueBegan(attempts, issue, input.iteration)));
  const near = input.checkpoints.slice(Math.max(0, input.checkpoints.length - max_rollback_depth));
  return (
    near.findLast(
      (checkpoint) =>
        // A checkpoint is the tree before its iteration.
        checkpoint.iteration <= began &&
        checkpoint.gateSuccess >= safe_checkpoint.min_success_rate &&
        !failedShortlyBefore(checkpoint, attempts, safe_checkpoint.no_errors_seconds),
    ) ?? null
  );
}

/** The iteration since which the issue was there without a gap. */
function issueBegan(attempts: readonly AttemptSummary[], issue: string, now: number): number {
  const counted = attempts.filter(({ verdict }) => !isOutsideCause(verdict));
  const clean = counted.findLastIndex(({ findings }) => !findings.includes(issue));
  return counted[clean + 1]?.iteration ?? now;
}

/** Whether an attempt failed in the last so many seconds of work before a checkpoint; the time between attempts is none. */
function failedShortlyBefore(
  checkpoint: KnownCheckpoint,
  attempts: readonly AttemptSummary[],
  seconds: number,
): boolean {
  let workedMs = 0;
  for (const { iteration, verdict, durationMs } of attempts.toReversed()) {
    if (iteration >= checkpoint.iteration) continue;
    if (workedMs >= seconds * 1000) return false;
    if (VERDICT_COUNTING[verdict].failedAttempt) return true;
    workedMs += durationMs;
  }
  return false;
}
