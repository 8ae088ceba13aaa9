import type { InterventionRecord } from '../domain/intervention.ts';
import type { AttemptSummary } from '../domain/state.ts';
import { isOutsideCause } from '../domain/verdict.ts';

/** Whether an intervention answered the issue, first or along with another. */
export function answers(record: Pick<InterventionRecord, 'issue' | 'also'>, issue: string): boolean {
  return record.issue === issue || record.also.includes(issue);
}

/** Interventions of the series on one issue, oldest first. */
export function recordsOn(
  records: readonly InterventionRecord[],
  issue: string,
): readonly InterventionRecord[] {
  return records.filter((record) => answers(record, issue));
}

/** Attempts after an iteration that tell something of the agent: those cut short from outside do not. */
export function attemptsSince(
  attempts: readonly AttemptSummary[],
  iteration: number,
): readonly AttemptSummary[] {
  return attempts.filter((attempt) => attempt.iteration > iteration && !isOutsideCause(attempt.verdict));
}

/** Iteration from which on the issue was there without a gap up to now. */
export function issueBegan(attempts: readonly AttemptSummary[], issue: string, now: number): number {
  let began = now;
  for (const attempt of attempts.toReversed()) {
    if (isOutsideCause(attempt.verdict)) continue;
    if (!attempt.findings.includes(issue)) break;
    began = attempt.iteration;
  }
  return began;
}
