import * as z from 'zod/mini';
import { INTERVENTION_TYPES, InterventionType } from './intervention.ts';
import { Severity } from './severity.ts';

const ofType = z.object({
  enabled: z.boolean(),
  /** How often it is applied in a task's series of attempts; 0: no limit of its own. */
  maxAttempts: z.number(),
});

/** What the controller of interventions goes by (`[interventions]`); recorded with each iteration. */
export const InterventionSettings = z.object({
  strategy: z.enum(['progressive', 'pattern_specific', 'custom']),
  /** 0 to 1: below it an intervention counts as ineffective. */
  effectivenessThreshold: z.number(),
  escalationDelaySeconds: z.number(),
  /** For the same issue on the same task. */
  cooldownSeconds: z.number(),
  /** Per series of attempts of a task; then the task is blocked. 0: no limit. */
  maxPerTask: z.number(),
  /** Of all tasks together; then feedback is all there is. 0: no limit. */
  maxPerRun: z.number(),
  types: z.object({
    soft_correction: ofType,
    context_reinforcement: ofType,
    resource_throttling: ofType,
    checkpoint_rollback: ofType,
    emergency_stop: ofType,
  }),
  /** What is left of a limit after moderate, high, aggressive and severe growth. */
  reductionFactors: z.object({
    moderate: z.number(),
    high: z.number(),
    aggressive: z.number(),
    severe: z.number(),
  }),
  /** Moving window over which growth within an attempt is measured. */
  metricsWindowSeconds: z.number(),
  /** How many checkpoints back a rollback goes at most. */
  maxRollbackDepth: z.number(),
  safeCheckpoint: z.object({
    /** Least share of gates that pass there. */
    minSuccessRate: z.number(),
    /** Seconds before it without a failed attempt of the task. */
    noErrorsSeconds: z.number(),
  }),
  /** Confidence and impact by issue, where the configuration changes them. */
  weights: z.record(
    z.string(),
    z.object({ confidence: z.optional(z.number()), impactFactor: z.optional(z.number()) }),
  ),
  /** Your templates for soft corrections, by issue (`custom_prompts_path`). */
  texts: z.record(z.string(), z.string()),
});
export type InterventionSettings = z.infer<typeof InterventionSettings>;

const unlimited = { enabled: true, maxAttempts: 0 };

/** The defaults of the specification, for records that hold none and for tests. */
export const DEFAULT_INTERVENTION_SETTINGS: InterventionSettings = {
  strategy: 'progressive',
  effectivenessThreshold: 0.6,
  escalationDelaySeconds: 120,
  cooldownSeconds: 30,
  maxPerTask: 10,
  maxPerRun: 0,
  types: {
    soft_correction: { enabled: true, maxAttempts: 3 },
    context_reinforcement: unlimited,
    resource_throttling: unlimited,
    checkpoint_rollback: unlimited,
    emergency_stop: unlimited,
  },
  reductionFactors: { moderate: 0.85, high: 0.7, aggressive: 0.5, severe: 0.25 },
  metricsWindowSeconds: 60,
  maxRollbackDepth: 3,
  safeCheckpoint: { minSuccessRate: 0.8, noErrorsSeconds: 60 },
  weights: {},
  texts: {},
};

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
