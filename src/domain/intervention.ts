import * as z from 'zod/mini';
import { Severity } from '../lib/severity.ts';
import { FeedbackEntry } from './feedback.ts';
import { GateBaseline } from './gate-baseline.ts';

/** The five corrective actions, gentlest first (spec 3-interventions). */
export const INTERVENTION_TYPES = [
  'soft_correction',
  'context_reinforcement',
  'resource_throttling',
  'checkpoint_rollback',
  'emergency_stop',
] as const;
export const InterventionType = z.enum(INTERVENTION_TYPES);
export type InterventionType = z.infer<typeof InterventionType>;

/** What an emergency stop holds up until you resolve its incident: all runs, or its task. */
export const StopScope = z.enum(['run', 'task']);
export type StopScope = z.infer<typeof StopScope>;

/** Limits of one attempt; 0: none, and for the time: the attempt's timeout. */
export const Limits = z.object({
  /** Actions that read, write or delete files, or run a command that is not known to only look. */
  fileOperations: z.number(),
  /** Resident memory of the agent's whole process tree, in MiB. */
  memoryMb: z.number(),
  /** Input and output tokens as the agent reports them. */
  tokens: z.number(),
  executionSeconds: z.number(),
  /** Acceptance criteria that the attempt is asked to work at; 0: all. */
  batchSize: z.number(),
});
export type Limits = z.infer<typeof Limits>;

/** What crossing a limit is called, in findings, ends and messages. */
export const LimitKind = z.enum(['file_operations', 'memory', 'tokens', 'execution_time']);
export type LimitKind = z.infer<typeof LimitKind>;

/** What a limit counts. */
export const LIMIT_UNITS: Readonly<Record<LimitKind, string>> = {
  file_operations: 'file operations',
  memory: 'MiB of memory',
  tokens: 'tokens',
  execution_time: 's',
};

/** Growth of each resource as a ratio; 1: none. */
export const Growth = z.object({
  fileOperations: z.number(),
  memory: z.number(),
  tokens: z.number(),
  time: z.number(),
});
export type Growth = z.infer<typeof Growth>;

export type Resource = keyof Growth;

/** Each resource in `Resources`, in `Limits` and in `LimitKind`. */
export const RESOURCES = {
  fileOperations: { used: 'fileOperations', limit: 'fileOperations', kind: 'file_operations' },
  memory: { used: 'memoryMb', limit: 'memoryMb', kind: 'memory' },
  tokens: { used: 'tokens', limit: 'tokens', kind: 'tokens' },
  time: { used: 'durationMs', limit: 'executionSeconds', kind: 'execution_time' },
} as const;
export const RESOURCE_NAMES = Object.keys(RESOURCES) as Resource[];

export function byResource(value: (resource: Resource) => number): Growth {
  return {
    fileOperations: value('fileOperations'),
    memory: value('memory'),
    tokens: value('tokens'),
    time: value('time'),
  };
}

export const NO_GROWTH: Growth = byResource(() => 1);

/** Growth over these is moderate, high, aggressive and severe. */
export const GROWTH_STEPS = { moderate: 1.2, high: 1.5, aggressive: 2, severe: 4 } as const;

/** What an attempt used. */
export const Resources = z.object({
  fileOperations: z.number(),
  /** Peak of the process tree in MiB; 0 where nothing was measured. */
  memoryMb: z.number(),
  tokens: z.number(),
  durationMs: z.number(),
});
export type Resources = z.infer<typeof Resources>;

/**
 * `helped`: the next attempt of the task did not show the issue; `no_further_attempt`: there was none to judge by, as
 * the task was blocked or the run stopped.
 */
export const InterventionOutcome = z.enum(['helped', 'not_helped', 'no_further_attempt']);
export type InterventionOutcome = z.infer<typeof InterventionOutcome>;

/** An intervention as the state of a task keeps it. */
export const InterventionRecord = z.object({
  type: InterventionType,
  /** The finding that it answers first, and the others that it answers with it. */
  issue: z.string(),
  also: z.array(z.string()),
  severity: Severity,
  iteration: z.number(),
  /** ISO 8601 UTC. */
  at: z.string(),
  agent: z.string(),
  /** Base × confidence × (1 + impact), before escalation. */
  severityScore: z.number(),
  /** Interventions on the issue within the window that did not help. */
  escalationLevel: z.number(),
  /** A rung above the one before, as that did not help. */
  escalated: z.boolean(),
  /** `null`: the next attempt decides. */
  outcome: z.nullable(InterventionOutcome),
  /** The intervention was due, came too soon after the ones before, and wasn't done. It counts as if it were. */
  leftOut: z.optional(z.literal(true)),
});
export type InterventionRecord = z.infer<typeof InterventionRecord>;

