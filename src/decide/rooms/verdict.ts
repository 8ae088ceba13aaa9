import type { IterationDecisions } from '../../domain/records/iteration.ts';
import { strictest, VERDICT_COUNTING } from '../../domain/verdict.ts';
import { isSetAside } from '../../respond/intervene/index.ts';
import { type RoomVerdict, room } from './room.ts';

type Before = Pick<IterationDecisions, 'interventions' | 'leftOut'> & {
  readonly verdicts: readonly RoomVerdict[];
};

export const verdict = room('verdict', (_: unknown, before: Before) => {
  const { verdicts } = before;
  const { verdict, cause } = strictest(verdicts);
  return {
    verdict,
    cause,
    failedAttempt: VERDICT_COUNTING[verdict.kind].failedAttempt || isSetAside(before),
    rooms: verdicts.map(({ room, verdict: { kind } }) => ({ room, verdict: kind })),
  };
});
