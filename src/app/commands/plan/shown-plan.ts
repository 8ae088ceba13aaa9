import { snakeKeys } from 'ralph-kit/snake-keys';
import { estimateOf, type PlanWorld } from '../../../decide/index.ts';
import type { Proposal } from '../../../domain/plan.ts';
import { addCost, NO_COST } from '../../../domain/policy.ts';
import type { Task } from '../../../domain/task.ts';
import { saysSomething } from '../../../proof/evidence/index.ts';
import { profileOf } from '../../setup/timeout-of.ts';
import type { Workspace } from '../../setup/workspace.ts';

export function planWorld(project: Workspace, tasks: readonly Task[], replaces: Task | null): PlanWorld {
  const { gates, mode, config, store } = project;
  return {
    tasks,
    mode,
    replaces,
    levels: store.state.policy.levels,
    profile: profileOf(project),
    gates: gates.map(({ name }) => name),
    settings: config.adaptive_timeout,
  };
}

export type ShownPlan = ReturnType<typeof shownPlan>;

/**
 * Returns a proposal with an estimate of its duration in milliseconds; `null`: there are no attempts to estimate from.
 */
export function shownPlan({ id, at, by, tasks }: Proposal, world: PlanWorld) {
  const estimates = tasks.map((task) => estimateOf(task, world));
  const costs = estimates.flatMap(({ cost }) => cost ?? []);
  const sum = costs.reduce(addCost, NO_COST);
  return {
    id,
    at,
    by: snakeKeys(by),
    tasks: tasks.map((task, index) => {
      const { level, limitSeconds, ms, attempts } = estimates[index] ?? estimateOf(task, world);
      return {
        id: task.id,
        title: task.title,
        files: task.files,
        gates: task.gates,
        depends_on: task.dependsOn,
        criteria: task.criteria.map(({ text, check }) => ({
          text,
          check,
          by_reading: check === null && saysSomething({ acceptance: [text] }),
        })),
        complexity: level,
        limit_ms: limitSeconds * 1000,
        estimate_ms: ms,
        attempts,
      };
    }),
    estimate: {
      /**
       * Sum of estimates from recorded attempts. A task without such attempts counts with the time limit of one
       * attempt.
       */
      ms: estimates.reduce((total, { ms, limitSeconds }) => total + (ms ?? limitSeconds * 1000), 0),
      /** Number of tasks with recorded attempts at their level. */
      timed: estimates.filter(({ ms }) => ms !== null).length,
      /** Sum of mean costs of done tasks at each level; `null`: no level has done tasks. */
      usd: costs.length === 0 ? null : sum.usd,
      tokens: costs.length === 0 ? null : sum.tokens,
      costed: costs.length,
    },
  };
}
