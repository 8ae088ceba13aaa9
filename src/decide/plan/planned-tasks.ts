import { own } from 'ralph-kit/own';
import { percentile } from 'ralph-kit/percentile';
import { EMPTY_TASK, type ListPlan, type NewTask } from 'ralph-task-lists/task';
import type { PlannedTask } from '../../domain/plan.ts';
import { type Cost, meanCost, type PolicyState } from '../../domain/policy.ts';
import { allDurations } from '../../domain/records/profile.ts';
import { type AgentProfile, EMPTY_TASK_STATE } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { type Mode, timeoutFor } from '../attempt/starting-attempt.ts';
import { type AdaptiveTimeout, levelsOf } from '../timing/index.ts';

export type PlanWorld = {
  readonly tasks: readonly Task[];
  readonly gates: readonly string[];
  readonly mode: Mode;
  readonly settings: AdaptiveTimeout;
  readonly profile: AgentProfile;
  /** Costs of done tasks by level. */
  readonly levels: PolicyState['levels'];
  /** Task that the plan replaces; `null`: none. */
  readonly replaces: Task | null;
};

/** Returns the time limits of attempts in seconds by level, shortest first. */
export function limitsOf(
  world: Pick<PlanWorld, 'mode' | 'settings' | 'profile'>,
): readonly { readonly level: string; readonly seconds: number }[] {
  const limits = levelsOf(world.settings).map(({ name }) => {
    const task = { ...EMPTY_TASK, title: name, complexity: name };
    return { level: name, seconds: timeoutFor({ ...world, task, taskState: EMPTY_TASK_STATE }).seconds };
  });
  return limits.toSorted((one, other) => one.seconds - other.seconds);
}

export type Estimate = {
  readonly level: string;
  /** Whether the planner's minutes suggest a higher level than the text. The level is then written to the list. */
  readonly raised: boolean;
  /** Time limit of the attempt, in seconds. */
  readonly limitSeconds: number;
  /** Median milliseconds of the `attempts` finished attempts at the level; `null`: there are none. */
  readonly ms: number | null;
  readonly attempts: number;
  /** Mean cost of done tasks at the level; `null`: there are none. */
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

/** Returns the referenced task, by its index in the plan or its id in the list; `null`: unknown. */
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

/** Returns the tasks in an order in which dependencies come first. Tasks in cycles are left out. */
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

export function listPlanOf(plan: readonly PlannedTask[], world: PlanWorld): ListPlan {
  const ordered = inOrder(plan, world);
  const { replaces } = world;
  const tasks = ordered.map((planned) => {
    const found = planned.dependsOn.map((one) => findReference(one, plan, world));
    const after = found.flatMap((one) =>
      one !== null && 'at' in one ? [ordered.indexOf(plan[one.at] as PlannedTask)] : [],
    );
    const ids = found.flatMap((one) => (one !== null && 'id' in one ? [one.id] : []));
    // The first planned tasks inherit the dependencies of the replaced task.
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
          priority: replaces.priority,
          constraints: replaces.constraints,
          ...(replaces.kind === 'build' ? {} : { kind: replaces.kind }),
          boundaries: replaces.boundaries,
          goals: replaces.goals,
          proof: replaces.proof,
        };
  return {
    title,
    priority: null,
    dependsOn: [],
    ...whole,
    acceptance: criteria.map(({ text }) => text),
    ...(raised ? { complexity: level } : {}),
    // The list can't hold other forms of paths.
    ...(files.length > 0 && files.every((path) => /[./*]/.test(path)) ? { expectedPaths: files } : {}),
    gates: [...new Set([...(replaces?.gates ?? []), ...gates])],
    checks: [...new Set(criteria.flatMap(({ check }) => check ?? []))],
  };
}
