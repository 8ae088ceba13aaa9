import type { Unavailable } from '../domain/records/state.ts';

type Ended = {
  /** It began before the agent was last found unavailable. */
  readonly overtaken: boolean;
  /** A cause outside of the work ended it. */
  readonly outside: boolean;
  readonly unavailable: Unavailable | null;
};

/**
 * What is known of an agent's availability after another attempt of it. Attempts that were at work when one of them met a
 * limit end on their own: none of them takes it away, and those that meet it, too, don't make a row of it.
 */
export function availabilityAfter(
  known: Unavailable | null,
  { overtaken, outside, unavailable }: Ended,
): Unavailable | null {
  if (known !== null && overtaken) return unavailable === null ? known : worse(known, unavailable);
  // Your stop isn't about the agent, so what was known of it stays.
  return unavailable === null && outside ? known : unavailable;
}

/** The one that lasts longer, from the first moment on. */
function worse(known: Unavailable, other: Unavailable): Unavailable {
  const longer = endOf(other) > endOf(known) ? other : known;
  return { ...longer, since: known.since, tries: Math.max(known.tries, other.tries) };
}

function endOf({ until }: Unavailable): number {
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}
