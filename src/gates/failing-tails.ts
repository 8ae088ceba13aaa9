import type { GateOutcome, GateResult } from '../domain/gate.ts';
import { formatDuration } from '../lib/duration.ts';
import { isFailing } from './aggregate-gates.ts';

/**
 * How the failing gates ended and the end of what they printed, for records and the screen; empty when none failed.
 * @param limit characters of output over all gates, shared equally
 */
export function failingTails(results: readonly GateResult[], limit: number): string {
  const failing = results.filter(({ outcome }) => isFailing(outcome));
  const share = Math.floor(limit / Math.max(1, failing.length));
  return failing
    .map(({ name, outcome, outputTail }) =>
      [`${name}: ${describe(outcome)}`, endOf(outputTail.trimEnd(), share)]
        .filter((part) => part !== '')
        .join('\n'),
    )
    .join('\n\n');
}

function describe(outcome: GateOutcome): string {
  if (outcome.kind === 'timed_out') return `timed out after ${formatDuration(outcome.afterMs)}`;
  if (outcome.kind !== 'failed') return outcome.kind;
  return outcome.exitCode === null
    ? `signal ${outcome.signal ?? 'unknown'}`
    : `exit code ${outcome.exitCode}`;
}

function endOf(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(text.length - limit);
}
