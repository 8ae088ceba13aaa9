import { grouped } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { emptyOf } from './empty-of.ts';

export const CycleFinding = z.object({
  /**
   * Key that is equal for the same finding in other cycles, whatever its wording: its type, or a reviewer's category,
   * path and claim.
   */
  key: z.string(),
  severity: Severity,
  summary: z.string(),
});
export type CycleFinding = z.infer<typeof CycleFinding>;

export const ShadowCount = z.object({ role: z.string(), shadow: z.string(), times: z.number() });

/** One pass of the workflow over a task; in `solo`, one attempt. */
export const CycleFacts = z.object({
  taskId: z.string(),
  /** Number of the cycle in the task's series, from 1. */
  cycle: z.number(),
  /** `review`: findings of reviewers; `attempt`: findings of the gates and checks of one attempt. */
  kind: z.enum(['review', 'attempt']),
  findings: z.array(CycleFinding),
  shadows: z.array(ShadowCount),
});
export type CycleFacts = z.infer<typeof CycleFacts>;

export type CycleChange = {
  readonly resolved: readonly string[];
  readonly open: readonly string[];
  readonly fresh: readonly string[];
};

/** Amounts of each cost, or limits for them; a limit of 0 means no limit. */
export const Cost = z.object({
  /** US dollars, as reported by agents or estimated by your prices. */
  usd: z.number(),
  /** Input and output tokens. */
  tokens: z.number(),
  /** Number of attempts that began, without those ended by a cause outside the work. */
  iterations: z.number(),
  /** Milliseconds of wall time. */
  ms: z.number(),
});
export type Cost = z.infer<typeof Cost>;
export const NO_COST = emptyOf(Cost);
export const COST_KINDS = ['usd', 'tokens', 'iterations', 'ms'] as const;
export type CostKind = (typeof COST_KINDS)[number];

export function addCost(a: Cost, b: Cost): Cost {
  return {
    usd: a.usd + b.usd,
    tokens: a.tokens + b.tokens,
    iterations: a.iterations + b.iterations,
    ms: a.ms + b.ms,
  };
}

export const LevelCost = z.object({ tasks: z.number(), cost: Cost });
export type LevelCost = z.infer<typeof LevelCost>;

/** Returns the mean cost of a task; `null`: no task at this level is done yet. */
export function meanCost(level: LevelCost | undefined): Cost | null {
  if (level === undefined || level.tasks === 0) return null;
  const { usd, tokens, iterations, ms } = level.cost;
  const { tasks } = level;
  return { usd: usd / tasks, tokens: tokens / tasks, iterations: iterations / tasks, ms: ms / tasks };
}

/** A budget covers all runs from the start of the list, or of a new budget, until all tasks are done. */
export const BudgetWindow = z.object({
  /** Start of the first run of the budget, ISO 8601 UTC; `null`: none has begun. */
  since: z.nullable(z.string()),
  /** Costs so far. The wall time (`ms`) is without the current run. */
  spent: Cost,
  /** Start of the newest run of the budget, ISO 8601 UTC. `activeAt`: time of its newest record. */
  runStartedAt: z.nullable(z.string()),
  activeAt: z.nullable(z.string()),
});
export type BudgetWindow = z.infer<typeof BudgetWindow>;

export const QualityFacts = z.object({
  gatesAtFirstTry: z.boolean(),
  attempts: z.number(),
  findings: z.number(),
  /** Lines added and removed by the attempt after which the task was done. */
  diffLines: z.number(),
});
export type QualityFacts = z.infer<typeof QualityFacts>;

export const TaskQuality = z.object({ taskId: z.string(), score: z.number() });
export type TaskQuality = z.infer<typeof TaskQuality>;

export const HARD_TRIGGERS = [
  'agent_failures',
  'task_failures',
  'repeated_shadow',
  'red_after_landing',
  'oscillating_findings',
] as const;
export const SOFT_TRIGGERS = ['same_findings', 'low_convergence', 'growing_findings'] as const;

