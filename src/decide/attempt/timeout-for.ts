import type { AgentProfile, TaskState } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { own } from '../../lib/own.ts';
import { type AdaptiveTimeout, attemptTimeout, classify, levelsOf } from '../timing/index.ts';

/** How a run works; `timeoutSeconds` is `null` where the mode has none: the level's base stands in. */
export type Mode = { readonly name: string; readonly timeoutSeconds: number | null };

type TimeoutOptions = {
  readonly task: Task;
  readonly taskState: TaskState;
  /** Of the agent that would take the task up. */
  readonly profile: AgentProfile;
  readonly mode: Mode;
  readonly settings: AdaptiveTimeout;
};

/** What a task is taken to be, and the time limit of its coming attempt with the reason. */
export function timeoutFor({ task, taskState, profile, mode, settings }: TimeoutOptions) {
  const classification = classify(task, levelsOf(settings));
  const { level } = classification;
  const durationsMs = own(profile.levels, level)?.durationsMs;
  const timeout = attemptTimeout({
    task,
    taskState,
    mode,
    classification,
    settings,
    durationsMs: durationsMs ?? [],
  });
  return { classification, ...timeout };
}
