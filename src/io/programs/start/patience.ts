/**
 * How long ralph waits for a program of its own, in milliseconds: `usual`, or the seconds of `RALPH_PATIENCE`, for a machine on which
 * programs take longer, or may not.
 */
export function patience(usual: number): number {
  const seconds = Number(process.env.RALPH_PATIENCE);
  return seconds > 0 && seconds <= LONGEST_S ? Math.ceil(seconds * 1000) : usual;
}

/** A day. Node's timers know no longer one than 24 of them. */
const LONGEST_S = 86_400;

/** What is said of a program that was ended at its limit, in milliseconds: the rest of a sentence. */
export function lateText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const time = seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds * 10) / 10} s`;
  return `didn't end within ${time} and was stopped`;
}
