import * as z from 'zod/mini';

/** Layers that correct problems: the role's own shadow, the whole workflow, and the policies (docs/WORKFLOWS.md). */
export const EscalationLayer = z.enum(['role', 'system', 'policy']);
export type EscalationLayer = z.infer<typeof EscalationLayer>;

/**
 * Step against a problem. `correct`: a corrective instruction; `replace`: another agent or model in a new session;
 * `pause`: the run ends with a report after this iteration; `force_stop`: the run ends in a clean state; `person`: you
 * decide.
 */
export const EscalationStep = z.enum(['correct', 'replace', 'pause', 'force_stop', 'person']);
export type EscalationStep = z.infer<typeof EscalationStep>;

export const Escalation = z.object({
  layer: EscalationLayer,
  issue: z.string(),
  /** How often the problem occurred, this time included. */
  times: z.number(),
  step: EscalationStep,
  /** Request to you; empty until the problem occurs for the third time. */
  asks: z.string(),
});
export type Escalation = z.infer<typeof Escalation>;
