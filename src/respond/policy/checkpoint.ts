import { budgetShare, type PolicyFacts, type QualityFacts, type TaskQuality } from '../../domain/policy.ts';

/** Why a checkpoint is due. */
export type CheckpointDue = 'tasks' | 'time';

/** Whether a checkpoint is due: after so many tasks, or so long, whichever comes first. */
export function checkpointDue({ checkpoint }: Pick<PolicyFacts, 'checkpoint'>): CheckpointDue | null {
  const { everyMs, everyTasks, ms, done } = checkpoint;
  if (everyTasks > 0 && done >= everyTasks) return 'tasks';
  return everyMs > 0 && ms >= everyMs ? 'time' : null;
}

/** How far the quality of the last task may lie under the first's. */
export const QUALITY_LOSS = 0.2;

/** Whether the last task is worse than the first by more than the policy allows. */
export function isDegrading({
  first,
  last,
}: {
  readonly first: TaskQuality | null;
  readonly last: TaskQuality | null;
}): boolean {
  if (first === null || last === null) return false;
  // Rounded: 0.8 of 1 lies exactly at the limit, whatever binary fractions make of it.
  return Math.round(last.score * 1e6) < Math.round(first.score * (1 - QUALITY_LOSS) * 1e6);
}

/** The share of the budget above which a run stops at a checkpoint. */
export const STOP_ABOVE = 0.8;

/** At a checkpoint, whether more of the budget is spent than runs continue with. */
export function isOverCheckpoint({ limits, spent }: Pick<PolicyFacts, 'limits' | 'spent'>): boolean {
  return (budgetShare(limits, spent)?.share ?? 0) > STOP_ABOVE;
}

/** Lines of a diff that can be reviewed at once; a larger one counts less. */
const LINES_AT_ONCE = 400;

/**
 * What a task loses by each sign, so that one that took a second attempt isn't a night that gets worse: only a task with
 * several of them lies more than `QUALITY_LOSS` under a task without any.
 */
const LOSS = { gates: 0.05, attempt: 0.05, finding: 0.03, size: 0.1 } as const;
const MOST = { attempts: 3, findings: 5 } as const;

/** 0 to 1: how well a task was done. */
export function qualityScore({ gatesAtFirstTry, attempts, findings, diffLines }: QualityFacts): number {
  const size = 1 - Math.min(1, LINES_AT_ONCE / Math.max(1, diffLines));
  return (
    1 -
    (gatesAtFirstTry ? 0 : LOSS.gates) -
    LOSS.attempt * Math.min(MOST.attempts, Math.max(0, attempts - 1)) -
    LOSS.finding * Math.min(MOST.findings, findings) -
    LOSS.size * size
  );
}
