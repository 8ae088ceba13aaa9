import type { Claim, CriterionOnRecord } from '../../domain/claim.ts';
import { judgedAvoidance } from '../../domain/findings/avoidance.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { validateEvidence } from '../../proof/evidence/index.ts';
import { room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes'>;

export function criteriaOnRecord({ task, criteria }: Pick<Facts, 'task' | 'criteria'>): CriterionOnRecord[] {
  return criteria.map(({ criterion, standing: status, why }) => ({
    text: (task.acceptance[criterion] ?? '').trim(),
    standing: status,
    why,
  }));
}

/** Decides what the work is, and whether the agent's report matches it. */
export const changes = room('changes', (facts: Facts, { claim }: { readonly claim: Claim }) => {
  const { changes, idleChanges, taskState, fileFacts } = facts;
  const series = facts.series ?? { changes, idleChanges };
  const earlierPaths = taskState.series?.work ?? [];
  return {
    series,
    earlierPaths,
    evidence: [
      ...validateEvidence(claim, {
        series: series.changes,
        attempt: changes,
        facts: fileFacts,
        earlierPaths,
      }),
    ],
    avoidance: judgedAvoidance(facts.avoidance),
    /** Sentences about acceptance criteria that the files contradict. */
    unmet: criteriaOnRecord(facts)
      .filter(({ standing: status }) => status === 'contradicted')
      .map(({ text, why }) => `${why} ("${text}")`),
  };
});
