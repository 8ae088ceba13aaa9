import { own } from 'ralph-kit/own';
import { selectAmong, selectTask, timeoutFor, unstartableIds } from '../decide/index.ts';
import type { Config } from '../domain/config.ts';
import {
  addCost,
  type Cost,
  hasBudget,
  meanCost,
  NO_COST,
  type PolicyFacts,
  spentUntil,
} from '../domain/policy.ts';
import type { ChoiceFacts } from '../domain/records/choice.ts';
import { emptyProfile } from '../domain/records/profile.ts';
import { type State, taskStateOf } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { decidePolicy } from '../respond/policy/index.ts';
import { policyAtStart } from '../state/index.ts';
import { continueCommand } from '../tell/index.ts';

export function budgetLimits({ budget }: Pick<Config, 'budget'>): Cost {
  const { money, tokens, iterations, wall_time } = budget;
  return { usd: money, tokens, iterations, ms: wall_time * 1000 };
}

type Known = {
  readonly config: Config;
  readonly state: State;
  readonly tasks: readonly Task[];
  /** Current time, ISO 8601 UTC. */
  readonly now: string;
} & Pick<ChoiceFacts, 'only' | 'among' | 'workers'>;

/**
 * Returns the facts for the policies.
 * @param takes Returns the cost that a running task takes of the budget.
 */
export function policyFacts(
  { config, state, tasks, now, only, among, workers }: Known,
  takes: (taskId: string) => Cost = () => NO_COST,
): PolicyFacts {
  const { budget, checkpoint, quality, armed } = state.policy;
  const { every, every_tasks } = config.policy.checkpoint;
  const limits = budgetLimits(config);
  const unstartable = unstartableIds(workers);
  const since = checkpoint.at === null ? 0 : Date.parse(now) - Date.parse(checkpoint.at);
  const pick = !dependsOnTasks(config, state)
    ? null
    : among === null
      ? selectTask(tasks, state.tasks, only, unstartable, state.first)
      : selectAmong(tasks, state.tasks, among, { unstartable, first: state.first });
  return {
    limits,
    spent: spentUntil(budget, now),
    reserved: workers.working.map(takes).reduce(addCost, NO_COST),
    next: pick?.kind === 'task' ? nextTask(pick.task, state, config) : null,
    checkpoint: {
      everyMs: every * 1000,
      everyTasks: every_tasks,
      ms: Math.max(0, since),
      done: checkpoint.done,
    },
    quality,
    armed,
  };
}

/** Returns whether what is next matters to the policies: only a budget or an armed break can stop a task. */
export function dependsOnTasks(config: Pick<Config, 'budget'>, { policy }: Pick<State, 'policy'>): boolean {
  return hasBudget(budgetLimits(config)) || policy.armed !== null;
}

export const NO_WORKERS = { working: [], held: [] };

/** Returns the facts for the policies when a run starts now. `only`: names of its only tasks, `null`: all. */
export function policyFactsAtStart(known: Omit<Known, 'among' | 'workers'>): PolicyFacts {
  const state = { ...known.state, policy: policyAtStart(known.state, known.now) };
  return policyFacts({ ...known, state, among: null, workers: NO_WORKERS });
}

/** Returns the command with which work continues, by the state, settings and tasks as they are now. */
export function continueNow(known: Omit<Known, 'only' | 'among' | 'workers'>): string {
  const decided = decidePolicy(policyFactsAtStart({ ...known, only: null }));
  return continueCommand(known.state, decided.kind === 'stop');
}

/**
 * Returns the cost to reserve for a task. Its first attempt is already counted, and parallel tasks share the elapsed
 * time.
 */
export function reservedOf(mean: Cost | null): Cost {
  return mean === null ? NO_COST : { ...mean, iterations: Math.max(0, mean.iterations - 1), ms: 0 };
}

function nextTask(task: Task, state: State, config: Config): PolicyFacts['next'] {
  const taskState = taskStateOf(state, task.id);
  const { level } = timeoutFor({
    task,
    taskState,
    profile: emptyProfile(''),
    settings: config.adaptive_timeout,
    mode: { name: config.loop.mode, timeoutSeconds: null },
  });
  return {
    taskId: task.id,
    current: taskState.inProgress,
    level,
    mean: meanCost(own(state.policy.levels, level)),
  };
}
