import { type IncidentReport, RESUME_OPTIONS, type ResumeOption } from '../domain/incident.ts';
import { unreachable } from '../lib/unreachable.ts';

/** What a person can choose, each with the command for it. `checkpoint`: what could be gone back to. */
export function recoveryOptions(
  id: string,
  taskId: string,
  checkpoint: string | null,
): IncidentReport['recovery_options'] {
  return RESUME_OPTIONS.map((option) => ({
    option,
    description: describe(option, taskId, checkpoint),
    command: `ralph resume ${id} --option ${option}`,
    possible: option !== 'rollback_and_retry' || checkpoint !== null,
  }));
}

function describe(option: ResumeOption, taskId: string, checkpoint: string | null): string {
  switch (option) {
    case 'resume_with_limits':
      return `Go on with ${taskId} as the files are now, under half of the limits, with commands that only look or are gates, and only where the agent's actions can be held back.`;
    case 'rollback_and_retry':
      return checkpoint === null
        ? `Not possible: there is no safe checkpoint from before ${taskId} went wrong.`
        : `Put the files back to checkpoint ${checkpoint} and begin ${taskId} anew. What they hold now is kept as a checkpoint of its own.`;
    case 'manual_intervention':
      return `Take ${taskId} over: it is parked for you, and the other tasks go on.`;
    case 'abort':
      return `Give ${taskId} up: it is blocked, what can safely be cleaned up is, and the rest is listed.`;
    default:
      return unreachable(option);
  }
}
