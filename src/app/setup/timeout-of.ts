import { timeoutFor } from '../../decide/index.ts';
import { emptyProfile } from '../../domain/records/profile.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import type { Workspace } from './workspace.ts';

/** With what the agent of the coming run has learned, as far as its name is known before one is looked for. */
export function timeoutOf({ store, config, mode }: Workspace, task: Task) {
  const agent = config.loop.agent === 'auto' ? store.state.runs.at(-1)?.agent : config.loop.agent;
  const profiles = store.state.profiles;
  const profile = agent !== undefined && Object.hasOwn(profiles, agent) ? profiles[agent] : undefined;
  return timeoutFor({
    task,
    taskState: taskStateOf(store.state, task.id),
    profile: profile ?? emptyProfile(agent ?? ''),
    mode,
    settings: config.adaptive_timeout,
  });
}

/** A task's time limit wherever a task is shown. */
export function timeoutFields(project: Workspace, task: Task) {
  const { seconds, reason, level, warning } = timeoutOf(project, task);
  return { complexity: level, timeout_seconds: seconds, timeout_reason: reason, timeout_warning: warning };
}
