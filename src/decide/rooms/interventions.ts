import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { strictest } from '../../domain/verdict.ts';
import { intervene, verdictsAfter } from '../../respond/intervene/index.ts';
import { summarise } from '../attempt/summarise.ts';
import { blockedAfter } from './block.ts';
import { type RoomVerdict, room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof' | 'interventions'>;
type Before = Pick<IterationDecisions, 'gateReport' | 'proof' | 'testResults' | 'findings'> & {
  readonly verdicts: readonly RoomVerdict[];
};

/** Decides the interventions for findings. Work that leads to an emergency stop isn't accepted. */
export const interventions = room('interventions', (facts: Facts, before: Before) => {
  const { findings } = before;
  const judged = strictest(before.verdicts);
  const attempted = summarise(facts, { ...before, ...judged });
  const isBlocked = blockedAfter(facts, attempted, judged.verdict, null) !== null;
  const intervened = intervene(facts, findings, judged.verdict, isBlocked);
  const { interventions, leftOut, assessed, reinforce } = intervened;
  return {
    intervened,
    interventions: [...interventions],
    leftOut: [...leftOut],
    assessed: [...assessed],
    reinforce: [...reinforce],
    verdicts: verdictsAfter(judged, interventions, findings),
  };
});
