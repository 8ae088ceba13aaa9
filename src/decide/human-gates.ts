import { severityNamed } from 'ralph-kit/severity';
import {
  type AuditEntry,
  GATE_TITLES,
  type GateFacts,
  type GateRequest,
  HUMAN_GATES,
  type HumanGateName,
  NO_GATE_FACTS,
} from '../domain/human/gate.ts';
import { HumanSettings } from '../domain/human/settings.ts';
import { entryOf, triggersOf } from '../respond/human/index.ts';
import { gatePanel, OPTIONS } from '../tell/index.ts';

/** The human gates as exported by `./human-gates` (types/human-gates.d.ts), for use without the loop. */
export const GATES = {
  RECOVERY_ESCALATION: gate('GATE-AP-RECOVERY'),
  FALSE_POSITIVE: gate('GATE-AP-FALSE-POSITIVE'),
  DESTRUCTIVE_ACTION: gate('GATE-AP-DESTRUCTIVE'),
} as const;

type Gate = { readonly id: string; readonly name: string; readonly options: readonly string[] };

function gate(name: HumanGateName): Gate {
  return { id: name, name: GATE_TITLES[name], options: OPTIONS[name].map(({ option }) => option) };
}

/** Facts for the gates. A missing field opens no gate. */
export type GateContext = {
  readonly task_id?: string;
  readonly task_description?: string;
  readonly agent?: string;
  readonly pattern_type?: string;
  readonly severity?: string;
  readonly files?: readonly string[];
  readonly original_error?: string;
  readonly detected_at?: string;
  readonly recovery_attempts?: number;
  readonly confidence?: number;
  readonly detection_confidence?: number;
  readonly infinite_loop_detected?: boolean;
  readonly non_deterministic_failure?: boolean;
  readonly false_positive_reported?: boolean;
  readonly tests_removed?: number;
  readonly replacement_tests?: number;
  readonly coverage_before?: number;
  readonly coverage_after?: number;
  /** Change in percentage points, instead of `coverage_before` and `coverage_after`. */
  readonly coverage_delta?: number;
  readonly coverage_maintained?: boolean;
  readonly features_removed?: number;
  readonly documented_in_requirements?: boolean;
  readonly approved_by_pm?: boolean;
  readonly assertions_weakened?: number;
  readonly skip_patterns_added?: number;
  readonly history?: readonly string[];
  readonly recovery_record?: string;
};

export function shouldTriggerGate(
  { id }: Pick<Gate, 'id'>,
  context: GateContext,
  thresholds: unknown = {},
): boolean {
  const { gates } = HumanSettings.parse({ gates: thresholds });
  return triggersOf(nameOf(id), factsOf(context), gates).triggers.length > 0;
}

export function formatGateDisplay({ id }: Pick<Gate, 'id'>, context: GateContext, width = 80): string {
  return gatePanel(requestOf(nameOf(id), context), width);
}

type Decided = GateContext & {
  readonly user: string;
  readonly reason?: string;
  /** Time of the decision, ISO 8601. `opened_at`: time when the gate opened. */
  readonly timestamp: string;
  readonly opened_at?: string;
};

/** Returns an audit line without its number and hashes. @throws TypeError for an option that the gate lacks */
export function logGateDecision({ id }: Pick<Gate, 'id'>, decision: string, decided: Decided): AuditEntry {
  const name = nameOf(id);
  if (!OPTIONS[name].some(({ option }) => option === decision))
    throw new TypeError(`${decision} isn't an option of ${id}`);
  const request = { ...requestOf(name, decided), at: decided.opened_at ?? decided.timestamp };
  return entryOf(request, {
    kind: 'decision',
    decision,
    at: decided.timestamp,
    feedback: decided.reason ?? '',
    by: { user: decided.user, role: '', signature: null },
  });
}

function nameOf(id: string): HumanGateName {
  const name = HUMAN_GATES.find((one) => one === id);
  if (name === undefined) throw new TypeError(`${id} isn't a gate`);
  return name;
}

function requestOf(gate: HumanGateName, context: GateContext): GateRequest {
  const facts = factsOf(context);
  const { gates } = HumanSettings.parse({});
  return {
    id: 'G-0',
    gate,
    facts,
    triggers: [...triggersOf(gate, facts, gates).triggers],
    action: null,
    at: facts.detectedAt,
    run: '',
    iteration: 0,
    diffSha256: null,
    deadline: null,
    onTimeout: 'block',
    recoveryLimit: gates['GATE-AP-RECOVERY'].recovery_attempts,
    escalated: false,
    notes: [],
  };
}

function factsOf(context: GateContext): GateFacts {
  const severity = severityNamed(context.severity) ?? 'low';
  return {
    ...NO_GATE_FACTS,
    taskId: context.task_id ?? '',
    title: context.task_description ?? '',
    agent: context.agent ?? '',
    patterns: context.pattern_type === undefined ? [] : [context.pattern_type],
    severity,
    files: [...(context.files ?? [])],
    originalError: context.original_error ?? null,
    detectedAt: context.detected_at ?? '',
    detectionConfidence: context.detection_confidence ?? null,
    reported: context.false_positive_reported ? { event: '', by: '', reason: '' } : null,
    recoveryAttempts: context.recovery_attempts ?? 0,
    diagnosisConfidence: context.confidence ?? null,
    infiniteLoop: context.infinite_loop_detected ?? false,
    nonDeterministic: context.non_deterministic_failure ?? false,
    recoveryRecord: context.recovery_record ?? null,
    testsRemoved: context.tests_removed ?? 0,
    testsAdded: context.replacement_tests ?? 0,
    assertionsWeakened: context.assertions_weakened ?? 0,
    skipsAdded: context.skip_patterns_added ?? 0,
    featuresRemoved: context.features_removed ?? 0,
    featureRemovalApproved:
      (context.documented_in_requirements ?? false) && (context.approved_by_pm ?? false),
    coverage: coverageOf(context),
    history: [...(context.history ?? [])],
  };
}

function coverageOf({
  coverage_before: before,
  coverage_after: after,
  coverage_delta: delta,
  coverage_maintained: maintained,
}: GateContext): GateFacts['coverage'] {
  if (before !== undefined && after !== undefined) return { before, after };
  if (delta !== undefined) return { before: 100, after: 100 + delta };
  return maintained === true ? { before: 100, after: 100 } : null;
}
