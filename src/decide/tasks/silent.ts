import type { AttemptSummary } from '../../domain/records/state.ts';
import { WITHOUT_BLOCK } from '../../domain/verdict.ts';

/** Attempts in a row from which on it isn't a slip of the agent. */
const SILENT_ATTEMPTS = 3;

/** What helps where the newest attempts at a task changed files and never claimed anything; `null`: they did. */
export function silentText(attempts: readonly AttemptSummary[]): string | null {
  const count = silentAttempts(attempts);
  return count < SILENT_ATTEMPTS
    ? null
    : `${count} attempts in a row ended without the status block, so the task can't be done. Have the agent print it at its end, or set [loop] completion = "gates" with gates that check the work.`;
}

/** Whether you are to be warned now: at the third such attempt, and at every third after it. */
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
