import { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { FeedbackEntry } from './feedback.ts';
import { GateBaseline } from './gate-baseline.ts';

/** The five corrective actions, gentlest first (docs/INTERVENTIONS.md). */
export const INTERVENTION_TYPES = [
  'soft_correction',
  'context_reinforcement',
  'resource_throttling',
  'checkpoint_rollback',
  'emergency_stop',
] as const;
export const InterventionType = z.enum(INTERVENTION_TYPES);
export type InterventionType = z.infer<typeof InterventionType>;

/** An emergency stop blocks all runs or only its task, until you resolve its incident. */
export const StopScope = z.enum(['run', 'task']);
export type StopScope = z.infer<typeof StopScope>;

/** Limits of one attempt; 0: no limit. The attempt's timeout limits its time in any case. */
export const Limits = z.object({
  /** Number of actions that read, write or delete files, or run a command that may do more than read. */
  fileOperations: z.number(),
  /** Resident memory of the agent's whole process tree, in MiB. */
  memoryMb: z.number(),
  /** Input and output tokens, as reported by the agent. */
  tokens: z.number(),
  executionSeconds: z.number(),
  /** Acceptance criteria that the attempt is asked to work at; 0: all. */
  batchSize: z.number(),
});
export type Limits = z.infer<typeof Limits>;

export const LimitKind = z.enum(['file_operations', 'memory', 'tokens', 'execution_time']);
export type LimitKind = z.infer<typeof LimitKind>;

export const LIMIT_UNITS: Readonly<Record<LimitKind, string>> = {
  file_operations: 'file operations',
  memory: 'MiB of memory',
  tokens: 'tokens',
  execution_time: 's',
};

/** Factor by which the use of each resource grew; 1: no growth. */
export const Growth = z.object({
  fileOperations: z.number(),
  memory: z.number(),
  tokens: z.number(),
  time: z.number(),
});
export type Growth = z.infer<typeof Growth>;

export type Resource = keyof Growth;

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

export const GROWTH_STEPS = { moderate: 1.2, high: 1.5, aggressive: 2, severe: 4 } as const;

export const Resources = z.object({
  fileOperations: z.number(),
  /** Peak of the process tree in MiB; 0 if nothing was measured. */
  memoryMb: z.number(),
  tokens: z.number(),
  durationMs: z.number(),
});
export type Resources = z.infer<typeof Resources>;

/**
 * `helped`: the next attempt at the task didn't have the issue; `no_further_attempt`: the task was blocked, or the run
 * ended.
 */
export const InterventionOutcome = z.enum(['helped', 'not_helped', 'no_further_attempt']);
export type InterventionOutcome = z.infer<typeof InterventionOutcome>;

export const InterventionRecord = z.object({
  type: InterventionType,
  /** The main issue that the intervention answers; `also`: further issues. */
  issue: z.string(),
  also: z.array(z.string()),
  severity: Severity,
  iteration: z.number(),
  /** ISO 8601 UTC. */
  at: z.string(),
  agent: z.string(),
  /** Base severity × confidence × (1 + impact factor), before escalation. */
  severityScore: z.number(),
  /** Number of earlier interventions for the issue, within the time window, that didn't help. */
  escalationLevel: z.number(),
  /** Whether the intervention is one step stronger than an earlier one that didn't help. */
  escalated: z.boolean(),
  /** Whether the intervention helped; `null`: the next attempt will show it. */
  outcome: z.nullable(InterventionOutcome),
  /** Set if the intervention wasn't carried out because earlier ones were too recent. It counts as if it had been. */
  leftOut: z.optional(z.literal(true)),
});
export type InterventionRecord = z.infer<typeof InterventionRecord>;

export const InterventionPlan = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('soft_correction'),
    /** Markdown for the next prompt; empty if the running agent already got this text. */
    text: z.string(),
  }),
  z.object({
    type: z.literal('context_reinforcement'),
    /** Types of findings for which the next prompt is rebuilt. */
    issues: z.array(z.string()),
    /** Description of the problem, in Markdown for the next prompt. */
    facts: z.string(),
  }),
  z.object({
    type: z.literal('resource_throttling'),
    before: Limits,
    limits: Limits,
    growth: Growth,
    /** Notice about the new limits, in Markdown for the next prompts. */
    text: z.string(),
    facts: z.string(),
  }),
  z.object({
    type: z.literal('checkpoint_rollback'),
    /** Id of the checkpoint to restore; `null`: no checkpoint is safe, so you have to take over. */
    checkpoint: z.nullable(z.string()),
    text: z.string(),
    /** Description of the problem, in Markdown for a prompt that continues with the work instead. */
    facts: z.string(),
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

export const Intervention = z.object({
  record: InterventionRecord,
  plan: InterventionPlan,
  why: z.string(),
});
export type Intervention = z.infer<typeof Intervention>;

export const Assessment = z.object({
  type: InterventionType,
  issue: z.string(),
  iteration: z.number(),
  outcome: InterventionOutcome,
});
export type Assessment = z.infer<typeof Assessment>;

/** Lowered limits. Each `RECOVERY_AFTER` iterations without findings undo one step. */
export const Throttle = z.object({
  limits: Limits,
  /** Limits before each step down, oldest first. Undoing a step restores the last ones. */
  steps: z.array(Limits),
  /** Number of iterations in a row without a finding. */
  clean: z.number(),
  text: z.string(),
});
export type Throttle = z.infer<typeof Throttle>;

export const KnownCheckpoint = z.object({
  /** `RUN/N`: the tree before iteration N of a run. */
  id: z.string(),
  iteration: z.number(),
  taskId: z.string(),
  at: z.string(),
  tree: z.string(),
  /** Share of gates that passed, 0 to 1; 1 without gates. */
  gateSuccess: z.number(),
  /** Feedback by the loop on the task at that moment. A rollback restores it. */
  feedback: z.array(FeedbackEntry),
  /** Lowered limits at that moment. A rollback restores them. */
  throttle: z.nullable(Throttle),
  baseline: z.nullable(GateBaseline),
});
export type KnownCheckpoint = z.infer<typeof KnownCheckpoint>;

/** Counts of one intervention by agent and issue, since ralph's first run in the repository. */
export const InterventionCell = z.object({
  agent: z.string(),
  issue: z.string(),
  type: InterventionType,
  applied: z.number(),
  helped: z.number(),
  notHelped: z.number(),
  noFurtherAttempt: z.number(),
  escalated: z.number(),
});
export type InterventionCell = z.infer<typeof InterventionCell>;

export const InterventionStats = z.object({
  cells: z.array(InterventionCell),
  bySeverity: z.record(z.string(), z.number()),
});
export type InterventionStats = z.infer<typeof InterventionStats>;

/** Your module's answer to an issue (`[interventions.handlers]`, strategy `custom`). */
export const HandlerAnswer = z.union([
  /** `null`: the built-in ladder chooses the intervention. */
  z.null(),
  z.object({ intervention: z.literal('none') }),
  z.object({
    intervention: z.enum(INTERVENTION_TYPES),
    /** Markdown for the next prompt, which replaces the built-in text. */
    text: z.optional(z.string()),
  }),
]);
export type HandlerAnswer = z.infer<typeof HandlerAnswer>;

export const HandlerFinding = z.object({
  severity: Severity,
  confidence: z.number().check(z.minimum(0), z.maximum(1)),
  impactFactor: z.number().check(z.minimum(0), z.maximum(1)),
  summary: z.string(),
  details: z._default(z.record(z.string(), z.unknown()), {}),
  ladder: z.optional(z.array(InterventionType)),
});
export type HandlerFinding = z.infer<typeof HandlerFinding>;

export const HandlerOutcome = z.object({
  /** Name of the issue, or `strategy`. */
  issue: z.string(),
  call: z.enum(['detect', 'intervene']),
  answer: HandlerAnswer,
  /** Why the module's answer is ignored; `null`: the module worked. */
  failure: z.nullable(z.string()),
});
export type HandlerOutcome = z.infer<typeof HandlerOutcome>;
