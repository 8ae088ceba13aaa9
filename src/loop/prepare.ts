import type { Config } from '../domain/config.ts';
import { emptyProfile } from '../domain/profile.ts';
import type { State, TaskState } from '../domain/state.ts';
import { taskStateOf } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { formatDuration } from '../lib/duration.ts';
import { checkThresholds } from '../measure/index.ts';
import { reinforcement, renderPrompt, selectFeedback } from '../prompt/index.ts';
import type { LoopContext } from './context.ts';
import { attemptNumber } from './decide.ts';

/** The numbers of the configuration that decide, as `IterationFacts` records them. */
export function decidingSettings({ config, gates }: Pick<LoopContext, 'config' | 'gates'>) {
  return {
    completion: config.loop.completion,
    interventionsEnabled: config.interventions.enabled,
    thresholdNoFiles: config.interventions.threshold_no_files,
    thresholdFalseCompletion: config.interventions.threshold_false_completion,
    aggressiveMode: config.interventions.aggressive_mode,
    maxAttemptsPerTask: config.loop.max_attempts_per_task,
    gateOutputLimit: config.gates.output_limit,
    requiredGates: gates.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The time limit of an attempt in seconds, with its reason: the task's own, else the mode's. */
export function attemptTimeout(
  task: Task,
  taskState: TaskState,
  mode: LoopContext['mode'],
): { seconds: number; reason: string } {
  if (taskState.timeoutSeconds != null) {
    return { seconds: taskState.timeoutSeconds, reason: 'set when the task was unblocked' };
  }
  if (task.timeoutSeconds !== null) return { seconds: task.timeoutSeconds, reason: "the task's own timeout" };
  return {
    seconds: mode.timeoutSeconds,
    reason: `mode ${mode.name}: ${formatDuration(mode.timeoutSeconds * 1000)}`,
  };
}

export type PromptOptions = {
  readonly config: Config;
  readonly gates: LoopContext['gates'];
  readonly agent: string;
  readonly state: State;
  readonly tasks: readonly Task[];
  readonly task: Task;
  readonly timeoutSeconds: number;
  /** ISO 8601 UTC. */
  readonly now: string;
  readonly readFile: (path: string) => string | null;
};

/** The prompt that an attempt at this task would get now. */
export function promptFor(options: PromptOptions): ReturnType<typeof renderPrompt> {
  const { config, state, task, tasks, readFile, now } = options;
  const taskState = taskStateOf(state, task.id);
  const done = tasks.filter(({ status }) => status === 'done');
  const profile = state.profiles[options.agent] ?? emptyProfile(options.agent);
  const { exceeded } = checkThresholds(profile, decidingSettings(options));
  return renderPrompt({
    template: readFile(config.files.prompt),
    templateName: config.files.prompt,
    task,
    attempt: attemptNumber(taskState),
    maxAttempts: config.loop.max_attempts_per_task,
    constraints: config.prompt.constraints,
    boundaries: config.prompt.boundaries,
    goals: config.prompt.goals,
    notes: config.files.notes.flatMap((path) => {
      const text = readFile(path);
      return text === null || text.trim() === '' ? [] : [{ path, text }];
    }),
    gates: options.gates,
    progress: { done: done.length, total: tasks.length, doneTitles: done.map(({ title }) => title) },
    feedback: selectFeedback(state.feedback, {
      taskId: task.id,
      now,
      rotationDays: config.interventions.feedback_rotation_days,
    }),
    reinforcement: reinforcement(profile, exceeded),
    guidance: readFile(config.files.feedback) ?? '',
    timeoutSeconds: options.timeoutSeconds,
    commit: config.git.commit,
    limits: { notes: config.prompt.notes_limit, feedback: config.prompt.feedback_limit },
  });
}
