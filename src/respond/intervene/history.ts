import type { Assessment, InterventionRecord } from '../../domain/intervention.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { isOutsideCause } from '../../domain/verdict.ts';

type Records = readonly InterventionRecord[];

export function answers({ issue, also }: InterventionRecord, type: string): boolean {
  return issue === type || also.includes(type);
}

export function recordsOn(records: Records, issue: string): Records {
  return records.filter((record) => answers(record, issue));
}

/**
 * Returns whether earlier interventions helped, by the findings of this iteration.
 * @param shown Types of these findings
 */
export function assess(records: Records, shown: readonly string[], iteration: number): Assessment[] {
  return records
    .filter((record) => record.outcome === null && record.iteration < iteration)
    .map((record) => ({
      type: record.type,
      issue: record.issue,
      iteration: record.iteration,
      outcome: shown.some((type) => answers(record, type)) ? 'not_helped' : 'helped',
    }));
}

export function withOutcomes(records: Records, assessed: readonly Assessment[]): InterventionRecord[] {
  return records.map((record) => {
    const found = assessed.find(
      ({ type, issue, iteration }) =>
        type === record.type && issue === record.issue && iteration === record.iteration,
    );
    return { ...record, outcome: record.outcome ?? found?.outcome ?? null };
  });
}

/**
 * Returns the attempts since an iteration. Attempts that an outside cause cut short are left out, because they show
 * nothing about the agent.
 */
export function attemptsSince(
  attempts: readonly AttemptSummary[],
  iteration: number,
): readonly AttemptSummary[] {
  return attempts.filter((attempt) => attempt.iteration > iteration && !isOutsideCause(attempt.verdict));
}
