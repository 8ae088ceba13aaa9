import type { AgentAvailability } from '../../domain/records/choice.ts';
import { CONSEQUENCES } from '../../domain/service.ts';
import { waitLeftMs } from '../choice/available-agent.ts';

/**
 * Milliseconds for which an account isn't used after a limit of unknown end. The next run tries it again and reports
 * the result.
 */
const UNKNOWN_MS = 24 * 3600_000;

/** Returns for each agent the milliseconds for which no worker may start it; 0: its account has no limit now. */
export function limitedAccounts(
  agents: readonly AgentAvailability[],
  now: string,
): ReadonlyMap<string, number> {
  return new Map(
    agents.map(({ name, unavailable }) => {
      // A missing sign-in or program affects only one machine, not the account.
      const isLimited = unavailable !== null && CONSEQUENCES[unavailable.kind].concerns === 'account';
      return [name, isLimited ? (waitLeftMs(unavailable, now) ?? UNKNOWN_MS) : 0];
    }),
  );
}
