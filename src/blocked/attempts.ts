import type { AttemptSummary, BlockedRecord } from '../domain/records/state.ts';
import { VERDICT_COUNTING, type VerdictKind } from '../domain/verdict.ts';

/** An attempt that ran for less than this share of its timeout was ended for lack of output. */
const RAN_OUT_SHARE = 0.95;

/** The attempts that led to the block; waits, interruptions and progress don't count. */
export function failedAttempts({ attempts }: Pick<BlockedRecord, 'attempts'>): readonly AttemptSummary[] {
  return attempts.filter(({ verdict }) => {
    // Verdicts of later versions and of other programs are failures unless they are known not to be.
    if (!Object.hasOwn(VERDICT_COUNTING, verdict)) return true;
    return VERDICT_COUNTING[verdict as VerdictKind].failedAttempt;
  });
}

/** True when more than half of the attempts are such. */
export function isMost(
  attempts: readonly AttemptSummary[],
  such: (attempt: AttemptSummary) => boolean,
): boolean {
  return attempts.filter(such).length * 2 > attempts.length;
}

/** Its whole timeout passed; more time doesn't help one that was ended for lack of output. */
export function ranOutOfTime({ verdict, durationMs, timeoutSeconds }: AttemptSummary): boolean {
  return verdict === 'timed_out' && durationMs >= timeoutSeconds * 1000 * RAN_OUT_SHARE;
}
