import * as z from 'zod/mini';
import { InterventionType, Severity } from './intervention.ts';

/** Findings that ralph itself detects. Detectors of a person, and later ones, have names of their own. */
export const FINDING_TYPES = [
  'no_files',
  'false_completion',
  'evidence_missing',
  'repetitive_errors',
  'scope_creep',
  'goal_drift',
  'resource_spiral',
  'hallucination',
  'gate_regression',
  'oscillation',
  'critical_security_violation',
  'state_tampering',
  'unreviewed_action',
  'action_denied',
] as const;
export type FindingType = (typeof FINDING_TYPES)[number];

/** A detected problem (spec 3-interventions, Findings). The same finding is raised once per iteration. */
export const Finding = z.object({
  /** One of `FINDING_TYPES`, or the name of another detector's issue. */
  type: z.string(),
  severity: Severity,
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
  /** The interventions that answer it, gentlest first, where the table of ladders does not know it. */
  ladder: z.optional(z.array(InterventionType)),
});
export type Finding = z.infer<typeof Finding>;

export function isFindingType(type: string): type is FindingType {
  return (FINDING_TYPES as readonly string[]).includes(type);
}
