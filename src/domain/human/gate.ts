import * as z from 'zod/mini';
import { Severity } from '../../lib/severity.ts';

/** The gates at which you decide, strictest first (spec 5-human-gates, Human gates). */
export const HUMAN_GATES = [
  'GATE-AP-DESTRUCTIVE',
  'GATE-AP-RECOVERY',
  'GATE-AP-FALSE-POSITIVE',
  'MANUAL',
] as const;
export const HumanGateName = z.enum(HUMAN_GATES);
export type HumanGateName = z.infer<typeof HumanGateName>;

/** How each is called on screen and in the audit log. */
export const GATE_TITLES: Readonly<Record<HumanGateName, string>> = {
  'GATE-AP-RECOVERY': 'Recovery Escalation Gate',
  'GATE-AP-FALSE-POSITIVE': 'False Positive Override Gate',
  'GATE-AP-DESTRUCTIVE': 'Destructive Action Gate',
  MANUAL: 'Manual Intervention Gate',
};

/** What the gates are decided by. Counts are net, of findings that act, after refactorings are recognised. */
export const GateFacts = z.object({
  taskId: z.string(),
  title: z.string(),
  agent: z.string(),
  /** Kinds of what was found: `test_deletion`, `hardcoded_test_bypass`, … */
  patterns: z.array(z.string()),
  severity: Severity,
  files: z.array(z.string()),
  /** What failed before the agent avoided it; `null`: not known. */
  originalError: z.nullable(z.string()),
  /** ISO 8601 UTC. */
  detectedAt: z.string(),
  /** The least sure of the findings that would act; `null`: there is none. */
  detectionConfidence: z.nullable(z.number()),
  /** An event that you reported as a false positive; `null`: none. */
  reported: z.nullable(z.object({ event: z.string(), by: z.string(), reason: z.string() })),
  /** A check of the prover that work fails by, and that it stands by; `null`: none. */
  disputedCheck: z.nullable(z.string()),
  /** What the work was to meet and was changed once more, although the task doesn't ask for that; `null`: nothing. */
  bentDemand: z.nullable(z.string()),
  recoveryAttempts: z.number(),
  /** `null`: nothing was diagnosed. */
  diagnosisConfidence: z.nullable(z.number()),
  infiniteLoop: z.boolean(),
  nonDeterministic: z.boolean(),
  /** Path of the record of the recovery, relative to the repository; `null`: there is none. */
  recoveryRecord: z.nullable(z.string()),
  testsRemoved: z.number(),
  testsAdded: z.number(),
  /** Tests that passed at the reference and have none of their name now; `null`: it isn't known. */
  testsMissing: z.nullable(z.number()),
  assertionsWeakened: z.number(),
  skipsAdded: z.number(),
  featuresRemoved: z.number(),
  /** Folders that were repositories, and whose files are many: `web: 6,200 files, 80 MB`. */
  largeRepositories: z.array(z.string()),
  /** Documented in the task and approved by its owner. */
  featureRemovalApproved: z.boolean(),
  /** Percent; `null`: no gate reports it. */
  coverage: z.nullable(z.object({ before: z.number(), after: z.number() })),
  tests: z.nullable(
    z.object({ run: z.number(), passed: z.number(), failed: z.number(), skipped: z.number() }),
  ),
  /** One line for each iteration: what was tried and how it ended. */
  history: z.array(z.string()),
  /** What the findings are about, one by one (`signOf`): what you call fine of them isn't asked again. */
  signs: z.array(z.string()),
});
export type GateFacts = z.infer<typeof GateFacts>;

/** Facts with nothing in them, to spread over. */
export const NO_GATE_FACTS: GateFacts = {
  taskId: '',
  title: '',
  agent: '',
  patterns: [],
  severity: 'low',
  files: [],
  originalError: null,
  detectedAt: '',
  detectionConfidence: null,
  reported: null,
  disputedCheck: null,
  bentDemand: null,
  recoveryAttempts: 0,
  diagnosisConfidence: null,
  infiniteLoop: false,
  nonDeterministic: false,
  recoveryRecord: null,
  testsRemoved: 0,
  testsAdded: 0,
  testsMissing: null,
  assertionsWeakened: 0,
  skipsAdded: 0,
  featuresRemoved: 0,
  largeRepositories: [],
  featureRemovalApproved: false,
  coverage: null,
  tests: null,
  history: [],
  signs: [],
};

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

