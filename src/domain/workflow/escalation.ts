import * as z from 'zod/mini';
import type { PolicyStop } from '../policy.ts';

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

const SECOND: Readonly<Record<EscalationLayer, EscalationStep>> = {
  role: 'replace',
  system: 'pause',
  policy: 'force_stop',
};

const ASKS: Readonly<Record<EscalationLayer, string>> = {
  role: 're-scope the task',
  system: 'something systemic is wrong',
  policy: 'a limit is reached',
};

/** The one protocol: what follows when the same issue was found for the `times`-th time. */
export function escalate(layer: EscalationLayer, issue: string, times: number): Escalation {
  const step = times <= 1 ? 'correct' : times === 2 ? SECOND[layer] : 'person';
  return { layer, issue, times: Math.max(1, times), step, asks: step === 'person' ? ASKS[layer] : '' };
}

/** Runs are refused until `ralph resume`: at a break, and where the one protocol asks you. */
export function needsResume(stop: PolicyStop | null): boolean {
  return (
    stop !== null && (stop.kind === 'break' || escalate('policy', stop.kind, stop.times).step === 'person')
  );
}
