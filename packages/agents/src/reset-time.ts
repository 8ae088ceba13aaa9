import type { AgentEvent } from './event.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
};

/** Returns ISO 8601 UTC; `null` for an invalid date. */
export function isoTime(epochMs: number): string | null {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

export function epochMs(iso: string): number | null {
  const value = Date.parse(iso);
  return Number.isNaN(value) ? null : value;
}

/** Adds the reset time from a limit's words, relative to when the line was read, if the line had no time. */
export function withResetTime(event: AgentEvent, readAt: number): AgentEvent {
  if (event.kind !== 'limit' || event.resetsAt !== null) return event;
  return { ...event, resetsAt: resetTime(event.message, readAt), inWords: true };
}

/**
 * Returns a limit's end as ISO 8601 UTC from an error's words: "try again at Mar 17th, 2030 5:46 PM", "try again at
 * 3:59 AM", "resets 3pm (Europe/Berlin)", or "try again in 2 hours 5 minutes" after `writtenAt` (epoch milliseconds).
 * `null` without one. A time of day is the next one; it and relative times need `writtenAt`.
 */
export function resetTime(message: string, writtenAt: number | null): string | null {
  return (
    epochIn(message) ??
    dayIn(message) ??
    absoluteTime(message, writtenAt) ??
    (writtenAt === null ? null : relativeTime(message, writtenAt))
  );
}

/** Reads "usage limit reached|1767225600": seconds or milliseconds since 1970. */
function epochIn(message: string): string | null {
  const [, seconds, thousandths] = /\|(\d{10})(\d{3})?(?!\d)/.exec(message) ?? [];
  if (seconds === undefined) return null;
  return isoTime(Number(seconds) * SECOND_MS + Number(thousandths ?? 0));
}

/** Reads "You will regain access on 2026-12-01 at 00:00 UTC." */
function dayIn(message: string): string | null {
  const [, day, time] = /\baccess on (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC\b/.exec(message) ?? [];
  return day === undefined ? null : isoTime(Date.parse(`${day}T${time}Z`));
}

const AGAIN = '(?:try again|retry|available again|resets?)';
const CLOCK = String.raw`(\d{1,2})(?::(\d{2})(?::\d{2})?)?\s?(?:([ap])\.?m\b\.?)?`;
const DATE = String.raw`([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}),?)?(?: at)? `;
const ABSOLUTE = new RegExp(
  String.raw`\b${AGAIN}:?(?: (?:at|on|after))? (?:${DATE})?${CLOCK}(?:\s?\(?([A-Za-z_]+/[A-Za-z_/+-]+|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?)(?![\w+-])\)?)?`,
  'gi',
);

/** Wall clock as written; months count from 0. */
type Written = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
};

/** Agents use ralph's time zone or name one. The end of the minute is used, so that a wait never ends too early. */
function absoluteTime(message: string, writtenAt: number | null): string | null {
  for (const found of message.matchAll(ABSOLUTE)) {
    const [, monthName, day, year, hourText, minuteText, half, zone] = found;
    const hour = hourOf(Number(hourText), half);
    const minute = Number(minuteText ?? 0);
    // A number alone isn't a time of day.
    if (hour === null || minute > 59 || (minuteText === undefined && half === undefined)) continue;
    const end = { hour, minute: minute + 1 };
    if (monthName === undefined) {
      if (writtenAt === null) continue;
      // The moment meant is the next one with this time of day.
      const today = wallClock(writtenAt, zone);
      const then = [0, 1].map((days) => instant({ ...today, day: today.day + days, ...end }, zone));
      const next = then.find((at) => at > writtenAt);
      return next === undefined ? null : isoTime(next);
    }
    const month = MONTHS.indexOf(monthName.toLowerCase());
    if (month < 0 || (year === undefined && writtenAt === null)) continue;
    const inYear = (number: number) => instant({ ...end, year: number, month, day: Number(day) }, zone);
    if (year !== undefined) return isoTime(inYear(Number(year)));
    const thisYear = new Date(writtenAt ?? 0).getFullYear();
    return isoTime(inYear(thisYear) > (writtenAt ?? 0) ? inYear(thisYear) : inYear(thisYear + 1));
  }
  return null;
}

/** Returns the hour from 0 to 23; `null` for an invalid one. */
function hourOf(written: number, half: string | undefined): number | null {
  if (half === undefined) return written <= 23 ? written : null;
  if (written < 1 || written > 12) return null;
  return (written % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Returns epoch milliseconds of a wall clock's time; without a zone, of this machine's. */
function instant({ year, month, day, hour, minute }: Written, zone: string | undefined): number {
  if (zone === undefined) return new Date(year, month, day, hour, minute).getTime();
  const asUtc = Date.UTC(year, month, day, hour, minute);
  // Repeated because the first guess may be across a clock change.
  const guess = asUtc - offsetMs(asUtc, zone);
  return asUtc - offsetMs(guess, zone);
}

function wallClock(at: number, zone: string | undefined): Written {
  const local = new Date(at);
  if (zone === undefined) {
    return {
      year: local.getFullYear(),
      month: local.getMonth(),
      day: local.getDate(),
      hour: local.getHours(),
      minute: local.getMinutes(),
    };
  }
  const there = new Date(at + offsetMs(at, zone));
  return {
    year: there.getUTCFullYear(),
    month: there.getUTCMonth(),
    day: there.getUTCDate(),
    hour: there.getUTCHours(),
    minute: there.getUTCMinutes(),
  };
}

/** Returns a zone's offset from UTC in milliseconds; 0 for unknown zones. */
function offsetMs(at: number, zone: string): number {
  // `GMT-3` is behind UTC, although zone tables reverse the sign.
  const [, ahead, hour = '0', minute = '0'] = /^(?:UTC|GMT)([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  if (ahead !== undefined)
    return (ahead === '-' ? -1 : 1) * (Number(hour) * (UNIT_MS.h ?? 0) + Number(minute) * MINUTE_MS);
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d+):?(\d+)?/.exec(name) ?? [];
    const offset = Number(hours) * (UNIT_MS.h ?? 0) + Number(minutes) * MINUTE_MS;
    return sign === '-' ? -offset : offset;
  } catch {
    return 0;
  }
}

const AMOUNT = String.raw`(\d+(?:\.\d+)?)\s?(ms|milliseconds?|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)`;
const RELATIVE = new RegExp(
  String.raw`\b${AGAIN}:? (?:in|after) (?:about |approximately |~)?(less than a minute|${AMOUNT}(?![a-z])(?:(?:,| and|, and)?\s?${AMOUNT}(?![a-z]))*|${AMOUNT}(?:${AMOUNT})+(?![a-z]))`,
  'i',
);

function relativeTime(message: string, writtenAt: number): string | null {
  const words = RELATIVE.exec(message)?.[1];
  if (words === undefined) return null;
  if (/^less/i.test(words)) return isoTime(writtenAt + MINUTE_MS);
  let ms = 0;
  for (const [, amount, unit = ''] of words.matchAll(new RegExp(AMOUNT, 'gi'))) {
    ms += Number(amount) * (/^(?:ms|milli)/i.test(unit) ? 1 : (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 0));
  }
  return isoTime(writtenAt + Math.ceil(ms));
}
