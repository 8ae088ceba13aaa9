import { strictest, VERDICT_COUNTING } from '../../domain/verdict.ts';
import { type RoomVerdict, room } from './room.ts';

/** The verdict: the strictest of those that the rooms give. */
export const verdict = room(
  'verdict',
  (_: unknown, { verdicts }: { readonly verdicts: readonly RoomVerdict[] }) => {
    const { verdict, cause } = strictest(verdicts);
    return {
      ...{ verdict, cause },
      failedAttempt: VERDICT_COUNTING[verdict.kind].failedAttempt,
      rooms: verdicts.map(({ room, verdict: { kind } }) => ({ room, verdict: kind })),
    };
  },
);
