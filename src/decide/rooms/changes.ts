import type { Claim, CriterionOnRecord } from '../../domain/claim.ts';
import { judgedAvoidance } from '../../domain/findings/avoidance.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { validateEvidence } from '../../proof/evidence/index.ts';
import { room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes'>;

/** How the task's criteria stand, with their words. */
export function criteriaOnRecord({ task, criteria }: Pick<Facts, 'task' | 'criteria'>): CriterionOnRecord[] {
  return criteria.map(({ criterion, standing: status, why }) => ({
    text: (task.acceptance[criterion] ?? '').trim(),
    standing: status,
    why,
  }));
}

/** What the work is, and whether it is as the agent says. */
export const changes = room('changes', (facts: Facts, { claim }: { readonly claim: Claim }) => {
  const { changes, idleChanges, taskState, fileFacts } = facts;
  const series = facts.series ?? { changes, idleChanges };
  const earlierPaths = taskState.series?.work ?? [];
  return {
    ...{ series, earlierPaths },
    evidence: [
      ...validateEvidence(claim, {
        series: series.changes,
        ...{ attempt: changes, facts: fileFacts, earlierPaths },
      }),
    ],
    avoidance: judgedAvoidance(facts.avoidance),
    /** Acceptance criteria that the files contradict, as sentences. */
    unmet: criteriaOnRecord(facts)
      .filter(({ standing: status }) => status === 'contradicted')
      .map(({ text, why }) => `${why} ("${text}")`),
  };
});
