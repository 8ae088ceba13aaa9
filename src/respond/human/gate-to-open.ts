import {
  type AutoApproval,
  type GateDraft,
  type GateFacts,
  HUMAN_GATES,
  type HumanGateName,
} from '../../domain/human/gate.ts';
import { type Thresholds, triggersOf } from './triggers.ts';

type ToOpen = {
  /** The request with all triggers that need you; `null`: none does. */
  readonly draft: GateDraft | null;
  /** To be logged, each with its justification. */
  readonly autoApproved: readonly AutoApproval[];
};

/** The gate that facts open: one request for a task, at the first of these gates (`HUMAN_GATES`, strictest first). */
export function gateToOpen(
  facts: GateFacts,
  thresholds: Thresholds,
  gates: readonly HumanGateName[] = HUMAN_GATES,
): ToOpen {
  const all = gates.map((gate) => triggersOf(gate, facts, thresholds));
  const triggers = all.flatMap((one) => one.triggers);
  const autoApproved = all.flatMap((one) => one.autoApproved);
  const [first] = triggers;
  const draft = first === undefined ? null : { gate: first.gate, facts, triggers, action: null };
  return { draft, autoApproved };
}
