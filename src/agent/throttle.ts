/** Words of a service that had too many requests at once, whatever else it says of limits. */
const AT_ONCE =
  /too many requests|slow down|concurren(?:t|cy)|(?:per|a|each|\/)[\s_-]?(?:minute|min|second|sec)\b|\b[RTI]P[MS]\b/i;
/** Words that stand for both, so that the time decides. */
const EITHER = /rate.?limit/i;

/** The longest that a service asks for which only wants fewer requests at once. */
const LONGEST_MS = 2 * 60_000;

/**
 * Whether a limit is one of requests in a minute, and not of what an account may use in hours or days.
 *
 * @param resetsInMs `null`: the service doesn't say when.
 */
export function isThrottle(message: string, resetsInMs: number | null): boolean {
  if (resetsInMs !== null && resetsInMs > LONGEST_MS) return false;
  return AT_ONCE.test(message) || (resetsInMs !== null && EITHER.test(message));
}
