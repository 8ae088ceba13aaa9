import type { PlannedTask } from '../../domain/plan.ts';
import { type Cost, meanCost, type PolicyState } from '../../domain/policy.ts';
import { allDurations } from '../../domain/records/profile.ts';
import { type AgentProfile, EMPTY_TASK_STATE } from '../../domain/records/state.ts';
import { EMPTY_TASK, type ListPlan, type NewTask, type Task } from '../../domain/task.ts';
import { own } from '../../lib/own.ts';
import { percentile } from '../../lib/percentile.ts';
import { type Mode, timeoutFor } from '../attempt/starting-attempt.ts';
import { type AdaptiveTimeout, levelsOf } from '../timing/index.ts';

/** What a plan is made for. */
export type PlanWorld = {
  /** The list as it is. */
  readonly tasks: readonly Task[];
  /** Names of the configured gates. */
  readonly gates: readonly string[];
  readonly mode: Mode;
  readonly settings: AdaptiveTimeout;
  /** Of the agent that will work. */
  readonly profile: AgentProfile;
  /** What done tasks cost so far, by level. */
  readonly levels: PolicyState['levels'];
  /** The task that the plan stands in for; `null`: none. */
  readonly replaces: Task | null;
};

/** The time limits of attempts, from the level with the least of it to that with the most; in seconds. */
export function limitsOf(
  world: Pick<PlanWorld, 'mode' | 'settings' | 'profile'>,
): readonly { readonly level: string; readonly seconds: number }[] {
  const limits = levelsOf(world.settings).map(({ name }) => {
    const task = { ...EMPTY_TASK, title: name, complexity: name };
    return { level: name, seconds: timeoutFor({ ...world, task, taskState: EMPTY_TASK_STATE }).seconds };
  });
  return limits.toSorted((one, other) => one.seconds - other.seconds);
}

/** What a task of a plan is taken to be, and what it will take. */
export type Estimate = {
  readonly level: string;
  /** The planner's minutes ask for more than what its words give: the list has to say the level. */
  readonly raised: boolean;
  /** The time limit of its attempt, in seconds. */
  readonly limitSeconds: number;
  /** The median of `attempts` finished attempts of its level; `null`: there are none. */
  readonly ms: number | null;
  readonly attempts: number;
  /** The mean of the tasks of its level that got done; `null`: none did. */
  readonly cost: Cost | null;
};

export function estimateOf(planned: PlannedTask, world: PlanWorld): Estimate {
  const { title, criteria, minutes } = planned;
  const task = { ...EMPTY_TASK, title, acceptance: criteria.map(({ text }) => text) };
  const usual = timeoutFor({ ...world, task, taskState: EMPTY_TASK_STATE });
  const needed = (minutes ?? 0) * 60;
  const larger = limitsOf(world).find(({ seconds }) => seconds >= needed && seconds > usual.seconds);
  const raised = needed > usual.seconds && larger !== undefined;
  const level = raised ? larger.level : usual.level;
  const durations = allDurations(own(world.profile.levels, level));
  return {
    level,
    raised,
    limitSeconds: raised ? larger.seconds : usual.seconds,
    ms: percentile(durations, 0.5),
    attempts: durations.length,
    cost: meanCost(own(world.levels, level)),
  };
}

/** A reference of a task: to a task of the plan by its place, or to one of the list; `null`: there is none. */
export function findReference(
  reference: string,
  plan: readonly PlannedTask[],
  { tasks }: Pick<PlanWorld, 'tasks'>,
): { readonly at: number } | { readonly id: string } | null {
  const at = plan.findIndex(({ id }) => id === reference);
  if (at !== -1) return { at };
  if (tasks.some(({ id }) => id === reference)) return { id: reference };
  const number = /^\d{1,3}$/.test(reference) ? Number(reference) : 0;
  return number > 0 && number <= plan.length ? { at: number - 1 } : null;
}

/** The tasks in an order in which each comes behind those that it waits for; without the ones that wait for each other. */
export function inOrder(plan: readonly PlannedTask[], world: Pick<PlanWorld, 'tasks'>): PlannedTask[] {
  const placed: PlannedTask[] = [];
  const isReady = ({ dependsOn }: PlannedTask) =>
    dependsOn.every((one) => {
      const found = findReference(one, plan, world);
      return found === null || !('at' in found) || placed.includes(plan[found.at] as PlannedTask);
    });
  for (let left = [...plan]; left.length > 0; left = left.filter((one) => !placed.includes(one))) {
    const next = left.find(isReady);
    if (next === undefined) return placed;
    placed.push(next);
  }
  return placed;
}

/** The plan as the list takes it: nothing in it is wrong any more (`checkPlan`). */
export function listPlanOf(plan: readonly PlannedTask[], world: PlanWorld): ListPlan {
  const ordered = inOrder(plan, world);
  const { replaces } = world;
  const tasks = ordered.map((planned) => {
    const found = planned.dependsOn.map((one) => findReference(one, plan, world));
    const after = found.flatMap((one) =>
      one !== null && 'at' in one ? [ordered.indexOf(plan[one.at] as PlannedTask)] : [],
    );
    const ids = found.flatMap((one) => (one !== null && 'id' in one ? [one.id] : []));
    // What comes first waits for what the whole task waited for.
    const inherited = replaces !== null && after.length === 0 ? replaces.dependsOn : [];
    return { ...newTask(planned, world), dependsOn: [...new Set([...ids, ...inherited])], after };
  });
  return { tasks, replaces: replaces?.id ?? null };
}

function newTask(planned: PlannedTask, world: PlanWorld): NewTask {
  const { title, criteria, files, gates } = planned;
  const { level, raised } = estimateOf(planned, world);
  const { replaces } = world;
  const whole: Partial<NewTask> =
    replaces === null
      ? {}
      : {
          ...{ priority: replaces.priority, constraints: replaces.constraints },
          ...(replaces.kind === 'build' ? {} : { kind: replaces.kind }),
          ...{ boundaries: replaces.boundaries, goals: replaces.goals, proof: replaces.proof },
        };
  return {
    ...{ title, priority: null, dependsOn: [], ...whole },
    acceptance: criteria.map(({ text }) => text),
    ...(raised ? { complexity: level } : {}),
    // The list has no way to write other ones.
    ...(files.length > 0 && files.every((path) => /[./*]/.test(path)) ? { expectedPaths: files } : {}),
    gates: [...new Set([...(replaces?.gates ?? []), ...gates])],
    checks: [...new Set(criteria.flatMap(({ check }) => check ?? []))],
  };
}
