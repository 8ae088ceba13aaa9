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
import { own } from '../../lib/own.ts';
import type { streamIssues } from '../../proof/findings/index.ts';
import { streamCorrection } from '../../respond/intervene/index.ts';
import { ladderOf } from '../../respond/table.ts';
import { type AdaptiveTimeout, attemptTimeout, classify, levelsOf } from '../timing/index.ts';

/** The limits of the configuration (`[limits]`). */
export function configuredLimits({ limits, review }: Pick<Config, 'limits' | 'review'>): Limits {
  return {
    // Named as a rule, it can be switched off as one.
    fileOperations: review.rules.disabled.includes('limit_file_operations') ? 0 : limits.max_file_operations,
    memoryMb: limits.max_memory_mb,
    tokens: limits.max_tokens,
    executionSeconds: limits.max_execution_time,
    batchSize: limits.batch_size,
  };
}

/** The limits of the next attempt: the strictest of the configuration, of throttling and of what you chose after an incident. */
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

/** Seconds that an attempt may take: its timeout, or the limit of the time where that is shorter. */
export function attemptSeconds(
  timeoutSeconds: number,
  { executionSeconds: limit }: Pick<Limits, 'executionSeconds'>,
): number {
  return limit > 0 ? Math.min(timeoutSeconds, limit) : timeoutSeconds;
}

/** 1-based number of the coming attempt in the task's series; waits and interruptions do not count. */
export function attemptNumber(taskState: TaskState): number {
  return taskState.attempts.filter(({ verdict }) => !isOutsideCause(verdict)).length + 1;
}

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

/** How a run works; `timeoutSeconds` is `null` where the mode has none: the level's base stands in. */
export type Mode = { readonly name: string; readonly timeoutSeconds: number | null };

type TimeoutOptions = {
  readonly task: Task;
  readonly taskState: TaskState;
  /** Of the agent that would take the task up. */
  readonly profile: AgentProfile;
  readonly mode: Mode;
  readonly settings: AdaptiveTimeout;
  /** Class of the worker's machine that makes the attempt, '' where it isn't known yet; `undefined`: this machine. */
  readonly machine?: string | undefined;
};

/** What a task is taken to be, and the time limit of its coming attempt with the reason. */
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

/** Time limits in seconds on the classes of workers' machines that made attempts of this kind before, by these classes. */
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
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly before: Snapshot;
  readonly state: State;
  readonly taskState: TaskState;
};

/** The state that an attempt starts from, as a later rollback wants to know it. */
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

/**
 * Gates that the last attempt at the task left failing: the baseline keeps them as passed. Work that was set aside left
 * nothing.
 */
function failingNow({ attempts }: TaskState): readonly string[] {
  const last = attempts.at(-1);
  return last === undefined || last.rolledBack ? [] : last.failedGates;
}

/** Share of the gates that passed when they were last run; 1 where none was. */
function gateSuccess(baseline: GateBaseline | null, failing: readonly string[]): number {
  const runs = runsBefore(baseline).filter(({ outcome }) => outcome.kind !== 'skipped');
  if (runs.length === 0) return failing.length === 0 ? 1 : 0;
  const passed = runs.filter(({ name, outcome }) => outcome.kind === 'passed' && !failing.includes(name));
  return passed.length / runs.length;
}

type Known = Pick<IterationFacts, 'task' | 'taskState' | 'settings'>;

/**
 * What is said to the running agent about an issue that shows while it works (`[interventions] mid_stream`); `null`
 * where it is not the first time on this task, or the gentlest answer is another one: then the end is waited for.
 */
export function correctionFor(
  issue: ReturnType<typeof streamIssues>[number],
  { task, taskState, settings }: Known,
): string | null {
  const soft = settings.interventions.soft_correction;
  if (!settings.interventions.enabled || !soft.enabled) return null;
  if (ladderOf(issue)[0] !== 'soft_correction') return null;
  const earlier = taskState.interventions;
  if (earlier.some((one) => one.issue === issue.type || one.also.includes(issue.type))) return null;
  const used = earlier.filter(({ type }) => type === 'soft_correction').length;
  if (soft.max_attempts > 0 && used >= soft.max_attempts) return null;
  return streamCorrection(issue, task);
}
