/**
 * Types of the module that takes the human gates' decisions without the loop (docs/HUMAN_GATES.md): `import
 * { GATES, shouldTriggerGate, formatGateDisplay, logGateDecision } from 'ralph-gold/human-gates'`. All
 * functions are pure and take plain data.
 */

export interface Gate {
  id: string;
  name: string;
  /** The choices that you have at this gate. */
  options: readonly string[];
}

export declare const GATES: {
  RECOVERY_ESCALATION: Gate;
  FALSE_POSITIVE: Gate;
  DESTRUCTIVE_ACTION: Gate;
};

/** Facts about a situation; a fact that is left out opens no gate. */
export interface GateContext {
  task_id?: string;
  task_description?: string;
  agent?: string;
  pattern_type?: string;
  /** Severity of the finding: `LOW`, `MEDIUM`, `HIGH` or `CRITICAL`. */
  severity?: string;
  files?: readonly string[];
  original_error?: string;
  /** When it was detected (ISO 8601). */
  detected_at?: string;
  recovery_attempts?: number;
  /** Confidence in the diagnosis, 0 to 1. */
  confidence?: number;
  /** Confidence in the detection, 0 to 1. */
  detection_confidence?: number;
  infinite_loop_detected?: boolean;
  non_deterministic_failure?: boolean;
  false_positive_reported?: boolean;
  tests_removed?: number;
  replacement_tests?: number;
  /** Test coverage before the work, in percent. */
  coverage_before?: number;
  coverage_after?: number;
  /** Change of the test coverage in percentage points, where the percentages aren't known. */
  coverage_delta?: number;
  coverage_maintained?: boolean;
  features_removed?: number;
  documented_in_requirements?: boolean;
  approved_by_pm?: boolean;
  assertions_weakened?: number;
  skip_patterns_added?: number;
  /** History of the task, one line for each iteration. */
  history?: readonly string[];
  recovery_record?: string;
}

/**
 * Returns whether a gate has to be asked: one of its triggers is met and isn't approved automatically.
 * @param thresholds In the form of `[human.gates]`: `{ RECOVERY: { attempts: 5 } }`.
 */
export declare function shouldTriggerGate(
  gate: Pick<Gate, 'id'>,
  context: GateContext,
  thresholds?: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): boolean;

/** Returns the panel of a gate as text in a box of at most 80 columns. */
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

/** Returns the audit record of a decision. @throws TypeError where the gate has no such option. */
export declare function logGateDecision(
  gate: Pick<Gate, 'id'>,
  decision: string,
  decided: GateContext & { user: string; reason?: string; timestamp: string; opened_at?: string },
): AuditRecord;
