import * as z from 'zod/mini';
import { Severity } from '../../lib/severity.ts';

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
export type ShadowCount = z.infer<typeof ShadowCount>;

/** One pass of the workflow over a task; in `solo` an attempt. */
export const CycleFacts = z.object({
  taskId: z.string(),
  /** 1 for the first of the task's series. */
  cycle: z.number(),
  /** `review`: reviewers looked at it; `attempt`: what the gates and the checks of one attempt show. */
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
