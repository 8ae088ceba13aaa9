const UNIT_SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400 };

/** Returns seconds of a number ≥ 0 or a text such as "90", "0.2", "90s", "1h30m"; `null` for anything else. */
export function parseDuration(value: number | string): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  const text = value.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d)\s*)+$/.test(text)) return null;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit ?? ''] ?? 0);
  }
  return seconds;
}

/** Returns the duration meant by an invalid text, `30m` for "30 minutes"; `null` when unknown. */
export function nearestDuration(text: string): string | null {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|[smhd])[a-z]*\.?$/i.exec(
    text.trim().replace(/^(\d+)\s*mil.*$/i, '$1ms'),
  );
  return match === null ? null : `${match[1]}${match[2]?.toLowerCase()}`;
}

/** Formats milliseconds: "0.4 s", "12 s", "3 min 20 s", "1 h 5 min". */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
