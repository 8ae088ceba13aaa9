import { own } from 'ralph-kit/own';
import { timeoutFor } from '../../decide/index.ts';
import { emptyProfile } from '../../domain/records/profile.ts';
import { type AgentProfile, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import type { Workspace } from './workspace.ts';

/** Returns the profile of the agent that the next run uses; for `auto`, of the last run's agent. */
export function profileOf({ store, config }: Workspace): AgentProfile {
  const agent = config.loop.agent === 'auto' ? store.state.runs.at(-1)?.agent : config.loop.agent;
  return own(store.state.profiles, agent ?? '') ?? emptyProfile(agent ?? '');
}

export function timeoutOf(project: Workspace, task: Task) {
  const { store, config, mode } = project;
  return timeoutFor({
    task,
    taskState: taskStateOf(store.state, task.id),
    profile: profileOf(project),
    mode,
    settings: config.adaptive_timeout,
  });
}

export function timeoutFields(project: Workspace, task: Task) {
  const { seconds, reason, level, warning } = timeoutOf(project, task);
  return { complexity: level, timeout_seconds: seconds, timeout_reason: reason, timeout_warning: warning };
}
