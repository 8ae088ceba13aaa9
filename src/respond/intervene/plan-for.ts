import { unreachable } from 'ralph-kit/unreachable';
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
import { factsText, recoveryPlan, rollbackText, softCorrection } from './texts.ts';
import { lowered, throttleNotice } from './throttle.ts';
import type { Choice, InterventionInput } from './types.ts';

/**
 * Returns the plan of an intervention for findings.
 * @param choices The most severe finding first
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

/**
 * Findings that endanger more than one task: they are about secrets, files that ralph runs, or files that you approved.
 */
const RUN_WIDE: ReadonlySet<string> = new Set(['critical_security_violation', 'state_tampering']);

/** Returns what a stop blocks. `run`: all runs, until you resolve it; `task`: only the task. */
export function stopScope(
  findings: readonly Finding[],
  { stop }: Pick<InterventionSettings, 'stop'>,
): StopScope {
  const isRunWide = findings.some(({ severity, type }) => severity === 'critical' && RUN_WIDE.has(type));
  return stop === 'run' || isRunWide ? 'run' : 'task';
}

/** Returns the texts of a soft correction, without those that the running agent already got. */
function softTexts(choices: readonly Choice[], input: InterventionInput): string {
  const reached = input.observed.corrections.map(({ issue }) => issue);
  return choices
    .filter(({ finding }) => !reached.includes(finding.type))
    .map(({ finding, text }) => text ?? softCorrection(finding, input))
    .join('\n\n');
}

/**
 * Returns the newest checkpoint to go back to: from before the issues began, at most `max_rollback_depth` back, with
 * enough passed gates, and without a failed attempt shortly before. `null`: there is none.
 */
export function chooseCheckpoint(
  input: Pick<InterventionInput, 'checkpoints' | 'iteration' | 'settings' | 'taskState'>,
  issues: readonly string[],
): KnownCheckpoint | null {
  const { max_rollback_depth, safe_checkpoint } = input.settings;
  // A rollback removed earlier issues and failures from the tree.
  const undone = input.taskState.attempts.findLastIndex(({ rolledBack }) => rolledBack);
  const attempts = input.taskState.attempts.slice(undone + 1);
  const began = Math.min(...issues.map((issue) => issueBegan(attempts, issue, input.iteration)));
  const near = input.checkpoints.slice(Math.max(0, input.checkpoints.length - max_rollback_depth));
  return (
    near.findLast(
      (checkpoint) =>
        // A checkpoint has the tree before its iteration, so that iteration itself may have the issue.
        checkpoint.iteration <= began &&
        checkpoint.gateSuccess >= safe_checkpoint.min_success_rate &&
        !failedShortlyBefore(checkpoint, attempts, safe_checkpoint.no_errors_seconds),
    ) ?? null
  );
}

/** Returns the iteration since which every attempt had the issue. */
function issueBegan(attempts: readonly AttemptSummary[], issue: string, now: number): number {
  const counted = attempts.filter(({ verdict }) => !isOutsideCause(verdict));
  const clean = counted.findLastIndex(({ findings }) => !findings.includes(issue));
  return counted[clean + 1]?.iteration ?? now;
}

/** Returns whether an attempt failed in the last seconds of work. Time between attempts doesn't count. */
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
