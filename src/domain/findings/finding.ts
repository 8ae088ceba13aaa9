import { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { InterventionType } from '../intervention.ts';

/** A detected problem (docs/INTERVENTIONS.md). An iteration has at most one of each type. */
export const Finding = z.object({
  /** One of `FINDING_TYPES`, or an issue of your own detectors. */
  type: z.string(),
  severity: Severity,
  /** Confidence of the detection, 0 to 1. */
  confidence: z.number(),
  /** How much the finding raises the severity score, 0 to 1. */
  impactFactor: z.number(),
  taskId: z.string(),
  iteration: z.number(),
  /** Description in one sentence. */
  summary: z.string(),
  /** Facts behind the finding. Keys have a defined order. */
  details: z.record(z.string(), z.unknown()),
  /** Interventions for the finding, mildest first; absent: those of its entry in `FINDINGS`. */
  ladder: z.optional(z.array(InterventionType)),
});
export type Finding = z.infer<typeof Finding>;
