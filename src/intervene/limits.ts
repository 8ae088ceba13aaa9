import type { InterventionRecord } from '../domain/intervention.ts';
import type { ControlInput } from './input.ts';

/** Whether the last intervention on an issue is too young for another. A clock that was set back holds nothing up. */
export function isCoolingDown(
  recordsOnIssue: readonly InterventionRecord[],
  { at, settings }: Pick<ControlInput, 'at' | 'settings'>,
): boolean {
  const last = recordsOnIssue.at(-1);
  if (last === undefined) return false;
  const elapsedMs = Date.parse(at) - Date.parse(last.at);
  return elapsedMs >= 0 && elapsedMs < settings.cooldownSeconds * 1000;
}

type Room = {
  /** How many more interventions this iteration may apply. */
  readonly left: number;
  /** Whether it is the task's limit that leaves none. */
  readonly taskIsFull: boolean;
};

/** What the limits per task and per run leave. 0 in the settings: no limit. */
export function roomFor({ settings, taskState, runInterventions }: ControlInput): Room {
  const ofTask = leftOf(settings.maxPerTask, taskState.interventionCount);
  return { left: Math.min(ofTask, leftOf(settings.maxPerRun, runInterventions)), taskIsFull: ofTask === 0 };
}

function leftOf(limit: number, used: number): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : Math.max(0, limit - used);
}
