import { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { emptyOf } from '../empty-of.ts';
import { TestCounts } from '../test-results.ts';

/** The gates at which you decide, strictest first (docs/HUMAN_GATES.md). */
export const HUMAN_GATES = [
  'GATE-AP-DESTRUCTIVE',
  'GATE-AP-RECOVERY',
  'GATE-AP-FALSE-POSITIVE',
  'MANUAL',
] as const;
export const HumanGateName = z.enum(HUMAN_GATES);
export type HumanGateName = z.infer<typeof HumanGateName>;

export const GATE_TITLES: Readonly<Record<HumanGateName, string>> = {
  'GATE-AP-RECOVERY': 'Recovery Escalation Gate',
  'GATE-AP-FALSE-POSITIVE': 'False Positive Override Gate',
  'GATE-AP-DESTRUCTIVE': 'Destructive Action Gate',
  MANUAL: 'Manual Intervention Gate',
};

/**
 * Facts that open human gates. Counts are net (removed minus added), only of findings that act, after refactorings are
 * recognised.
 */
export const GateFacts = z.object({
  taskId: z.string(),
  title: z.string(),
  agent: z.string(),
  /** Kinds of findings: `test_deletion`, `hardcoded_test_bypass`, … */
  patterns: z.array(z.string()),
  severity: Severity,
  files: z.array(z.string()),
  /** Error message that the agent avoided instead of fixing it; `null`: unknown. */
  originalError: z.nullable(z.string()),
  detectedAt: z.string(),
  /** Lowest confidence among findings that would act, 0 to 1; `null`: there are none. */
  detectionConfidence: z.nullable(z.number()),
  /** Event that you reported as a false positive; `null`: none. */
  reported: z.nullable(z.object({ event: z.string(), by: z.string(), reason: z.string() })),
  /** Check by the prover that fails, and that the prover confirms; `null`: none. */
  disputedCheck: z.nullable(z.string()),
  /** Requirement that the work changed again although the task doesn't ask for that; `null`: none. */
  bentDemand: z.nullable(z.string()),
  recoveryAttempts: z.number(),
  /** Confidence of the recovery's diagnosis, 0 to 1; `null`: no diagnosis was made. */
  diagnosisConfidence: z.nullable(z.number()),
  infiniteLoop: z.boolean(),
  nonDeterministic: z.boolean(),
  /** Path of the recovery's record, relative to the repository; `null`: there is none. */
  recoveryRecord: z.nullable(z.string()),
  testsRemoved: z.number(),
  testsAdded: z.number(),
  /** Tests that passed at the reference and are missing by name now; `null`: unknown. */
  testsMissing: z.nullable(z.number()),
  assertionsWeakened: z.number(),
  skipsAdded: z.number(),
  featuresRemoved: z.number(),
  /** Folders that were git repositories with many files, such as `web: 6,200 files, 80 MB`. */
  largeRepositories: z.array(z.string()),
  /** Whether the task documents the removal of features, and its owner approved that. */
  featureRemovalApproved: z.boolean(),
  /** Coverage in percent; `null`: no gate reports coverage. */
  coverage: z.nullable(z.object({ before: z.number(), after: z.number() })),
  tests: z.nullable(TestCounts),
  /** One line for each iteration, with what was tried and how it ended. */
  history: z.array(z.string()),
  /** Keys of the findings (`signOf`). If you accept the findings, you aren't asked about them again. */
  signs: z.array(z.string()),
});
export type GateFacts = z.infer<typeof GateFacts>;

export const NO_GATE_FACTS = emptyOf(GateFacts);

export const TRIGGERS = [
  'recovery_attempts',
  'diagnosis_confidence',
  'critical',
  'infinite_loop',
  'non_deterministic',
  'reported',
  'disputed_check',
  'bent_demand',
  'detection_confidence',
  'tests_removed',
  'coverage_drop',
  'features_removed',
  'assertions_weakened',
  'skips_added',
  'large_repository',
  'manual',
] as const;
export const TriggerName = z.enum(TRIGGERS);
export type TriggerName = z.infer<typeof TriggerName>;

export const Trigger = z.object({
  gate: HumanGateName,
  name: TriggerName,
  /** One sentence with the value seen and its limit. */
  text: z.string(),
});
export type Trigger = z.infer<typeof Trigger>;

export const AutoApproval = z.object({ trigger: Trigger, justification: z.string() });
export type AutoApproval = z.infer<typeof AutoApproval>;

export const GatedAction = z.object({
  tool: z.string(),
  /** Command line or path, on one line, without secrets. */
  shown: z.string(),
  /** The whole command or content, without secrets, bounded. */
  detail: z.string(),
  /** SHA-256 of the call with all its arguments, in hex. */
  sha256: z.string(),
  /**
   * Keys of tests or features that the action would remove: approving the action approves their removal. Absent: the
   * action waits for another reason.
   */
  signs: z.optional(z.array(z.string())),
});
export type GatedAction = z.infer<typeof GatedAction>;

export const GateDraft = z.object({
  gate: HumanGateName,
  facts: GateFacts,
  triggers: z.array(Trigger),
  action: z.nullable(GatedAction),
});
export type GateDraft = z.infer<typeof GateDraft>;

/** A request for your decision, as in the state and `.ralph/gates/G-N.json`. */
export const GateRequest = z.object({
  id: z.string(),
  ...GateDraft.shape,
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  /** SHA-256 of the kept work's patch; `null`: no work was kept. */
  diffSha256: z.nullable(z.string()),
  /** ISO 8601 UTC; `null`: the request waits without a limit. */
  deadline: z.nullable(z.string()),
  onTimeout: z.enum(['block', 'escalate']),
  /** Failed recovery attempts that open `GATE-AP-RECOVERY`. */
  recoveryLimit: z.number(),
  escalated: z.boolean(),
  notes: z.array(z.string()),
});
export type GateRequest = z.infer<typeof GateRequest>;

export const GATE_OPTIONS = [
  'approve',
  'reject',
  'retry',
  'view',
  'delegate',
  'abort',
  'legitimate',
  'violation',
  'needs-review',
  'diff',
  'history',
  'whitelist',
  'suggest',
] as const;
export const GateOption = z.enum(GATE_OPTIONS);
export type GateOption = z.infer<typeof GateOption>;

export const DecidedBy = z.object({
  /** Mail address from `[human.people]`, or from git's settings; in a chat `telegram: NAME`. */
  user: z.string(),
  role: z.string(),
  /** The signed text and its key; `null`: the gate asks for no signature. */
  signature: z.nullable(z.object({ key: z.string(), payload: z.string(), text: z.string() })),
});
export type DecidedBy = z.infer<typeof DecidedBy>;

export const GateDecision = z.object({
  request: z.string(),
  option: GateOption,
  reason: z.string(),
  guidance: z.string(),
  /** The agent that the task is delegated to; `null` for the other options. */
  agent: z.nullable(z.string()),
  by: DecidedBy,
});
export type GateDecision = z.infer<typeof GateDecision>;

export const DecidedGate = z.object({
  request: GateRequest,
  at: z.string(),
  /** One of `GATE_OPTIONS`, or `timeout`. */
  option: z.string(),
  reason: z.string(),
  user: z.string(),
});
export type DecidedGate = z.infer<typeof DecidedGate>;

export const AUDIT_KINDS = [
  'decision',
  'auto_approved',
  'refused',
  'timeout',
  'report',
  'whitelist',
  'sealed',
] as const;

/** A range of audit lines removed by retention. The hashes prove that no other line is missing. */
export const SealedRange = z.object({
  from: z.number(),
  to: z.number(),
  /** Hash of the last line before the range; `after`: hash of the range's last line. */
  before: z.string(),
  after: z.string(),
});
export type SealedRange = z.infer<typeof SealedRange>;

/** A line of the audit log without its hashes. Keys are as in the file. */
export const AuditEntry = z.object({
  kind: z.enum(AUDIT_KINDS),
  timestamp: z.string(),
  request: z.nullable(z.string()),
  gate_id: z.nullable(HumanGateName),
  gate_name: z.nullable(z.string()),
  decision: z.string(),
  user: z.string(),
  role: z.nullable(z.string()),
  context: z.nullable(
    z.object({
      task: z.string(),
      task_description: z.string(),
      pattern_type: z.string(),
      severity: z.string(),
      recovery_attempts: z.number(),
      agent_confidence: z.nullable(z.number()),
      diff_sha256: z.nullable(z.string()),
    }),
  ),
  human_feedback: z.string(),
  time_spent_seconds: z.nullable(z.number()),
  signature: DecidedBy.shape.signature,
  sealed: z.array(SealedRange),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLine = z.object({
  n: z.number(),
  ...AuditEntry.shape,
  prev: z.string(),
  hash: z.string(),
});
export type AuditLine = z.infer<typeof AuditLine>;

export const AuditHead = z.object({ n: z.number(), hash: z.string() });
export type AuditHead = z.infer<typeof AuditHead>;

export const NO_AUDIT: AuditHead = { n: 0, hash: '0'.repeat(64) };

/** Your decision that findings of one kind are false positives, in one file or everywhere. */
export const WhitelistEntry = z.object({
  /** Id of the whitelist entry: `W-1`, `W-2`, … */
  id: z.string(),
  pattern: z.string(),
  /** Path relative to the repository; `null`: everywhere. */
  path: z.nullable(z.string()),
  justification: z.string(),
  by: z.string(),
  at: z.string(),
  expiresAt: z.string(),
});
export type WhitelistEntry = z.infer<typeof WhitelistEntry>;