/** A reason for a break, which stops a run. `hard`: at once, otherwise after the current task. */
export const BreakTrigger = z.object({
  kind: z.enum([...HARD_TRIGGERS, ...SOFT_TRIGGERS]),
  hard: z.boolean(),
  taskId: z.string(),
  /** What was observed, in one sentence with its values. */
  reason: z.string(),
  unresolved: z.array(CycleFinding),
});
export type BreakTrigger = z.infer<typeof BreakTrigger>;

export const PolicyStopKind = z.enum(['break', 'budget', 'checkpoint']);

export const PolicyStop = z.object({
  kind: PolicyStopKind,
  run: z.string(),
  reason: z.string(),
  /** Reason for a break; `null`: the stop isn't a break. */
  trigger: z.nullable(BreakTrigger),
  /** Number of stops by this policy since you last resumed, with this one. */
  times: z.number(),
});
export type PolicyStop = z.infer<typeof PolicyStop>;

/** An attempt that ended by a failure of the agent, or by its timeout. */
export const AgentFailure = z.object({
  taskId: z.string(),
  /** The agent printed nothing, called no tool and changed no file. */
  idle: z.boolean(),
});
export type AgentFailure = z.infer<typeof AgentFailure>;

export const Lesson = z.object({
  key: z.string(),
  text: z.string(),
  count: z.number(),
  /** The newest tasks with the finding, a few at most. */
  tasks: z.array(z.object({ taskId: z.string(), title: z.string() })),
  lastAt: z.string(),
  /** Number of prompts with the lesson. `cameBack`: how many of their attempts had the finding again. */
  shown: z.number(),
  cameBack: z.number(),
  /** The newest task that got done after it had the finding, with the paths of its last attempt; `null`: none. */
  corrected: z._default(z.nullable(z.object({ taskId: z.string(), paths: z.array(z.string()) })), null),
});
export type Lesson = z.infer<typeof Lesson>;

/** Number of attempts with the same finding that make it a lesson. */
export const LESSON_FROM = 2;

/** Number of most frequent lessons that the state keeps. */
export const LESSONS_KEPT = 100;
/** Number of tasks that a lesson names. */
export const LESSON_TASKS_KEPT = 5;
export const LESSON_PATHS_KEPT = 5;
/** Number of a task's newest cycles that the state keeps. */
export const CYCLES_KEPT = 10;

export const PolicyState = z.object({
  budget: BudgetWindow,
  /** Costs so far, by unfinished task. `levels`: costs of done tasks, by complexity level. */
  tasks: z.record(z.string(), Cost),
  levels: z.record(z.string(), LevelCost),
  checkpoint: z.object({
    /** Time of the last checkpoint or, before the first one, of the run's start; `null`: no run has begun. */
    at: z.nullable(z.string()),
    done: z.number(),
    /** Id of the newest checkpoint, with the work that it saved; `null`: there is none. */
    saved: z.nullable(z.string()),
  }),
  quality: z.object({ first: z.nullable(TaskQuality), last: z.nullable(TaskQuality) }),
  /** The agent's newest failures without a success between them. */
  agentFailures: z.array(AgentFailure),
  /** Ids of the newest tasks that ended blocked one after the other. */
  blockedTasks: z.array(z.string()),
  /** Cycles of the task that is in progress, oldest first. */
  cycles: z.array(CycleFacts),
  /** Reason for a break that stops the run at its next choice of a task, or after the current task. */
  armed: z.nullable(BreakTrigger),
  /** Number of stops by each policy since you last resumed. */
  stops: z.record(PolicyStopKind, z.number()),
  /** The stop of the newest run; `null`: no policy stopped it, or you resumed. */
  stop: z.nullable(PolicyStop),
  lessons: z.array(Lesson),
});
export type PolicyState = z.infer<typeof PolicyState>;

export const EMPTY_POLICY: PolicyState = {
  ...emptyOf(PolicyState),
  stops: { break: 0, budget: 0, checkpoint: 0 },
};

