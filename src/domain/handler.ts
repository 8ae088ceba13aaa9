import * as z from 'zod/mini';
import { Severity } from '../lib/severity.ts';
import { INTERVENTION_TYPES, InterventionType } from './intervention.ts';

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
