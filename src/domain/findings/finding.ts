import * as z from 'zod/mini';
import { Severity } from '../../lib/severity.ts';
import { InterventionType } from '../intervention.ts';

/** A detected problem (spec 3-interventions, Findings). The same finding is raised once per iteration. */
export const Finding = z.object({
  /** One of `FINDING_TYPES`, or the issue of one of your own detectors. */
  type: z.string(),
  severity: Severity,
  /** 0 to 1. */
  confidence: z.number(),
  /** 0 to 1. */
  impactFactor: z.number(),
  taskId: z.string(),
  iteration: z.number(),
  /** One sentence. */
  summary: z.string(),
  /** Facts behind it, in a defined key order. */
  details: z.record(z.string(), z.unknown()),
  /** The interventions that answer it, mildest first, where no entry of `FINDINGS` has them. */
  ladder: z.optional(z.array(InterventionType)),
});
export type Finding = z.infer<typeof Finding>;
