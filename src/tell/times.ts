const ISO_TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z/g;
/** A wait shorter than this is shown to the second. */
const SHORT_MS = 10 * 60_000;

/** Time that is left, in milliseconds, for a line that counts down: "1h 12m 04s", "2m 30s", "12s". */
export function countdown(leftMs: number): string {
  const [hours, minutes, seconds] = parts(Math.max(0, Math.ceil(leftMs / 1000)));
  if (hours > 0) return `${hours}h ${two(minutes)}m ${two(seconds)}s`;
  return minutes > 0 ? `${minutes}m ${two(seconds)}s` : `${seconds}s`;
}

/** A moment on record, where ralph runs: "2030-01-31 14:05:30". What isn't a time stays as it is. */
export function dateTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return `${date(at)} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The time of day where ralph runs, to the minute; with the date when it is another day: "14:05", "2030-01-31 14:05". */
export function clockTime(iso: string, now: Date): string {
  const at = new Date(iso);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return date(at) === date(now) ? time : `${date(at)} ${time}`;
}

/** The same, to the second when it is near, and not a full minute unless `isExact`: "14:05:30". */
export function localTime(iso: string, now: Date, isExact = false): string {
  const at = new Date(iso);
  const near = Math.abs(at.getTime() - now.getTime()) < SHORT_MS && (isExact || at.getSeconds() !== 0);
  return `${clockTime(iso, now)}${near ? `:${two(at.getSeconds())}` : ''}`;
}

/** The time of day to the minute, seen from now. */
export function clockTimeNow(iso: string): string {
  return clockTime(iso, new Date());
}

/** The time of day, to the second when it is near, seen from now. */
export function localTimeNow(iso: string): string {
  return localTime(iso, new Date());
}

/** Records hold times as ISO 8601 UTC; the screen shows "14:05 (in 3h 12m)". */
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