/** What is done; the loop performs it. */
export const InterventionPlan = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('soft_correction'),
    /** For the next prompt, Markdown; empty where it reached the running agent. */
    text: z.string(),
  }),
  z.object({
    type: z.literal('context_reinforcement'),
    /** Types of findings by which the next prompt is rebuilt. */
    issues: z.array(z.string()),
    /** What was wrong, for the next prompt, Markdown. */
    facts: z.string(),
  }),
  z.object({
    type: z.literal('resource_throttling'),
    before: Limits,
    limits: Limits,
    growth: Growth,
    /** Notice with the new limits for the next prompts, Markdown. */
    text: z.string(),
    /** What was wrong, for the next prompt, Markdown. */
    facts: z.string(),
  }),
  z.object({
    type: z.literal('checkpoint_rollback'),
    /** Id of the checkpoint; `null`: there isn't a safe one, and you have to take over. */
    checkpoint: z.nullable(z.string()),
    /** For the next prompt, Markdown. */
    text: z.string(),
    /** What was wrong, for a prompt that continues with the work after all, Markdown. */
    facts: z.string(),
    /** Without a checkpoint: what you can do. */
    recovery: z.array(z.string()),
  }),
  z.object({
    type: z.literal('emergency_stop'),
    /** One sentence for the screen. */
    reason: z.string(),
    scope: StopScope,
  }),
]);
export type InterventionPlan = z.infer<typeof InterventionPlan>;

/** An intervention that was decided on: what it is, why, and what is done. */
export const Intervention = z.object({
  record: InterventionRecord,
  plan: InterventionPlan,
  /** One sentence for the screen: why this rung. */
  why: z.string(),
});
export type Intervention = z.infer<typeof Intervention>;

/** What became of an earlier intervention, known from the attempt after it. */
export const Assessment = z.object({
  type: InterventionType,
  issue: z.string(),
  iteration: z.number(),
  outcome: InterventionOutcome,
});
export type Assessment = z.infer<typeof Assessment>;

/** Limits that resource throttling lowered; one step is taken back after `RECOVERY_AFTER` clean iterations. */
export const Throttle = z.object({
  limits: Limits,
  /** Those before each step, oldest first: the last is what one step of recovery gives back. */
  steps: z.array(Limits),
  /** Iterations in a row without a finding. */
  clean: z.number(),
  text: z.string(),
});
export type Throttle = z.infer<typeof Throttle>;

/** A state of the work tree that can be gone back to, as the decisions know it. */
export const KnownCheckpoint = z.object({
  /** `RUN/N`: the tree before iteration N. */
  id: z.string(),
  iteration: z.number(),
  /** Of the iteration that began from it. */
  taskId: z.string(),
  at: z.string(),
  tree: z.string(),
  /** Share of the gates that passed there, 0 to 1; 1 where there are none. */
  gateSuccess: z.number(),
  /** The loop's feedback of that moment for the task of the iteration: it holds again after a rollback. */
  feedback: z.array(FeedbackEntry),
  /** Throttled limits of that moment, which hold again too. */
  throttle: z.nullable(Throttle),
  /** The results of the gates at that time. */
  baseline: z.nullable(GateBaseline),
});
export type KnownCheckpoint = z.infer<typeof KnownCheckpoint>;

/** Counts by agent, issue and intervention, since the beginning. */
export const InterventionCell = z.object({
  agent: z.string(),
  issue: z.string(),
  type: InterventionType,
  applied: z.number(),
  helped: z.number(),
  notHelped: z.number(),
  noFurtherAttempt: z.number(),
  /** How many of them went a rung up. */
  escalated: z.number(),
});
export type InterventionCell = z.infer<typeof InterventionCell>;

export const InterventionStats = z.object({
  cells: z.array(InterventionCell),
  bySeverity: z.record(z.string(), z.number()),
});
export type InterventionStats = z.infer<typeof InterventionStats>;

export const EMPTY_STATS: InterventionStats = { cells: [], bySeverity: {} };

/** What a module of yours asks for about an issue (`[interventions.handlers]`, strategy `custom`). */
export const HandlerAnswer = z.union([
  /** The built-in ladder decides. */
  z.null(),
  z.object({ intervention: z.literal('none') }),
  z.object({
    intervention: z.enum(INTERVENTION_TYPES),
    /** Markdown for the next prompt, instead of the built-in text. */
    text: z.optional(z.string()),
  }),
]);
export type HandlerAnswer = z.infer<typeof HandlerAnswer>;

/** What a detector of yours found (`detect` of a handler). */
export const HandlerFinding = z.object({
  severity: Severity,
  confidence: z.number().check(z.minimum(0), z.maximum(1)),
  impactFactor: z.number().check(z.minimum(0), z.maximum(1)),
  summary: z.string(),
  details: z._default(z.record(z.string(), z.unknown()), {}),
  ladder: z.optional(z.array(InterventionType)),
});
export type HandlerFinding = z.infer<typeof HandlerFinding>;

/** The result of a call of a module of yours. */
export const HandlerOutcome = z.object({
  /** The issue, or `strategy`. */
  issue: z.string(),
  /** The function that was called. */
  call: z.enum(['detect', 'intervene']),
  answer: HandlerAnswer,
  /** Why it counts for nothing; `null` where it worked. */
  failure: z.nullable(z.string()),
});
export type HandlerOutcome = z.infer<typeof HandlerOutcome>;
