import * as z from 'zod/mini';
import type { Severity } from '../../lib/severity.ts';
import { AgentEnd, ModelUsage } from '../agent.ts';
import { AttemptBudget } from '../policy.ts';
import { Spend } from '../spend.ts';
import { OutsideVerdict } from '../verdict.ts';
import { Escalation, EscalationStep } from './escalation.ts';

export const ROLES = ['explorer', 'creator', 'maker', 'guardian', 'skeptic', 'trickster', 'sage'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** All agents beside the maker: the prover is of no workflow. */
export const SupportRole = z.enum([...ROLES, 'prover']);
export type SupportRole = z.infer<typeof SupportRole>;

export const Phase = z.enum(['plan', 'do', 'check', 'act']);

export const WorkflowKind = z.enum(['solo', 'standard', 'thorough']);
export type WorkflowKind = z.infer<typeof WorkflowKind>;

export type Planner = 'explorer' | 'creator';
export type Reviewer = Exclude<Role, 'maker' | Planner>;
export type WorkflowRole = Planner | Reviewer;

/** Who works in which phase. Planners one after the other, reviewers at the same time. */
export const WORKFLOWS: Readonly<
  Record<WorkflowKind, { readonly plan: readonly Planner[]; readonly check: readonly Reviewer[] }>
> = {
  solo: { plan: [], check: [] },
  standard: { plan: [], check: ['guardian', 'sage'] },
  thorough: { plan: ['explorer', 'creator'], check: ['guardian', 'skeptic', 'trickster', 'sage'] },
};

/** The roles of a workflow, planners first. */
export function workflowRoles(kind: WorkflowKind): readonly WorkflowRole[] {
  return [...WORKFLOWS[kind].plan, ...WORKFLOWS[kind].check];
}

/** The shadow of each role: its virtue pushed too far. */
export const SHADOWS: Readonly<Record<Role, string>> = {
  explorer: 'rabbit_hole',
  creator: 'over_architect',
  maker: 'rogue',
  guardian: 'paranoid',
  skeptic: 'paralytic',
  trickster: 'false_alarm',
  sage: 'bureaucrat',
};

export const SYSTEM_SHADOWS = [
  'tunnel_vision',
  'echo_chamber',
  'gold_plating',
  'analysis_paralysis',
  'cargo_cult',
  'broken_window',
  'scope_creep',
] as const;
export const SystemShadow = z.enum(SYSTEM_SHADOWS);
export type SystemShadow = z.infer<typeof SystemShadow>;

export const FINDING_SEVERITIES = ['CRITICAL', 'WARNING', 'INFO'] as const;

/** How grave a reviewer's finding is for the decisions. */
export const GRAVITY = {
  CRITICAL: 'critical',
  WARNING: 'medium',
  INFO: 'low',
} as const satisfies Record<(typeof FINDING_SEVERITIES)[number], Severity>;

/** A reviewer's finding. `null`: the reviewer gave none. */
export const ReviewFinding = z.object({
  category: z.string(),
  severity: z.enum(FINDING_SEVERITIES),
  /** Relative to the top of the work tree. */
  file: z.string(),
  /** 1-based, in the file as it is after the change; `null`: the file as a whole. */
  line: z.nullable(z.number()),
  claim: z.string(),
  repro: z.nullable(z.string()),
  fix: z.nullable(z.string()),
  alternative: z.nullable(z.string()),
});
export type ReviewFinding = z.infer<typeof ReviewFinding>;

export const ReviewVerdict = z.enum(['APPROVED', 'CHANGES_REQUESTED']);
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

export const ReviewAnswer = z.object({ verdict: ReviewVerdict, findings: z.array(ReviewFinding) });
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

/** What a creator laid down: the proposal that the maker's change is compared with. */
export const Plan = z.object({
  text: z.string(),
  /** Files that it names; empty: it names none. */
  files: z.array(z.string()),
});
export type Plan = z.infer<typeof Plan>;

/** One sign of a shadow, as it was looked for. */
export const ShadowSign = z.object({
  /** `guardian:paranoid`, `echo_chamber`. */
  shadow: z.string(),
  sign: z.string(),
  /** What was seen, in one line. */
  seen: z.string(),
  /** Why it counts for nothing; `null`: it counts. */
  immune: z.nullable(z.string()),
});
export type ShadowSign = z.infer<typeof ShadowSign>;

/** The shadows that signs show, once for each sign that counts. */
export function shadowsIn(signs: readonly ShadowSign[]): string[] {
  return signs.filter(({ immune }) => immune === null).map(({ shadow }) => shadow);
}

/** What an agent in a role other than the maker's was asked, and what it said, once. */
export const RoleTurn = z.object({
  end: AgentEnd,
  durationMs: z.number(),
  sessionId: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** Why it could not work, by its own words or by how it ended; `null`: it worked. */
  trouble: z.nullable(z.string()),
  /** Where that is a cause outside of the work: its service, its sign-in; `null`: it isn't. */
  outside: z.nullable(OutsideVerdict),
  usage: z.array(ModelUsage),
  /** Its own last words, at most `ANSWER_LIMIT` characters and one. */
  text: z.string(),
  promptSha256: z.string(),
  /** What its prompt asked a reviewer's answer to repeat; `null`: it is a planner. */
  nonce: z.nullable(z.string()),
});
export type RoleTurn = z.infer<typeof RoleTurn>;

export const RoleRun = z.object({
  /** Of the iteration, from 1: `roles/NN-ROLE`. */
  number: z.number(),
  role: Role,
  phase: Phase,
  agent: z.string(),
  /** The model that it was asked for; `null`: its own choice. */
  model: z.nullable(z.string()),
  /** It stands in for the one that the configuration names. */
  replaced: z.boolean(),
  /** What the budget meant for it. */
  budget: AttemptBudget,
  /** Asked to look for what a quick approval missed. */
  adversarial: z.boolean(),
  /** The first, and a second one where the answer had to be repaired. */
  turns: z.array(RoleTurn),
  /** Files that it read, as far as its stream tells. */
  reads: z.array(z.string()),
  /** What it wrote to its own copy, which is gone. */
  wroteInCopy: z.array(z.string()),
});
export type RoleRun = z.infer<typeof RoleRun>;

/** `roles/NN-ROLE/started.json`: who was started there, for when ralph is killed before there is a record. */
export const StartedRole = z.object({ role: SupportRole, agent: z.string(), model: z.nullable(z.string()) });
export type StartedRole = z.infer<typeof StartedRole>;
export const STARTED_ROLE = 'started.json';

/** Which agent takes which role. */
export const RoleAgent = z.object({ role: Role, agent: z.string(), model: z.nullable(z.string()) });
export type RoleAgent = z.infer<typeof RoleAgent>;

/** How often an issue was found, in the task's series of attempts. */
export const IssueCount = z.object({
  layer: z.enum(['role', 'system']),
  issue: z.string(),
  times: z.number(),
  /** What was done the last time. */
  step: EscalationStep,
  /** Whether that helped isn't known yet. */
  isOpen: z.boolean(),
});
export type IssueCount = z.infer<typeof IssueCount>;

/** A corrective action for the next prompt of a role. */
export const Correction = z.object({ role: Role, issue: z.string(), text: z.string() });
export type Correction = z.infer<typeof Correction>;

/** A review as the task keeps it. `verdict` `null`: it failed. */
export const PastReview = z.object({
  cycle: z.number(),
  role: Role,
  verdict: z.nullable(ReviewVerdict),
  findings: z.array(ReviewFinding),
});
export type PastReview = z.infer<typeof PastReview>;

/** Past reviews that a task keeps. */
export const REVIEWS_KEPT = 16;

/** What a task's series of attempts keeps of its workflow. */
export const TaskWorkflow = z.object({
  /** Cycles with a review. */
  cycles: z.number(),
  plan: z.nullable(Plan),
  explorerStarts: z.number(),
  planMs: z.number(),
  doMs: z.number(),
  issues: z.array(IssueCount),
  corrections: z.array(Correction),
  /** Roles whose agent was replaced, and how often. */
  replaced: z.array(z.object({ role: Role, times: z.number() })),
  /** The newest `REVIEWS_KEPT`. */
  reviews: z.array(PastReview),
});
export type TaskWorkflow = z.infer<typeof TaskWorkflow>;

export const NEW_WORKFLOW: TaskWorkflow = {
  cycles: 0,
  plan: null,
  explorerStarts: 0,
  planMs: 0,
  doMs: 0,
  issues: [],
  corrections: [],
  replaced: [],
  reviews: [],
};

/** How often a role's agent was replaced in the task's series of attempts. */
export function timesReplaced(known: Pick<TaskWorkflow, 'replaced'> | null | undefined, role: Role): number {
  return known?.replaced.find((one) => one.role === role)?.times ?? 0;
}

/** How well a role or a corrective action did, in a run. */
export const WorkflowScore = z.object({
  roles: z.array(
    z.object({
      role: Role,
      runs: z.number(),
      failed: z.number(),
      findings: z.number(),
      /** Findings that the next cycle's review of the task no longer has. */
      resolved: z.number(),
      shadows: z.number(),
      /** Reviews that wrote to the work tree, or to their copy of it. */
      wrote: z.number(),
    }),
  ),
  actions: z.array(
    z.object({
      issue: z.string(),
      step: z.string(),
      applied: z.number(),
      /** The issue was not found again when it was next looked for. */
      helped: z.number(),
    }),
  ),
});
export type WorkflowScore = z.infer<typeof WorkflowScore>;

export const NO_SCORE: WorkflowScore = { roles: [], actions: [] };

/** What was seen of the workflow in an iteration; its decisions follow from it. */
export const WorkflowFacts = z.object({
  kind: WorkflowKind,
  maxCycles: z.number(),
  seats: z.array(RoleAgent),
  /** All that ran beside the maker, in the order of their numbers. */
  runs: z.array(RoleRun),
  /** The plan that the maker got. */
  plan: z.nullable(Plan),
  /** What reviewers were given, at most `REVIEW_DIFF_LIMIT` characters. */
  diff: z.string(),
  /** Lines added and removed by file. */
  files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number() })),
  planMs: z.number(),
  checkMs: z.number(),
  /** Lessons in the maker's prompt, as the findings that they speak of. */
  lessons: z.array(z.string()),
  /** WARNINGs that were left open by the runs before this one, newest last. */
  deferred: z.array(z.number()),
  /** A task of the list that is a clean-up and still open; `null`: none. */
  cleanUp: z.nullable(z.string()),
  /** Commands of the maker that its stream showed; `null`: its stream shows none. */
  commands: z.nullable(z.array(z.string())),
});
export type WorkflowFacts = z.infer<typeof WorkflowFacts>;

