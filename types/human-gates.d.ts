/**
 * The human gates' decisions, without the loop (docs/HUMAN_GATES.md): `import { GATES, shouldTriggerGate,
 * formatGateDisplay, logGateDecision } from 'ralph-gold/human-gates'`. Pure functions of plain data.
 */

export interface Gate {
  id: string;
  name: string;
  /** What can be decided. */
  options: readonly string[];
}

export declare const GATES: {
  RECOVERY_ESCALATION: Gate;
  FALSE_POSITIVE: Gate;
  DESTRUCTIVE_ACTION: Gate;
};

/** What is known of a situation; what is left out speaks for no gate. */
export interface GateContext {
  task_id?: string;
  task_description?: string;
  agent?: string;
  pattern_type?: string;
  /** `LOW`, `MEDIUM`, `HIGH` or `CRITICAL`. */
  severity?: string;
  files?: readonly string[];
  original_error?: string;
  /** ISO 8601. */
  detected_at?: string;
  recovery_attempts?: number;
  /** Of the diagnosis, 0 to 1. */
  confidence?: number;
  /** Of the detection, 0 to 1. */
  detection_confidence?: number;
  infinite_loop_detected?: boolean;
  non_deterministic_failure?: boolean;
  false_positive_reported?: boolean;
  tests_removed?: number;
  replacement_tests?: number;
  /** Percent. */
  coverage_before?: number;
  coverage_after?: number;
  /** Points, where the percentages aren't known. */
  coverage_delta?: number;
  coverage_maintained?: boolean;
  features_removed?: number;
  documented_in_requirements?: boolean;
  approved_by_pm?: boolean;
  assertions_weakened?: number;
  skip_patterns_added?: number;
  /** One line for each iteration. */
  history?: readonly string[];
  recovery_record?: string;
}

/**
 * Whether a gate has to be asked: any of its triggers is met that isn't approved automatically.
 *
 * @param thresholds As in `[human.gates]`: `{ RECOVERY: { attempts: 5 } }`.
 */
export declare function shouldTriggerGate(
  gate: Pick<Gate, 'id'>,
  context: GateContext,
  thresholds?: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): boolean;

/** The panel of a gate as text in a box of at most 80 columns. */
export declare function formatGateDisplay(
  gate: Pick<Gate, 'id'>,
  context: GateContext,
  width?: number,
): string;

export interface AuditRecord {
  kind: string;
  timestamp: string;
  request: string | null;
  gate_id: string | null;
  gate_name: string | null;
  decision: string;
  user: string;
  role: string | null;
  context: Record<string, unknown> | null;
  human_feedback: string;
  time_spent_seconds: number | null;
}

/** The audit record of a decision. @throws TypeError where the gate has no such option. */
export declare function logGateDecision(
  gate: Pick<Gate, 'id'>,
  decision: string,
  decided: GateContext & { user: string; reason?: string; timestamp: string; opened_at?: string },
): AuditRecord;
