import type { Assessment, InterventionRecord } from '../../domain/intervention.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { isOutsideCause } from '../../domain/verdict.ts';

type Records = readonly InterventionRecord[];

/** Whether an intervention answered the issue, first or along with another. */
export function answers({ issue, also }: InterventionRecord, type: string): boolean {
  return issue === type || also.includes(type);
}

/** The interventions on one issue, oldest first. */
export function recordsOn(records: Records, issue: string): Records {
  return records.filter((record) => answers(record, issue));
}

/**
 * The outcome of each earlier intervention that has none yet: not helped if this iteration shows an issue that it
 * answered, helped if it shows none of them.
 *
 * @param shown types of this iteration's findings.
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

/** The records with these outcomes. */
export function withOutcomes(records: Records, assessed: readonly Assessment[]): InterventionRecord[] {
  return records.map((record) => {
    const found = assessed.find(
      ({ type, issue, iteration }) =>
        type === record.type && issue === record.issue && iteration === record.iteration,
    );
    return { ...record, outcome: record.outcome ?? found?.outcome ?? null };
  });
}

/** Attempts after an iteration, without those that were cut short from outside: they show nothing of the agent. */
export function attemptsSince(
  attempts: readonly AttemptSummary[],
  iteration: number,
): readonly AttemptSummary[] {
  return attempts.filter((attempt) => attempt.iteration > iteration && !isOutsideCause(attempt.verdict));
}
