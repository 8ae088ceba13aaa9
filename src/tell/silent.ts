import type { AttemptSummary } from '../domain/records/state.ts';
import { WITHOUT_BLOCK } from '../domain/verdict.ts';

/** Number of attempts in a row from which on a missing claim isn't an accident. */
const SILENT_ATTEMPTS = 3;

/** Returns advice if the newest attempts changed files without any claim; `null`: one of them had a claim. */
export function silentText(attempts: readonly AttemptSummary[]): string | null {
  const count = silentAttempts(attempts);
  return count < SILENT_ATTEMPTS
    ? null
    : `${count} attempts in a row ended without the status block, so the task can't be done. Have the agent print it at its end, or set [loop] completion = "gates" with gates that check the work.`;
}

/** Returns whether to warn you now: at the third attempt in a row without a claim, and at every third one after it. */
export function isNewlySilent(attempts: readonly AttemptSummary[]): boolean {
  const count = silentAttempts(attempts);
  return count > 0 && count % SILENT_ATTEMPTS === 0;
}

function silentAttempts(attempts: readonly AttemptSummary[]): number {
  return attempts.length - 1 - attempts.findLastIndex((one) => !isSilent(one));
}

function isSilent({ verdict, cause }: AttemptSummary): boolean {
  return verdict === 'progress' && cause.includes(WITHOUT_BLOCK);
}
