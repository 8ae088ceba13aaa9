import { budgetShare } from '../domain/policy/budget.ts';
import type { PolicyFacts, QualityFacts, TaskQuality } from '../domain/records/policy.ts';

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

/** At a checkpoint, whether more of the budget is spent than runs continue with. */
export function isOverCheckpoint({
  limits,
  spent,
  checkpoint,
}: Pick<PolicyFacts, 'limits' | 'spent' | 'checkpoint'>): boolean {
  if (checkpoint.stopAbove >= 1) return false;
  return (budgetShare(limits, spent)?.share ?? 0) > checkpoint.stopAbove;
}

/** Lines of a diff that can be reviewed at once; a larger one counts less. */
const LINES_AT_ONCE = 400;

/** 0 to 1: how well a task was done. */
export function qualityScore({ gatesAtFirstTry, attempts, findings, diffLines }: QualityFacts): number {
  const gates = gatesAtFirstTry ? 1 : 0;
  const tries = 1 / Math.max(1, attempts);
  const clean = 1 / (1 + findings);
  const size = Math.min(1, LINES_AT_ONCE / Math.max(1, diffLines));
  return 0.4 * gates + 0.3 * tries + 0.2 * clean + 0.1 * size;
}
