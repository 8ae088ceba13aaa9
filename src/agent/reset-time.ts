const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** An instant as ISO 8601 UTC; `null` when the number of milliseconds isn't a date. */
export function isoTime(epochMs: number): string | null {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Epoch milliseconds of an ISO date in a line; `null` when it is none. */
export function epochMs(iso: string): number | null {
  const value = Date.parse(iso);
  return Number.isNaN(value) ? null : value;
}

/**
 * When a limit ends, ISO 8601 UTC, from the words of an error: "try again at Mar 17th, 2030 5:46 PM", or "try again
 * in 20s" counted from `writtenAt` (epoch milliseconds of the line). `null` where the words don't have it: a time of
 * day alone needs a date, and a line without a time has no "from now".
 */
export function resetTime(message: string, writtenAt: number | null): string | null {
  return absoluteTime(message) ?? (writtenAt === null ? null : relativeTime(message, writtenAt));
}

/**
 * Codex prints the local time of the machine it runs on, which is the machine of ralph, to the minute. The end of
 * that minute is taken, so that a wait never ends before the limit does.
 */
function absoluteTime(message: string): string | null {
  const found =
    /try again at ([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (\d{1,2}):(\d{2}) ?([ap])m/i.exec(
      message,
    );
  if (!found) return null;
  const [, monthName = '', day, year, hour, minute, half = ''] = found;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return null;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return isoTime(new Date(Number(year), month, Number(day), hours, Number(minute) + 1).getTime());
}

function relativeTime(message: string, writtenAt: number): string | null {
  const found =
    /(?:try again|retry|resets) (?:in|after) (\d+(?:\.\d+)?) ?(s|m|h|d)(?:ec|in|our|ay)?(?:ond|ute)?s?\b/i.exec(
      message,
    );
  if (!found) return null;
  return isoTime(writtenAt + Math.ceil(Number(found[1]) * (UNIT_MS[(found[2] ?? '').toLowerCase()] ?? 0)));
}
