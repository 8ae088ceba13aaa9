import type { KnownCheckpoint } from '../domain/intervention.ts';
import type { AttemptSummary } from '../domain/state.ts';
import { VERDICT_COUNTING, type VerdictKind } from '../domain/verdict.ts';
import { issueBegan } from './history.ts';
import type { ControlInput } from './input.ts';

/**
 * The newest safe checkpoint from before the issues began, at most `maxRollbackDepth` back: enough of the gates passed
 * there, and no attempt of the task had failed shortly before. `null` when there is none.
 */
export function chooseCheckpoint(
  {
    checkpoints,
    iteration,
    settings,
    taskState,
  }: Pick<ControlInput, 'checkpoints' | 'iteration' | 'settings' | 'taskState'>,
  issues: readonly string[],
): KnownCheckpoint | null {
  const { maxRollbackDepth, safeCheckpoint } = settings;
  // What was rolled back is undone: neither its issues nor its failures are in the tree any more.
  const undone = taskState.attempts.findLastIndex(({ verdict }) => verdict === 'rolled_back');
  const attempts = taskState.attempts.slice(undone + 1);
  const began = Math.min(...issues.map((issue) => issueBegan(attempts, issue, iteration)));
  const near = checkpoints.slice(Math.max(0, checkpoints.length - maxRollbackDepth));
  return (
    near.findLast(
      (checkpoint) =>
        // A checkpoint is the tree before its iteration.
        checkpoint.iteration <= began &&
        checkpoint.gateSuccess >= safeCheckpoint.minSuccessRate &&
        !failedShortlyBefore(checkpoint, attempts, safeCheckpoint.noErrorsSeconds),
    ) ?? null
  );
}

function failedShortlyBefore(
  checkpoint: KnownCheckpoint,
  attempts: readonly AttemptSummary[],
  seconds: number,
): boolean {
  const at = Date.parse(checkpoint.at);
  return attempts.some(({ verdict, startedAt, durationMs, iteration }) => {
    const endedAt = Date.parse(startedAt) + durationMs;
    return isFailure(verdict) && iteration < checkpoint.iteration && endedAt > at - seconds * 1000;
  });
}

function isFailure(verdict: string): boolean {
  return Object.hasOwn(VERDICT_COUNTING, verdict) && VERDICT_COUNTING[verdict as VerdictKind].failedAttempt;
}
