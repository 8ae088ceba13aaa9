import { ModelUsage } from 'ralph-agents/event';
import type { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { AgentEnd } from '../agent.ts';
import { emptyOf } from '../empty-of.ts';
import { AttemptBudget } from '../policy.ts';
import { Spend } from '../spend.ts';
import { OutsideVerdict } from '../verdict.ts';
import { Escalation, EscalationStep } from './escalation.ts';

export const ROLES = ['explorer', 'creator', 'maker', 'guardian', 'skeptic', 'trickster', 'sage'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** Agents that work beside the maker. The prover, which writes checks, belongs to no workflow. */
export const SupportRole = z.enum([...ROLES, 'prover']);
export type SupportRole = z.infer<typeof SupportRole>;

export const Phase = z.enum(['plan', 'do', 'check', 'act']);

export const WorkflowKind = z.enum(['solo', 'standard', 'thorough']);
export type WorkflowKind = z.infer<typeof WorkflowKind>;

export type Planner = 'explorer' | 'creator';
export type Reviewer = Exclude<Role, 'maker' | Planner>;
export type WorkflowRole = Planner | Reviewer;

/** Roles of each workflow by phase. Planners work one after the other, reviewers at the same time. */
export const WORKFLOWS: Readonly<
  Record<WorkflowKind, { readonly plan: readonly Planner[]; readonly check: readonly Reviewer[] }>
> = {
  solo: { plan: [], check: [] },
  standard: { plan: [], check: ['guardian', 'sage'] },
  thorough: { plan: ['explorer', 'creator'], check: ['guardian', 'skeptic', 'trickster', 'sage'] },
};

/** Returns the roles of a workflow beside the maker, planners first. */
export function workflowRoles(kind: WorkflowKind): readonly WorkflowRole[] {
  return [...WORKFLOWS[kind].plan, ...WORKFLOWS[kind].check];
}

/** The shadow of each role: its strength, overdone. */
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

export const GRAVITY = {
  CRITICAL: 'critical',
  WARNING: 'medium',
  INFO: 'low',
} as const satisfies Record<(typeof FINDING_SEVERITIES)[number], Severity>;

/** A finding of a reviewer. Optional values that the reviewer left out are `null`. */
export const ReviewFinding = z.object({
  category: z.string(),
  severity: z.enum(FINDING_SEVERITIES),
  /** Path relative to the top of the work tree. */
  file: z.string(),
  /** Line after the change, from 1; `null`: the finding is about the whole file. */
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

export const Plan = z.object({
  text: z.string(),
  files: z.array(z.string()),
});
export type Plan = z.infer<typeof Plan>;

export const ShadowSign = z.object({
  shadow: z.string(),
  sign: z.string(),
  seen: z.string(),
  /** Why the sign doesn't count; `null`: it counts. */
  immune: z.nullable(z.string()),
});
export type ShadowSign = z.infer<typeof ShadowSign>;

/** Returns the shadows whose signs count. */
export function shadowsIn(signs: readonly ShadowSign[]): string[] {
  return signs.filter(({ immune }) => immune === null).map(({ shadow }) => shadow);
}

export const RoleTurn = z.object({
  end: AgentEnd,
  durationMs: z.number(),
  sessionId: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** Why the agent couldn't work, by its message or its exit; `null`: it worked. */
  trouble: z.nullable(z.string()),
  /** A cause outside the work for the trouble, such as its service or sign-in; `null`: there is none. */
  outside: z.nullable(OutsideVerdict),
  usage: z.array(ModelUsage),
  /** Final message of the agent, cut to `ANSWER_LIMIT` characters and one, so that a longer answer is noticed. */
  text: z.string(),
  promptSha256: z.string(),
  /** Code that a reviewer has to repeat in the answer; `null` for planners. */
  nonce: z.nullable(z.string()),
});
export type RoleTurn = z.infer<typeof RoleTurn>;

export const RoleRun = z.object({
  /** Number in the iteration, from 1, as in the folder `roles/NN-ROLE`. */
  number: z.number(),
  role: Role,
  phase: Phase,
  agent: z.string(),
  /** Model that was requested; `null`: the agent's own choice. */
  model: z.nullable(z.string()),
  replaced: z.boolean(),
  budget: AttemptBudget,
  adversarial: z.boolean(),
  /** The agent's turn, and a second one if the first answer was invalid. */
  turns: z.array(RoleTurn),
  reads: z.array(z.string()),
  wroteInCopy: z.array(z.string()),
});
export type RoleRun = z.infer<typeof RoleRun>;

/**
 * `roles/NN-ROLE/started.json`: an agent that was started. It shows what to charge if ralph is killed before the record
 * is written.
 */
export const StartedRole = z.object({ role: SupportRole, agent: z.string(), model: z.nullable(z.string()) });
export type StartedRole = z.infer<typeof StartedRole>;
export const STARTED_ROLE = 'started.json';

export const RoleAgent = z.object({ role: Role, agent: z.string(), model: z.nullable(z.string()) });
export type RoleAgent = z.infer<typeof RoleAgent>;

export const IssueCount = z.object({
  layer: z.enum(['role', 'system']),
  issue: z.string(),
  times: z.number(),
  step: EscalationStep,
  /** Whether it isn't known yet if the last step helped. */
  isOpen: z.boolean(),
});
export type IssueCount = z.infer<typeof IssueCount>;

export const Correction = z.object({ role: Role, issue: z.string(), text: z.string() });
export type Correction = z.infer<typeof Correction>;

/** A review that is kept with the task. `verdict` `null`: the review failed. */
export const PastReview = z.object({
  cycle: z.number(),
  role: Role,
  verdict: z.nullable(ReviewVerdict),
  findings: z.array(ReviewFinding),
});
export type PastReview = z.infer<typeof PastReview>;

export const REVIEWS_KEPT = 16;

export const TaskWorkflow = z.object({
  cycles: z.number(),
  plan: z.nullable(Plan),
  explorerStarts: z.number(),
  planMs: z.number(),
  doMs: z.number(),
  issues: z.array(IssueCount),
  corrections: z.array(Correction),
  replaced: z.array(z.object({ role: Role, times: z.number() })),
  /** Reviews of the series: the newest `REVIEWS_KEPT`. */
  reviews: z.array(PastReview),
});
export type TaskWorkflow = z.infer<typeof TaskWorkflow>;

export const NEW_WORKFLOW = emptyOf(TaskWorkflow);

export function timesReplaced(known: Pick<TaskWorkflow, 'replaced'> | null | undefined, role: Role): number {
  return known?.replaced.find((one) => one.role === role)?.times ?? 0;
}

export const WorkflowScore = z.object({
  roles: z.array(
    z.object({
      role: Role,
      runs: z.number(),
      failed: z.number(),
      findings: z.number(),
      /** Number of findings that the review in the next cycle no longer has. */
      resolved: z.number(),
      shadows: z.number(),
      /** Number of reviews that wrote to the work tree, or to their copy of it. */
      wrote: z.number(),
    }),
  ),
  actions: z.array(
    z.object({
      issue: z.string(),
      step: z.string(),
      applied: z.number(),
      /** Number of steps after which the issue didn't occur again. */
      helped: z.number(),
    }),
  ),
});
export type WorkflowScore = z.infer<typeof WorkflowScore>;

export const NO_SCORE = emptyOf(WorkflowScore);

export const WorkflowFacts = z.object({
  kind: WorkflowKind,
  maxCycles: z.number(),
  seats: z.array(RoleAgent),
  runs: z.array(RoleRun),
  plan: z.nullable(Plan),
  /** Diff for reviewers, cut to `REVIEW_DIFF_LIMIT` characters. */
  diff: z.string(),
  /** Changed files, with the number of added and removed lines. */
  files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number() })),
  planMs: z.number(),
  checkMs: z.number(),
  lessons: z.array(z.string()),
  /** Number of WARNINGs that each earlier run left open, newest run last. */
  deferred: z.array(z.number()),
  /** Id of an open clean-up task in the list; `null`: there is none. */
  cleanUp: z.nullable(z.string()),
  /** Commands that the maker's stream reports; `null`: the stream doesn't report commands. */
  commands: z.nullable(z.array(z.string())),
});
export type WorkflowFacts = z.infer<typeof WorkflowFacts>;

export const CarriedWorkflow = z.object({
  next: TaskWorkflow,
  score: WorkflowScore,
  deferred: z.number(),
  spend: z.array(z.object({ role: Role, agent: z.string(), spend: z.array(Spend) })),
});

export const WorkflowDecisions = z.object({
  /** Answers of roles by the number of their run. `null`: the run failed, or the role isn't a reviewer. */
  answers: z.array(
    z.object({
      number: z.number(),
      role: Role,
      answer: z.nullable(ReviewAnswer),
      /** Why there is no answer; `null`: there is one, or none was expected. */
      failure: z.nullable(z.string()),
    }),
  ),
  /** Signs of shadows, those that don't count included. */
  signs: z.array(ShadowSign),
  escalations: z.array(Escalation),
  /** Findings that the maker has to fix, the worst first, each once. */
  findings: z.array(z.object({ role: Role, finding: ReviewFinding })),
  parkedFindings: z.array(z.object({ role: Role, finding: ReviewFinding })),
  /** Roles that reject work which gates and evidence accept, and the reason; `null`: none does. */
  rejected: z.nullable(z.object({ roles: z.array(Role), why: z.string() })),
  /** Cause outside the work that prevented a review of finished work; `null`: there is none. */
  outside: z.nullable(OutsideVerdict),
  /** Why the task waits for your decision; `null`: it doesn't wait. */
  parked: z.nullable(z.string()),
  /** Why the run ends after this iteration; `null`: it doesn't. */
  pause: z.nullable(z.string()),
  ...CarriedWorkflow.shape,
});
export type WorkflowDecisions = z.infer<typeof WorkflowDecisions>;

/** Maximum number of characters of a reviewer's or planner's answer. A longer answer is not read. */
export const ANSWER_LIMIT = 65_536;
/** Maximum number of characters of the diff in a reviewer's prompt. */
export const REVIEW_DIFF_LIMIT = 60_000;
