import * as z from 'zod/mini';

export const FINDING_TYPES = [
  'no_files',
  'false_completion',
  'evidence_missing',
  'state_tampering',
  'gate_regression',
  'unreviewed_action',
  'action_denied',
] as const;
export const FindingType = z.enum(FINDING_TYPES);
export type FindingType = z.infer<typeof FindingType>;

/** A detected problem (spec 3-interventions, Findings). The same finding is raised once per iteration. */
export const Finding = z.object({
  type: FindingType,
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  /** 0 to 1. */
  confidence: z.number(),
  /** 0 to 1. */
  impactFactor: z.number(),
  taskId: z.string(),
  iteration: z.number(),
  /** One sentence for people. */
  summary: z.string(),
  /** Facts behind it, in a defined key order. */
  details: z.record(z.string(), z.unknown()),
});
export type Finding = z.infer<typeof Finding>;
