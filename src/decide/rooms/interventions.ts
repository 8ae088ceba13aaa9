import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { strictest } from '../../domain/verdict.ts';
import { intervene, verdictAfter } from '../../respond/intervene/index.ts';
import { blockedAfter } from './block.ts';
import { type RoomVerdict, room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof' | 'interventions'>;
type Before = Pick<IterationDecisions, 'gateReport' | 'proof' | 'findings'> & {
  readonly verdicts: readonly RoomVerdict[];
};

/** What is done about the findings: a rollback takes the work away, a stop doesn't accept it. */
export const interventions = room('interventions', (facts: Facts, before: Before) => {
  const { findings } = before;
  const judged = strictest(before.verdicts);
  const isBlocked = blockedAfter(facts, { ...before, ...judged }, null) !== null;
  const intervened = intervene(facts, findings, judged.verdict, isBlocked);
  const { interventions, assessed, reinforce } = intervened;
  // Work at a task that is blocked now is set aside as it is, so that a rollback of it has nothing to do.
  const acting = interventions.filter(({ plan }) => !(isBlocked && plan.type === 'checkpoint_rollback'));
  return {
    intervened,
    interventions: [...interventions],
    assessed: [...assessed],
    reinforce: [...reinforce],
    verdicts: [verdictAfter(judged, acting, findings)],
  };
});
