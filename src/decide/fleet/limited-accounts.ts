import type { AgentAvailability } from '../../domain/records/choice.ts';
import { CONSEQUENCES } from '../../domain/service.ts';
import { waitLeftMs } from '../choice/available-agent.ts';

/** An account whose limit has no known end is tried in the next run, which says so itself. In milliseconds. */
const UNKNOWN_MS = 24 * 3600_000;

/** For how many milliseconds from `now` on no worker may start with an agent: 0 where its account is at no limit. By agents. */
export function limitedAccounts(
  agents: readonly AgentAvailability[],
  now: string,
): ReadonlyMap<string, number> {
  return new Map(
    agents.map(({ name, unavailable }) => {
      // A sign-in or a program that is missing is the matter of one machine.
      const isLimited = unavailable !== null && CONSEQUENCES[unavailable.kind].ofAccount;
      return [name, isLimited ? (waitLeftMs(unavailable, now) ?? UNKNOWN_MS) : 0];
    }),
  );
}
