import type { Unavailable } from '../../domain/records/state.ts';
import type { Verdict } from '../../domain/verdict.ts';

/** The first wait after a cause outside of the work; each further one is twice as long (docs/adr/0013). */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** A limit that resets in this very moment is given so long all the same: no two clocks agree. */
const LEAST_WAIT_MS = 2_000;

/**
 * Waits in a row after which an agent is given up for this run. A limit passes, so it is waited for the
 * longest: 6 h 30 min in all. An outage: 1 h 30 min. A failed sign-in seldom passes: 3 min 30 s.
 */
const MOST_WAITS: Readonly<Record<Unavailable['kind'], number>> = {
  rate_limited: 30,
  outage: 10,
  auth: 3,
  spawn_failed: 0,
};

/** Milliseconds to wait after so many attempts in a row (1, 2, …) that a cause outside of the work ended. */
export function backOffMs(tries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30));
}

/**
 * What a verdict means for the availability of its agent; `null` when its cause is not outside of the work. `before`
 * is what was known when the attempt began. Attempts in a row count together whatever each of them ended by. A limit
 * that is hit again has to name a time beyond the back-off to be believed.
 *
 * @param endedAt ISO 8601 UTC.
 */
export function unavailableAfter(
  before: Unavailable | null,
  verdict: Verdict,
  endedAt: string,
): Unavailable | null {
  const { kind } = verdict;
  if (kind !== 'rate_limited' && kind !== 'auth' && kind !== 'outage' && kind !== 'spawn_failed') return null;
  const tries = (before?.tries ?? 0) + 1;
  const base = { kind, message: verdict.message, since: before?.since ?? endedAt, tries };
  if (tries > MOST_WAITS[kind]) return { ...base, until: null, resetKnown: false };
  const ended = Date.parse(endedAt);
  const wait = backOffMs(tries);
  const resets = kind === 'rate_limited' && verdict.resetsAt !== null ? Date.parse(verdict.resetsAt) : null;
  const resetKnown = resets !== null && resets > (tries === 1 ? ended : ended + wait);
  const until = resetKnown ? Math.max(resets, ended + LEAST_WAIT_MS) : ended + wait;
  return { ...base, until: new Date(until).toISOString(), resetKnown };
}

/**
 * Milliseconds until the agent may be tried again, 0 when it may now; `null` when it is given up for this run. A
 * back-off that seems to be longer than it was made has seen the clock set back, and is over.
 */
export function waitLeftMs({ until, resetKnown, tries }: Unavailable, now: string): number | null {
  if (until === null) return null;
  const left = Date.parse(until) - Date.parse(now);
  return left <= 0 || (!resetKnown && left > backOffMs(tries)) ? 0 : left;
}