/** What the journal keeps of the decisions. */
export const CarriedWorkflow = z.object({
  /** What the task keeps. */
  next: TaskWorkflow,
  score: WorkflowScore,
  /** WARNINGs that were left open when the task was done. */
  deferred: z.number(),
  /** What the roles beside the maker used, by role and agent. */
  spend: z.array(z.object({ role: Role, agent: z.string(), spend: z.array(Spend) })),
});

/** What was decided from them. */
export const WorkflowDecisions = z.object({
  /** By the number of the run; `null`: it failed, or isn't a review. */
  answers: z.array(
    z.object({
      number: z.number(),
      role: Role,
      answer: z.nullable(ReviewAnswer),
      /** Why there is none; `null`: there is one. */
      failure: z.nullable(z.string()),
    }),
  ),
  /** Signs that were found, those that count for nothing included. */
  signs: z.array(ShadowSign),
  escalations: z.array(Escalation),
  /** What the maker has to fix, the worst first; each once. */
  findings: z.array(z.object({ role: Role, finding: ReviewFinding })),
  /** Kept for later: no one has to fix them now. */
  parkedFindings: z.array(z.object({ role: Role, finding: ReviewFinding })),
  /** Roles that speak against work that gates and evidence accept, and why; `null`: none does. */
  rejected: z.nullable(z.object({ roles: z.array(Role), why: z.string() })),
  /** A cause outside of the work that kept a review of complete work from being made; `null`: none did. */
  outside: z.nullable(OutsideVerdict),
  /** Why the task waits for you; `null`: it doesn't. */
  parked: z.nullable(z.string()),
  /** Why the run ends after this iteration; `null`: it doesn't. */
  pause: z.nullable(z.string()),
  ...CarriedWorkflow.shape,
});
export type WorkflowDecisions = z.infer<typeof WorkflowDecisions>;

/** Characters of an answer; a longer one isn't read. */
export const ANSWER_LIMIT = 65_536;
/** Characters of the diff in a reviewer's prompt. */
export const REVIEW_DIFF_LIMIT = 60_000;
