import type { AgentSession } from '../../domain/agent.ts';
import type { TaskState } from '../../domain/records/state.ts';
import { timesReplaced } from '../../domain/workflow/roles.ts';

/**
 * The session that the next attempt continues (`[loop] resume`): that of the attempt before, of the same agent. A
 * session that broke down isn't continued, and a recovery starts afresh.
 */
export function sessionToResume(taskState: TaskState, agent: string): AgentSession | null {
  // An agent that was replaced is followed by a fresh session, whoever works in it.
  if (timesReplaced(taskState.workflow, 'maker') > 0) return null;
  if (taskState.recovering !== null) return null;
  const last = taskState.attempts.at(-1);
  if (last === undefined || last.agent !== agent || last.verdict === 'agent_error') return null;
  return last.session;
}
