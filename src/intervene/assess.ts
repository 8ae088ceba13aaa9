import type { Assessment, InterventionRecord } from '../domain/intervention.ts';
import type { ControlInput } from './input.ts';

/**
 * What became of the interventions that wait for a judgement: not helped where this iteration shows an issue that
 * they answered, helped where it shows none of them.
 */
export function assess(
  records: readonly InterventionRecord[],
  { findings, iteration }: Pick<ControlInput, 'findings' | 'iteration'>,
): readonly Assessment[] {
  const shown = new Set(findings.map(({ type }) => type));
  return records.flatMap((record): Assessment[] => {
    if (record.outcome !== null || record.iteration >= iteration) return [];
    const again = [record.issue, ...record.also].some((issue) => shown.has(issue));
    const { type, issue } = record;
    return [{ type, issue, iteration: record.iteration, outcome: again ? 'not_helped' : 'helped' }];
  });
}

/** The records with what became of them. */
export function judged(
  records: readonly InterventionRecord[],
  assessed: readonly Assessment[],
): readonly InterventionRecord[] {
  return records.map((record) => {
    const found = assessed.find(
      ({ type, issue, iteration }) =>
        type === record.type && issue === record.issue && iteration === record.iteration,
    );
    return found === undefined || record.outcome !== null ? record : { ...record, outcome: found.outcome };
  });
}
