import * as z from 'zod/mini';
import { grouped } from '../lib/counted.ts';
import { formatDuration } from '../lib/duration.ts';
import { Severity } from '../lib/severity.ts';

/** A finding as the cycles of a task know it. */
export const CycleFinding = z.object({
  /** Equal in every cycle that has this finding, whatever its words: the type, or category, path and claim. */
  key: z.string(),
  severity: Severity,
  /** One sentence. */
  summary: z.string(),
});
export type CycleFinding = z.infer<typeof CycleFinding>;

/** How often one shadow was detected in a cycle. */
export const ShadowCount = z.object({ role: z.string(), shadow: z.string(), times: z.number() });

/** One pass of the workflow over a task; in `solo` an attempt. */
export const CycleFacts = z.object({
  taskId: z.string(),
  /** 1 for the first of the task's series. */
  cycle: z.number(),
  /** `review`: reviewers checked it; `attempt`: what the gates and the checks of one attempt show. */
  kind: z.enum(['review', 'attempt']),
  findings: z.array(CycleFinding),
  shadows: z.array(ShadowCount),
});
export type CycleFacts = z.infer<typeof CycleFacts>;

/** What became of the findings of the cycle before: keys. */
export type CycleChange = {
  readonly resolved: readonly string[];
  readonly open: readonly string[];
  readonly fresh: readonly string[];
};

/** What work costs, or may cost at most (0: no limit). */
export const Cost = z.object({
  /** US dollars, reported by agents or worked out from your prices. */
  usd: z.number(),
  /** Input and output. */
  tokens: z.number(),
  /** Attempts that began, without those that a cause outside of the work ended. */
  iterations: z.number(),
  /** Milliseconds of wall time. */
  ms: z.number(),
});
export type Cost = z.infer<typeof Cost>;
export const NO_COST: Cost = { usd: 0, tokens: 0, iterations: 0, ms: 0 };
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

/** Tasks that got done at a level of complexity, and what all of them cost together. */
export const LevelCost = z.object({ tasks: z.number(), cost: Cost });
export type LevelCost = z.infer<typeof LevelCost>;

/** The mean cost of a task; `null`: none got done at its level yet. */
export function meanCost(level: LevelCost | undefined): Cost | null {
  if (level === undefined || level.tasks === 0) return null;
  const { usd, tokens, iterations, ms } = level.cost;
  const { tasks } = level;
  return { usd: usd / tasks, tokens: tokens / tasks, iterations: iterations / tasks, ms: ms / tasks };
}

/** What a budget covers: all runs since the list of tasks was last done, or you began a new one. */
export const BudgetWindow = z.object({
  /** When its first run began; ISO 8601 UTC. `null`: no run began yet. */
  since: z.nullable(z.string()),
  /** Wall time in it is that of its earlier runs. */
  spent: Cost,
  /** Its newest run: when that began, and the newest record of it; ISO 8601 UTC. */
  runStartedAt: z.nullable(z.string()),
  activeAt: z.nullable(z.string()),
});
export type BudgetWindow = z.infer<typeof BudgetWindow>;

