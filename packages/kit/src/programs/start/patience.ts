/** Returns a limit in milliseconds for ralph's own programs: `usual`, or `RALPH_PATIENCE` in seconds. */
export function patience(usual: number): number {
  const seconds = Number(process.env.RALPH_PATIENCE);
  return seconds > 0 && seconds <= LONGEST_S ? Math.ceil(seconds * 1000) : usual;
}

/** The longest limit: one day, in seconds. Node's timers take at most 24 days. */
const LONGEST_S = 86_400;

/** Returns the end of a sentence about a program that was stopped at its limit. */
export function lateText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const time = seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds * 10) / 10} s`;
  return `didn't end within ${time} and was stopped`;
}
