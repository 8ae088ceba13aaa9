import { formatDuration, parseDuration } from 'ralph-kit/duration';
import type { StrategyFacts } from '../../domain/records/blocked.ts';
import { type Failure, failure } from '../result.ts';

type Timing = {
  readonly ok: true;
  /** Returns the time limit in seconds; `null`: it is calculated as usual. */
  readonly timeoutFor: (attempts: readonly { readonly timeoutSeconds: number }[]) => number | null;
};

export function readTiming(
  command: string,
  {
    timeout,
    timeoutMultiplier,
  }: { readonly timeout: string | null; readonly timeoutMultiplier: string | null },
): Timing | Failure {
  const help = `ralph ${command} --help`;
  if (timeout !== null && timeoutMultiplier !== null) {
    return failure('--timeout and --timeout-multiplier exclude each other.', help);
  }
  if (timeout !== null) {
    const value = parseDuration(timeout);
    if (value === null || value <= 0 || !Number.isFinite(value)) {
      return failure(
        `--timeout ${JSON.stringify(timeout)} isn't a duration; use 90s, 30m or 2h, or seconds such as 600.`,
        help,
      );
    }
    return { ok: true, timeoutFor: () => value };
  }
  if (timeoutMultiplier === null) return { ok: true, timeoutFor: () => null };
  const factor = /^\d+(\.\d+)?$/.test(timeoutMultiplier) ? Number(timeoutMultiplier) : 0;
  if (factor <= 0 || !Number.isFinite(factor)) {
    return failure(
      `--timeout-multiplier ${JSON.stringify(timeoutMultiplier)} isn't a factor; use a number above 0, such as 3.0.`,
      help,
    );
  }
  return {
    ok: true,
    timeoutFor: (attempts) => {
      const longest = Math.max(0, ...attempts.map(({ timeoutSeconds }) => timeoutSeconds));
      return longest === 0 ? null : Math.round(longest * factor * 1000) / 1000;
    },
  };
}

export function timingWarnings(
  { taskId, maxTimeoutSeconds: max }: Pick<StrategyFacts, 'taskId' | 'maxTimeoutSeconds'>,
  timeoutSeconds: number | null,
  timeoutMultiplier: string | null,
): readonly string[] {
  const inWords = (value: number) => formatDuration(value * 1000);
  if (timeoutSeconds === null)
    return timeoutMultiplier === null
      ? []
      : [`${taskId}: no attempt is on record whose timeout could be multiplied.`];
  if (timeoutSeconds <= max) return [];
  return [
    `${taskId}: ${inWords(timeoutSeconds)} is above max_timeout (${inWords(max)}). It is used as given.`,
  ];
}
