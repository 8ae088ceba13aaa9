import { parseDuration } from 'ralph-kit/duration';

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Returns the next time that a text means: a time of day, a date and time, or a duration from now. Times are local
 * unless a zone is named. A time that a clock change skips is moved later by the same amount. `null`: other text.
 */
export function untilOf(text: string, now: Date): Date | null {
  const given = text.trim();
  const [, hour, minute] = TIME_OF_DAY.exec(given) ?? [];
  if (hour !== undefined) return nextTimeOfDay(Number(hour), Number(minute), now);
  const parts = DATE_TIME.exec(given);
  if (parts !== null) return dateTimeOf(parts);
  // A number alone could also mean an hour.
  const seconds = /^[\d.]+$/.test(given) ? null : parseDuration(given);
  const at = seconds === null || seconds === 0 ? null : new Date(now.getTime() + seconds * 1000);
  return at === null || Number.isNaN(at.getTime()) ? null : at;
}

/**
 * Returns the last time that a text means: a time of day, a date and time, or a duration ago, in local time; `null`:
 * other text.
 */
export function sinceOf(text: string, now: Date): Date | null {
  const given = text.trim();
  const [, hour, minute] = TIME_OF_DAY.exec(given) ?? [];
  if (hour !== undefined) {
    const today = [0, -1].map(
      (days) =>
        new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, Number(hour), Number(minute)),
    );
    return today.find((at) => at.getTime() <= now.getTime()) ?? null;
  }
  const at = untilOf(given, now);
  if (at === null || DATE_TIME.test(given)) return at;
  return new Date(2 * now.getTime() - at.getTime());
}

/** Amounts by which clocks are set back. A time of day then occurs a second time. */
const SECOND_TIMES_MS = [30 * 60_000, 60 * 60_000];

function nextTimeOfDay(hour: number, minute: number, now: Date): Date {
  const candidates = [0, 1].flatMap((days) => {
    const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, minute);
    const again = SECOND_TIMES_MS.map((ms) => new Date(at.getTime() + ms));
    return [at, ...again.filter((one) => one.getHours() === hour && one.getMinutes() === minute)];
  });
  return candidates.find((at) => at.getTime() > now.getTime()) ?? now;
}

function dateTimeOf([
  text = '',
  year,
  month,
  day,
  hour,
  minute,
  second = '0',
  zone,
]: RegExpExecArray): Date | null {
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day)];
  const known = new Date(Date.UTC(y, m, d));
  // Date.UTC accepts February 30 and makes it a day in March.
  if (known.getUTCMonth() !== m || known.getUTCDate() !== d) return null;
  if (zone === undefined) return new Date(y, m, d, Number(hour), Number(minute), Number(second));
  const at = new Date(
    text
      .toUpperCase()
      .replace(' ', 'T')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
  );
  return Number.isNaN(at.getTime()) ? null : at;
}