export const PolicyFacts = z.object({
  limits: Cost,
  spent: Cost,
  /**
   * Expected cost of other workers' tasks: the mean of a task's level, or its cost so far if that is higher. The time
   * of parallel tasks counts once.
   */
  reserved: z._default(Cost, NO_COST),
  /** The task that would start; `null`: there is none, or the decision doesn't depend on it. */
  next: z.nullable(
    z.object({
      taskId: z.string(),
      /** Whether the task is in progress: it was attempted, and is neither done nor blocked. */
      current: z.boolean(),
      level: z.string(),
      mean: z.nullable(Cost),
    }),
  ),
  checkpoint: z.object({
    /** Settings of `[policy.checkpoint]`; 0: no checkpoints by time, or by tasks. */
    everyMs: z.number(),
    everyTasks: z.number(),
    ms: z.number(),
    done: z.number(),
  }),
  quality: PolicyState.shape.quality,
  armed: z.nullable(BreakTrigger),
});
export type PolicyFacts = z.infer<typeof PolicyFacts>;

export const BreakAfter = z.pick(PolicyState, {
  agentFailures: true,
  blockedTasks: true,
  cycles: true,
  armed: true,
});
export type BreakAfter = z.infer<typeof BreakAfter>;

/** State before an attempt for the decision about a break. `strict`: `[policy.break] strict`. */
export const BreakFacts = z.object({ strict: z.boolean(), ...BreakAfter.shape });
export type BreakFacts = z.infer<typeof BreakFacts>;

export const AttemptBudget = z.object({
  limits: Cost,
  spent: Cost,
  /** Cheaper model from `[runners.NAME] downgrade`; `null`: none is configured. */
  downgrade: z.nullable(z.string()),
  /** Spent share of the budget, 0 to 1, from which on the agent uses the cheaper model. */
  downgradeFrom: z.number(),
  /** The cheaper model if the agent has to use it; `null`: the usual model. */
  model: z.nullable(z.string()),
});
export type AttemptBudget = z.infer<typeof AttemptBudget>;

/** Spent shares of a budget at which ralph acts (docs/POLICIES.md). */
export const BUDGET_STEPS = { warn: 0.5, downgrade: 0.8, finish: 0.95, stop: 1 } as const;

/** Returns a share such as `50 %`. */
export function shareText(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export type BudgetShare = {
  /** Largest spent share over all limits: 0 to 1, or more if a limit was exceeded. */
  readonly share: number;
  readonly by: CostKind;
};

/** Returns the spent share of a budget; `null`: no limit is set. */
export function budgetShare(limits: Cost, spent: Cost): BudgetShare | null {
  let most: BudgetShare | null = null;
  for (const by of COST_KINDS) {
    if (limits[by] <= 0) continue;
    const share = spent[by] / limits[by];
    if (most === null || share > most.share) most = { share, by };
  }
  return most;
}

/** Returns a text such as `$3.20 of $20.00` or `1,100 of 2,000 tokens`. */
export function spentText(limits: Cost, spent: Cost, by: CostKind): string {
  const [used, limit] = [costText(spent[by], by), costText(limits[by], by)];
  return by === 'tokens' || by === 'iterations' ? `${used.split(' ')[0]} of ${limit}` : `${used} of ${limit}`;
}

export function costText(value: number, by: CostKind): string {
  switch (by) {
    case 'usd':
      return `$${value.toFixed(2)}`;
    case 'tokens':
      return `${grouped(Math.round(value))} tokens`;
    case 'iterations':
      return value === 1 ? '1 iteration' : `${Number.isInteger(value) ? value : value.toFixed(1)} iterations`;
    case 'ms':
      return formatDuration(Math.max(0, value));
  }
}

export function hasBudget(limits: Cost): boolean {
  return COST_KINDS.some((by) => limits[by] > 0);
}

/** Returns the costs so far, with the time of a running run until `now` (ISO 8601 UTC). */
export function spentUntil({ spent, runStartedAt }: BudgetWindow, now: string): Cost {
  const running = runStartedAt === null ? 0 : Date.parse(now) - Date.parse(runStartedAt);
  return { ...spent, ms: spent.ms + Math.max(0, running) };
}
