import type { CriterionOnRecord } from '../domain/claim.ts';
import type { IterationFacts } from '../domain/records/iteration.ts';

type Facts = Pick<IterationFacts, 'task' | 'criteria'>;

/** Acceptance criteria that the files contradict, as sentences. */
export function unmetCriteria(facts: Facts): string[] {
  return criteriaOnRecord(facts)
    .filter(({ standing }) => standing === 'contradicted')
    .map(({ text, why }) => `${why} ("${text}")`);
}

/** How the task's criteria stand, with their words. */
export function criteriaOnRecord({ task, criteria }: Facts): CriterionOnRecord[] {
  return criteria.map(({ criterion, standing, why }) => ({
    text: (task.acceptance[criterion] ?? '').trim(),
    standing,
    why,
  }));
}
