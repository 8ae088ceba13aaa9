import {
  type IncidentReport,
  RESUME_OPTIONS,
  type ResumeOption,
  resumeCommand,
} from '../../../domain/incident.ts';
import type { Limits, Resources } from '../../../domain/intervention.ts';

/** Why an option can't be chosen now; `null`: it can. */
type Against = {
  readonly rollback: string | null;
  readonly limits: string | null;
  readonly manual: string | null;
};

/**
 * Returns your options after an emergency stop.
 * @param checkpoint Checkpoint to go back to; `null`: none
 */
export function recoveryOptions(
  id: string,
  taskId: string,
  checkpoint: string | null,
  against: Against = { rollback: null, limits: null, manual: null },
): IncidentReport['recovery_options'] {
  const noCheckpoint =
    checkpoint === null ? `there is no safe checkpoint from before ${taskId} went wrong` : null;
  const why: Readonly<Partial<Record<ResumeOption, string | null>>> = {
    resume_with_limits: against.limits,
    rollback_and_retry: against.rollback ?? noCheckpoint,
    manual_intervention: against.manual,
  };
  const descriptions: Readonly<Record<ResumeOption, string>> = {
    resume_with_limits: `Continue with ${taskId} and the files as they are, under half of the limits, with commands that only read or are gates, and only where the agent's actions can be stopped.`,
    rollback_and_retry: `Put the files back to checkpoint ${checkpoint} and start ${taskId} anew. What they contain now is kept as a checkpoint of its own.`,
    manual_intervention: `Continue with ${taskId} and approve each write, deletion and command of its agent with \`ralph approvals\`, until it is done or \`ralph unblock ${taskId}\`; reading needs no approval.`,
    abort: `Give ${taskId} up: it is blocked, what can safely be cleaned up is, and the rest is listed.`,
  };
  return RESUME_OPTIONS.map((option) => ({
    option,
    description: why[option] == null ? descriptions[option] : `Not possible: ${why[option]}.`,
    command: resumeCommand(id, option),
    possible: why[option] == null,
  }));
}

/** Lowest limits with which a task can be worked on at all. A lower limit that is already set stays. */
const FLOORS = { fileOperations: 5, memoryMb: 128, tokens: 1000 } as const;
/** Lowest time limit, if there was none and half of the used time would be too little. */
const SHORTEST_SECONDS = 60;

/**
 * Returns stricter limits. Without a limit, it is half of the used amount; without a known amount, it stays 0 (no
 * limit).
 */
export function stricterLimits(limits: Limits, used: Resources): Limits {
  const half = (which: keyof typeof FLOORS) => {
    const limit = limits[which];
    const base = limit > 0 ? limit : used[which];
    if (base <= 0) return 0;
    const halved = Math.max(FLOORS[which], Math.floor(base / 2));
    return limit > 0 ? Math.min(limit, halved) : halved;
  };
  const { executionSeconds, batchSize } = limits;
  const seconds =
    executionSeconds > 0
      ? Math.max(1, Math.floor(executionSeconds / 2))
      : Math.max(SHORTEST_SECONDS, Math.floor(used.durationMs / 2000));
  return {
    fileOperations: half('fileOperations'),
    memoryMb: half('memoryMb'),
    tokens: half('tokens'),
    executionSeconds: executionSeconds > 0 || used.durationMs > 0 ? seconds : 0,
    batchSize: batchSize > 0 ? Math.max(1, Math.floor(batchSize / 2)) : 0,
  };
}
