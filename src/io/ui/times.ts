const ISO_TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z/g;
/** A wait shorter than this is shown to the second. */
const SHORT_MS = 10 * 60_000;

/** Returns the time left (milliseconds) for a countdown: "1h 12m 04s", "2m 30s", "12s". */
export function countdown(leftMs: number): string {
  const [hours, minutes, seconds] = parts(Math.max(0, Math.ceil(leftMs / 1000)));
  if (hours > 0) return `${hours}h ${two(minutes)}m ${two(seconds)}s`;
  return minutes > 0 ? `${minutes}m ${two(seconds)}s` : `${seconds}s`;
}

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

/** Returns the local time of day to the minute; the date is added when it isn't today. */
export function clockTimeNow(iso: string): string {
  return clockTime(iso, new Date());
}

/** Returns the local time of day, to the second when it is near. */
export function localTimeNow(iso: string): string {
  return localTime(iso, new Date());
}

/** Returns a text with each time in it (ISO 8601 UTC) as the screen shows it: "14:05 (in 3h 12m)". */
export function withLocalTimes(text: string, now: Date): string {
  return text.replace(ISO_TIME, (iso) => {
    const leftMs = Date.parse(iso) - now.getTime();
    if (Number.isNaN(leftMs)) return iso;
    const time = localTime(iso, now);
    return leftMs <= 0 ? time : `${time} (in ${roughly(leftMs)})`;
  });
}

function date(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function roughly(leftMs: number): string {
  if (leftMs < SHORT_MS) return countdown(leftMs);
  const [hours, minutes] = parts(Math.round(leftMs / 60_000) * 60);
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  return hours > 0 ? `${hours}h ${two(minutes)}m` : `${minutes}m`;
}

function parts(seconds: number): [hours: number, minutes: number, seconds: number] {
  return [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
