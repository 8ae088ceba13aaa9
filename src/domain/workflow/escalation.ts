import * as z from 'zod/mini';

/** The three layers of corrective action (docs/WORKFLOWS.md). */
export const EscalationLayer = z.enum(['role', 'system', 'policy']);
export type EscalationLayer = z.infer<typeof EscalationLayer>;

/**
 * What follows. `correct`: the corrective action; `replace`: another agent or model in a fresh session; `pause`: the
 * run ends after this and reports; `force_stop`: the run ends in a clean state; `person`: you decide.
 */
export const EscalationStep = z.enum(['correct', 'replace', 'pause', 'force_stop', 'person']);
export type EscalationStep = z.infer<typeof EscalationStep>;

export const Escalation = z.object({
  layer: EscalationLayer,
  /** What was found, such as `guardian:paranoid` or `echo_chamber`. */
  issue: z.string(),
  /** How often by now, this time included. */
  times: z.number(),
  step: EscalationStep,
  /** What it asks of you; empty below the third time. */
  asks: z.string(),
});
export type Escalation = z.infer<typeof Escalation>;
