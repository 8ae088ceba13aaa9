import { formatDuration } from 'ralph-kit/duration';

const ISO_TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z/g;
/** A wait shorter than this is shown to the second. */
const SHORT_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns a recorded time in the local zone: "2030-01-31 14:05:30". A text that isn't a time is returned as
 * it is.
 */
export function dateTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return `${date(at)} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/**
 * Returns the local time of day to the minute, with the date when that isn't today: "14:05", "2030-01-31
 * 14:05".
 */
export function clockTime(iso: string, now: Date): string {
  const at = new Date(iso);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return date(at) === date(now) ? time : `${date(at)} ${time}`;
}

/** Returns the local time to the minute, and to the second when it is near or `isExact`: "14:05:30". */
export function localTime(iso: string, now: Date, isExact = false): string {
  const at = new Date(iso);
  const near = Math.abs(at.getTime() - now.getTime()) < SHORT_MS && (isExact || at.getSeconds() !== 0);
  return `${clockTime(iso, now)}${near ? `:${two(at.getSeconds())}` : ''}`;
}

/** Records hold times as ISO 8601 UTC; the screen shows "14:05 (in 3 h 12 min)". */
export function withLocalTimes(text: string, now: Date): string {
  return text.replace(ISO_TIME, (iso) => {
    const leftMs = Date.parse(iso) - now.getTime();
    if (Number.isNaN(leftMs)) return iso;
    const time = localTime(iso, now);
    return leftMs <= 0 ? time : `${time} (in ${roughly(leftMs)})`;
  });
}

/** "0:34", "12:05", "1:02:05" */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}

const MINUTE = 60_000;

/** As exact as a guess is: to the minute below ten, to five below an hour, then to half an hour. */
export function timeLeftText(thoughtMs: number | null, passedMs: number): string {
  const left = thoughtMs === null ? 0 : thoughtMs - passedMs;
  if (left <= 0) return '';
  const minutes = left / MINUTE;
  if (minutes < 9.5) return `about ${Math.max(1, Math.round(minutes))} min left`;
  if (minutes < 57.5) return `about ${Math.round(minutes / 5) * 5} min left`;
  return `about ${Math.round(minutes / 30) / 2} h left`;
}

function date(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns the time left as a duration: to the second when it is short, else to the minute. */
function roughly(leftMs: number): string {
  if (leftMs >= 2 * DAY_MS) return `${Math.round(leftMs / DAY_MS)} days`;
  const step = leftMs < SHORT_MS ? 1000 : MINUTE;
  return formatDuration(Math.round(leftMs / step) * step);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
