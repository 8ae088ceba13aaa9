import type { AgentAdapter } from 'ralph-agents/protocol';
import { own } from 'ralph-kit/own';
import type { AgentSession } from '../../domain/agent.ts';
import type { Snapshot } from '../../domain/change-set.ts';
import type { Config } from '../../domain/config.ts';
import { type GateBaseline, runsBefore } from '../../domain/gate-baseline.ts';
import type { KnownCheckpoint, Limits } from '../../domain/intervention.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { durationsOn } from '../../domain/records/profile.ts';
import type { AgentProfile, State, TaskState } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { isOutsideCause } from '../../domain/verdict.ts';
import { timesReplaced } from '../../domain/workflow/roles.ts';
import type { StreamIssue } from '../../proof/findings/index.ts';
import { streamCorrection } from '../../respond/intervene/index.ts';
import { ladderOf } from '../../respond/table.ts';
import { type AdaptiveTimeout, attemptTimeout, classify, levelsOf } from '../timing/index.ts';

export function configuredLimits({ limits, review }: Pick<Config, 'limits' | 'review'>): Limits {
  return {
    // The limit of file operations has the name of a review rule, and can be disabled like one.
    fileOperations: review.rules.disabled.includes('limit_file_operations') ? 0 : limits.max_file_operations,
    memoryMb: limits.max_memory_mb,
    tokens: limits.max_tokens,
    executionSeconds: limits.max_execution_time,
    batchSize: limits.batch_size,
  };
}

/** Returns the strictest limits of the configuration, throttling and your choice after an incident. */
export function limitsFor(configured: Limits, { throttle, restriction }: TaskState): Limits {
  const all = [configured, throttle?.limits, restriction?.limits].filter((one) => one !== undefined);
  const strictest = (which: keyof Limits) => {
    const set = all.map((one) => one[which]).filter((value) => value > 0);
    return set.length === 0 ? 0 : Math.min(...set);
  };
  return {
    fileOperations: strictest('fileOperations'),
    memoryMb: strictest('memoryMb'),
    tokens: strictest('tokens'),
    executionSeconds: strictest('executionSeconds'),
    batchSize: strictest('batchSize'),
  };
}

/** Returns the seconds that an attempt may take: its timeout or the time limit, whichever is shorter. */
export function attemptSeconds(
  timeoutSeconds: number,
  { executionSeconds: limit }: Pick<Limits, 'executionSeconds'>,
): number {
  return limit > 0 ? Math.min(timeoutSeconds, limit) : timeoutSeconds;
}

/** Returns the number of the coming attempt, from 1. Attempts that a cause outside the work ended don't count. */
export function attemptNumber(taskState: TaskState): number {
  return taskState.attempts.filter(({ verdict }) => !isOutsideCause(verdict)).length + 1;
}

/**
 * Returns the agent's last session to continue (`[loop] resume`); `null`: a new session, because the last one ended
 * with an error, a recovery starts afresh, or the agent keeps none.
 */
export function sessionToResume(
  taskState: TaskState,
  { name: agent, keepsNoSession = false }: Pick<AgentAdapter, 'name' | 'keepsNoSession'>,
): AgentSession | null {
  if (keepsNoSession) return null;
  // Every replacement gets a new session, even the same agent.
  if (timesReplaced(taskState.workflow, 'maker') > 0) return null;
  if (taskState.recovering !== null) return null;
  const last = taskState.attempts.at(-1);
  if (last === undefined || last.agent !== agent || last.verdict === 'agent_error') return null;
  return last.session;
}

/** `timeoutSeconds`: `null` if the mode has none, so that the level's base counts. */
export type Mode = { readonly name: string; readonly timeoutSeconds: number | null };

type TimeoutOptions = {
  readonly task: Task;
  readonly taskState: TaskState;
  readonly profile: AgentProfile;
  readonly mode: Mode;
  readonly settings: AdaptiveTimeout;
  /** Class of the worker's machine, '' if unknown; `undefined`: this machine. */
  readonly machine?: string | undefined;
};

/** Returns the task's classification, and the coming attempt's time limit with the reason. */
export function timeoutFor({ task, taskState, profile, mode, settings, machine }: TimeoutOptions) {
  const classification = classify(task, levelsOf(settings));
  const { level } = classification;
  const timeout = attemptTimeout({
    task,
    taskState,
    mode,
    classification,
    settings,
    durationsMs: durationsOn(own(profile.levels, level), machine),
  });
  return { classification, ...timeout };
}

/** Returns time limits in seconds by class of machine, for classes on which workers made such attempts before. */
export function timeoutsElsewhere(options: Omit<TimeoutOptions, 'machine'>): Record<string, number> {
  const { level } = classify(options.task, levelsOf(options.settings));
  const classes = Object.keys(own(options.profile.levels, level)?.elsewhere ?? {});
  return Object.fromEntries(
    classes.map((machine) => [machine, timeoutFor({ ...options, machine }).seconds] as const),
  );
}

type Start = {
  readonly run: string;
  readonly iteration: number;
  readonly taskId: string;
  /** Current time, ISO 8601 UTC. */
  readonly at: string;
  readonly before: Snapshot;
  readonly state: State;
  readonly taskState: TaskState;
};

export function knownCheckpoint(start: Start): KnownCheckpoint {
  const { run, iteration, taskId, at, before, state, taskState } = start;
  return {
    id: `${run}/${iteration}`,
    iteration,
    taskId,
    at,
    tree: before.tree,
    gateSuccess: gateSuccess(state.baseline, failingNow(taskState)),
    feedback: state.feedback.filter((entry) => entry.taskId === taskId && entry.source === 'loop'),
    throttle: taskState.throttle,
    baseline: state.baseline,
  };
}

/** Returns gates that passed in the baseline and fail since the task's last attempt; none if its work was set aside. */
function failingNow({ attempts }: TaskState): readonly string[] {
  const last = attempts.at(-1);
  return last === undefined || last.rolledBack ? [] : last.failedGates;
}

/** Returns the share of gates that passed when last run; 1 if none ran. */
function gateSuccess(baseline: GateBaseline | null, failing: readonly string[]): number {
  const runs = runsBefore(baseline).filter(({ outcome }) => outcome.kind !== 'skipped');
  if (runs.length === 0) return failing.length === 0 ? 1 : 0;
  const passed = runs.filter(({ name, outcome }) => outcome.kind === 'passed' && !failing.includes(name));
  return passed.length / runs.length;
}

type Known = Pick<IterationFacts, 'task' | 'taskState' | 'settings'>;

/**
 * Returns the correction for the running agent (`[interventions] mid_stream`); `null`: none is due, because the issue
 * was corrected before, or a stronger intervention is.
 */
export function correctionFor(issue: StreamIssue, { task, taskState, settings }: Known): string | null {
  const soft = settings.interventions.soft_correction;
  if (!settings.interventions.enabled || !soft.enabled) return null;
  if (ladderOf(issue)[0] !== 'soft_correction') return null;
  const earlier = taskState.interventions;
  if (earlier.some((one) => one.issue === issue.type || one.also.includes(issue.type))) return null;
  const used = earlier.filter(({ type }) => type === 'soft_correction').length;
  if (soft.max_attempts > 0 && used >= soft.max_attempts) return null;
  return streamCorrection(issue, task);
}
