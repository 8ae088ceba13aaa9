import type { Unavailable } from '../domain/service.ts';

type Ended = {
  /** Whether the attempt began before the agent was last found unavailable. */
  readonly overtaken: boolean;
  /** Whether an outside cause ended the attempt. */
  readonly outside: boolean;
  readonly unavailable: Unavailable | null;
};

/**
 * Returns the agent's availability after an attempt. Attempts that began earlier neither end a limit that another
 * attempt reached, nor count as repeated tries if they reach it, too.
 */
export function availabilityAfter(
  known: Unavailable | null,
  { overtaken, outside, unavailable }: Ended,
): Unavailable | null {
  if (known !== null && overtaken) return unavailable === null ? known : worse(known, unavailable);
  // If you stopped the attempt, it shows nothing about the agent, so the known state stays.
  return unavailable === null && outside ? known : unavailable;
}

/** Returns both states combined: the later end and the earlier beginning. */
function worse(known: Unavailable, other: Unavailable): Unavailable {
  const longer = endOf(other) > endOf(known) ? other : known;
  return { ...longer, since: known.since, tries: Math.max(known.tries, other.tries) };
}

function endOf({ until }: Unavailable): number {
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}