/** What the quality of a done task is worked out from. */
export const QualityFacts = z.object({
  /** All gates passed at the first attempt. */
  gatesAtFirstTry: z.boolean(),
  attempts: z.number(),
  /** Findings of all its attempts. */
  findings: z.number(),
  /** Lines added and removed by the attempt that got it done. */
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

/** Why the break stops a run. `hard`: at once; else when the task is finished. */
export const BreakTrigger = z.object({
  kind: z.enum([...HARD_TRIGGERS, ...SOFT_TRIGGERS]),
  hard: z.boolean(),
  /** The task that it was seen at. */
  taskId: z.string(),
  /** One sentence with the values seen. */
  reason: z.string(),
  unresolved: z.array(CycleFinding),
});
export type BreakTrigger = z.infer<typeof BreakTrigger>;

export const PolicyStopKind = z.enum(['break', 'budget', 'checkpoint']);

export const PolicyStop = z.object({
  kind: PolicyStopKind,
  run: z.string(),
  /** One sentence. */
  reason: z.string(),
  /** `null`: of a break alone. */
  trigger: z.nullable(BreakTrigger),
  /** How often this policy stopped runs since you last resumed, this one included. */
  times: z.number(),
});
export type PolicyStop = z.infer<typeof PolicyStop>;

/** An attempt that ended by the agent's failure or its timeout. */
export const AgentFailure = z.object({
  taskId: z.string(),
  /** It printed nothing, called no tool and changed no file. */
  idle: z.boolean(),
});
export type AgentFailure = z.infer<typeof AgentFailure>;

/** A finding that came back, remembered for later prompts. */
export const Lesson = z.object({
  key: z.string(),
  text: z.string(),
  /** Attempts that had the finding. */
  count: z.number(),
  /** Tasks that had it, the newest few, with their titles. */
  tasks: z.array(z.object({ taskId: z.string(), title: z.string() })),
  lastAt: z.string(),
  /** Attempts whose prompt had it, and in how many of these the finding came back. */
  shown: z.number(),
  cameBack: z.number(),
  /** The task that got done after it had the finding, the newest, and what its last attempt changed; `null`: none did. */
  corrected: z._default(z.nullable(z.object({ taskId: z.string(), paths: z.array(z.string()) })), null),
});
export type Lesson = z.infer<typeof Lesson>;

/** Attempts with the same finding that make it a lesson. */
export const LESSON_FROM = 2;

/** Lessons that the state keeps, the most frequent; tasks that each names. */
export const LESSONS_KEPT = 100;
export const LESSON_TASKS_KEPT = 5;
/** Paths that a lesson names. */
export const LESSON_PATHS_KEPT = 5;
/** Cycles of one task that the state keeps, the newest. */
export const CYCLES_KEPT = 10;

/** What the policies go by; a part of the fold. */
export const PolicyState = z.object({
  budget: BudgetWindow,
  /** What tasks cost so far that aren't done, and by level of those that are. */
  tasks: z.record(z.string(), Cost),
  levels: z.record(z.string(), LevelCost),
  checkpoint: z.object({
    /** When the last one was taken, or the run began; `null`: no run began yet. */
    at: z.nullable(z.string()),
    /** Tasks that got done since. */
    done: z.number(),
  }),
  /** Of the first and the last task that this run got done. */
  quality: z.object({ first: z.nullable(TaskQuality), last: z.nullable(TaskQuality) }),
  /** Attempts in a row that ended so, and tasks that were blocked in a row; the newest few. */
  agentFailures: z.array(AgentFailure),
  blockedTasks: z.array(z.string()),
  /** Of the task that is worked at, oldest first. */
  cycles: z.array(CycleFacts),
  /** Stops the run at the next choice, or when the task is finished. */
  armed: z.nullable(BreakTrigger),
  /** How often each policy stopped runs since you last resumed, and the newest stop. */
  stops: z.record(PolicyStopKind, z.number()),
  stop: z.nullable(PolicyStop),
  lessons: z.array(Lesson),
});
export type PolicyState = z.infer<typeof PolicyState>;

export const EMPTY_POLICY: PolicyState = {
  budget: { since: null, spent: NO_COST, runStartedAt: null, activeAt: null },
  tasks: {},
  levels: {},
  checkpoint: { at: null, done: 0 },
  quality: { first: null, last: null },
  agentFailures: [],
  blockedTasks: [],
  cycles: [],
  armed: null,
  stops: { break: 0, budget: 0, checkpoint: 0 },
  stop: null,
  lessons: [],
};

/** What the policies go by when the loop chooses. */
export const PolicyFacts = z.object({
  /** `[budget]`; 0: no limit. */
  limits: Cost,
  /** Of this budget, until now. */
  spent: Cost,
  /**
   * What the tasks that other workers are at take: by the mean of their levels, or what they used if that is more; time passes for
   * all at once.
   */
  reserved: z._default(Cost, { usd: 0, tokens: 0, iterations: 0, ms: 0 }),
  /** The next task with the mean cost of its level; `null`: there is none, or nothing depends on it. */
  next: z.nullable(
    z.object({
      taskId: z.string(),
      /** An attempt at it was begun, and it is neither done nor blocked. */
      current: z.boolean(),
      level: z.string(),
      mean: z.nullable(Cost),
    }),
  ),
  checkpoint: z.object({
    /** `[policy.checkpoint]`; 0: not by this. */
    everyMs: z.number(),
    everyTasks: z.number(),
    /** Since the last one. */
    ms: z.number(),
    done: z.number(),
  }),
  quality: PolicyState.shape.quality,
  armed: z.nullable(BreakTrigger),
});
export type PolicyFacts = z.infer<typeof PolicyFacts>;

/** What the break goes by, as it is after an attempt. */
export const BreakAfter = z.pick(PolicyState, {
  agentFailures: true,
  blockedTasks: true,
  cycles: true,
  armed: true,
});
export type BreakAfter = z.infer<typeof BreakAfter>;

/** The same before an attempt. `strict`: `[policy.break] strict`. */
export const BreakFacts = z.object({ strict: z.boolean(), ...BreakAfter.shape });
export type BreakFacts = z.infer<typeof BreakFacts>;

/** What the budget means for one agent: of an attempt, or in a role beside it. */
export const AttemptBudget = z.object({
  limits: Cost,
  /** Before the agent began. */
  spent: Cost,
  /** `[runners.NAME] downgrade`; `null`: there is none. */
  downgrade: z.nullable(z.string()),
  /** The share of the budget from which on the agent uses it. */
  downgradeFrom: z.number(),
  /** The cheaper model that the agent is told to use; `null`: the usual one. */
  model: z.nullable(z.string()),
});
export type AttemptBudget = z.infer<typeof AttemptBudget>;

export type BudgetShare = {
  /** 0 to 1 and beyond: of the limit that is nearest to its end. */
  readonly share: number;
  readonly by: CostKind;
};

/** How much of a budget is spent; `null`: there is no limit. */
export function budgetShare(limits: Cost, spent: Cost): BudgetShare | null {
  let most: BudgetShare | null = null;
  for (const by of COST_KINDS) {
    if (limits[by] <= 0) continue;
    const share = spent[by] / limits[by];
    if (most === null || share > most.share) most = { share, by };
  }
  return most;
}

/** `$3.20 of $20.00`, `1,100 of 2,000 tokens`. */
export function spentText(limits: Cost, spent: Cost, by: CostKind): string {
  const [used, limit] = [costText(spent[by], by), costText(limits[by], by)];
  return by === 'tokens' || by === 'iterations' ? `${used.split(' ')[0]} of ${limit}` : `${used} of ${limit}`;
}

/** A cost in words. */
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