/** Why a gate opens. */
export const Trigger = z.object({
  gate: HumanGateName,
  name: TriggerName,
  /** One sentence with the value seen and its limit. */
  text: z.string(),
});
export type Trigger = z.infer<typeof Trigger>;

/** A trigger that is settled without you, with why. */
export const AutoApproval = z.object({ trigger: Trigger, justification: z.string() });
export type AutoApproval = z.infer<typeof AutoApproval>;

/** A single action that a request is about. */
export const GatedAction = z.object({
  tool: z.string(),
  /** Command line or path, on one line, without secrets. */
  shown: z.string(),
  /** The whole command or content, without secrets, bounded. */
  detail: z.string(),
  /** Of the call with all its arguments, in hex. */
  sha256: z.string(),
  /** What it would take away: approved with it. Absent: it waits for another reason. */
  signs: z.optional(z.array(z.string())),
});
export type GatedAction = z.infer<typeof GatedAction>;

/** What an iteration asks of you. */
export const GateDraft = z.object({
  gate: HumanGateName,
  facts: GateFacts,
  triggers: z.array(Trigger),
  action: z.nullable(GatedAction),
});
export type GateDraft = z.infer<typeof GateDraft>;

/** A request for your decision, as the state and `.ralph/gates/G-N.json` have it. */
export const GateRequest = z.object({
  /** `G-N`. */
  id: z.string(),
  ...GateDraft.shape,
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  /** SHA-256 of the patch of the work that was kept; `null`: nothing was. */
  diffSha256: z.nullable(z.string()),
  /** ISO 8601 UTC; `null`: it waits without a limit. */
  deadline: z.nullable(z.string()),
  onTimeout: z.enum(['block', 'escalate']),
  escalated: z.boolean(),
  /** What you said when you put it off. */
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

/** Who made a decision. */
export const DecidedBy = z.object({
  /** The mail address of `[human.people]`, or of git's settings. */
  user: z.string(),
  role: z.string(),
  /** What was signed, by which key; `null`: the gate asks for no signature. */
  signature: z.nullable(z.object({ key: z.string(), payload: z.string(), text: z.string() })),
});
export type DecidedBy = z.infer<typeof DecidedBy>;

/** What you decided at a gate. */
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

/** A request that is over, as the state keeps it. */
export const DecidedGate = z.object({
  request: GateRequest,
  at: z.string(),
  /** An option, or `timeout`. */
  option: z.string(),
  reason: z.string(),
  user: z.string(),
});
export type DecidedGate = z.infer<typeof DecidedGate>;

/** The kinds of lines of `.ralph/gates/decisions.log`. */
export const AUDIT_KINDS = [
  'decision',
  'auto_approved',
  'refused',
  'timeout',
  'report',
  'whitelist',
  'sealed',
] as const;

/** Lines that retention removed: what stands before and after them proves that nothing else is missing. */
export const SealedRange = z.object({
  from: z.number(),
  to: z.number(),
  /** The hash of line `from - 1`, and that of line `to`. */
  before: z.string(),
  after: z.string(),
});
export type SealedRange = z.infer<typeof SealedRange>;

/** What a line of the log says, before it is part of the chain. In the file's own words. */
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

/** A line of `.ralph/gates/decisions.log`. */
export const AuditLine = z.object({
  n: z.number(),
  ...AuditEntry.shape,
  /** The hash of the line before it, and its own. */
  prev: z.string(),
  hash: z.string(),
});
export type AuditLine = z.infer<typeof AuditLine>;

/** The end of the chain, which the journal keeps. */
export const AuditHead = z.object({ n: z.number(), hash: z.string() });
export type AuditHead = z.infer<typeof AuditHead>;

/** The hash before the first line. */
export const NO_AUDIT: AuditHead = { n: 0, hash: '0'.repeat(64) };

/** A finding of this kind is none: in one file, or everywhere. */
export const WhitelistEntry = z.object({
  /** `W-N`. */
  id: z.string(),
  pattern: z.string(),
  /** Relative to the repository; `null`: everywhere. */
  path: z.nullable(z.string()),
  justification: z.string(),
  by: z.string(),
  at: z.string(),
  expiresAt: z.string(),
});
export type WhitelistEntry = z.infer<typeof WhitelistEntry>;
