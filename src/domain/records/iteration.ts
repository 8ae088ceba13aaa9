import { ReviewSummary } from 'ralph-actions/forms/record';
import { AgentReport, ModelUsage } from 'ralph-agents/event';
import * as z from 'zod/mini';
import { AgentEnd, AgentSession } from '../agent.ts';
import {
  ByHooks,
  ChangeSet,
  GitOperation,
  IdleChange,
  InnerRepository,
  Pointer,
  SeriesChanges,
} from '../change-set.ts';
import { Claim, CriterionCheck, EvidenceCheck, FileFact } from '../claim.ts';
import { CommandRun } from '../command-run.ts';
import { AdaptiveTimeoutSettings, InterventionSettings } from '../config.ts';
import { FeedbackEntry } from '../feedback.ts';
import { AvoidanceFacts } from '../findings/avoidance.ts';
import { Finding } from '../findings/finding.ts';
import { GateChange, GateReport, GateSources } from '../gate.ts';
import { GateBaseline } from '../gate-baseline.ts';
import { AutoApproval, GateDraft } from '../human/gate.ts';
import { Recovery } from '../human/recovery.ts';
import { HumanGateSettings } from '../human/settings.ts';
import {
  Assessment,
  HandlerOutcome,
  Intervention,
  InterventionCell,
  InterventionRecord,
  KnownCheckpoint,
  Limits,
  Resources,
  Throttle,
} from '../intervention.ts';
import { Observed, PlantedCredential } from '../observed.ts';
import { PlannedTask } from '../plan.ts';
import { AttemptBudget, BreakAfter, BreakFacts, CycleFacts, Lesson } from '../policy.ts';
import { Grade } from '../proof.ts';
import { MutantFacts, ProofDecision, ProofFacts } from '../proof-run.ts';
import { CarriedProver, ProverDecisions, ProverFacts } from '../prover.ts';
import { ReviewFacts } from '../review.ts';
import { Unavailable } from '../service.ts';
import { Price, Spend } from '../spend.ts';
import { Task, TaskStatus } from '../task.ts';
import { TestComparison } from '../test-results.ts';
import { Verdict, VerdictKind } from '../verdict.ts';
import { CarriedWorkflow, WorkflowDecisions, WorkflowFacts } from '../workflow/roles.ts';
import { ChoiceFacts } from './choice.ts';
import { EventDraft } from './event.ts';
import { AgentProfile, BlockedRecord, TaskState, Workplace } from './state.ts';
import { UnjudgedWork } from './unjudged-work.ts';

/** Increase this number whenever a deciding function decides differently on equal facts. */
export const DECIDER_VERSION = 4;

export const Tampering = z.object({
  /** `tracker`: the task list; `own`: ralph's documents; `config`: the configuration and prompts. */
  kind: z.enum(['tracker', 'own', 'config']),
  path: z.string(),
  change: z.enum(['modified', 'deleted', 'created']),
});
export type Tampering = z.infer<typeof Tampering>;

export const Conflict = z.object({
  /** Ids of the tasks with the conflicting work; empty: the conflict is with your own commit. */
  tasks: z.array(z.string()),
  /** Files that both works change; empty: gates pass with each work alone, and fail with both (`clashesIn`). */
  paths: z.array(z.string()),
  /**
   * Lock files that the package manager couldn't write again. `reason` ends the sentence "it can't be made anew: …".
   */
  locks: z._default(z.array(z.object({ path: z.string(), reason: z.string() })), []),
});
export type Conflict = z.infer<typeof Conflict>;

/** All facts about an attempt, in sections named for the rooms of `decideIteration`. Decisions use nothing else. */
export const FactSections = z.object({
  attempt: z.object({
    run: z.string(),
    iteration: z.number(),
    ...Workplace.shape,
    startedAt: z.string(),
    endedAt: z.string(),
    agent: z.string(),
    mode: z.string(),
    /** Number of the attempt in its series, from 1. */
    attempt: z.number(),
    /** Work that earlier attempts left without a verdict; `null`: none. */
    begun: z.nullable(UnjudgedWork),
    task: Task,
    taskState: TaskState,
    /** Number of the newest journal record that `taskState`, `profile` and `baseline` include. */
    stateSeq: z.number(),
    settings: z.object({
      completion: z.enum(['claim', 'gates', 'unchecked']),
      /** Whether done work is committed; false: it stays unstaged in the work tree. */
      commits: z.boolean(),
      maxAttemptsPerTask: z.number(),
      gateOutputLimit: z.number(),
      requiredGates: z.array(z.string()),
      heldOutGates: z.array(z.string()),
      /** Whether a box hides held-out gates from agents. */
      isBoxed: z.boolean(),
      /** Value of `[proof] require`. */
      requiredGrade: Grade,
      /** Value of `[human.gates]`. */
      humanGates: HumanGateSettings,
      interventions: InterventionSettings,
      /** Your templates for soft corrections, by issue (`custom_prompts_path`). */
      texts: z.record(z.string(), z.string()),
      /** Value of `[budget.prices]`, by model. */
      prices: z.record(z.string(), Price),
    }),
    level: z.string(),
    timeoutSeconds: z.number(),
    timeoutReason: z.string(),
    modeTimeoutSeconds: z.nullable(z.number()),
    /** Settings from which time limit and complexity level were calculated. */
    adaptiveTimeout: AdaptiveTimeoutSettings,
    choice: ChoiceFacts,
    chosenBecause: z.string(),
    /** Name, in the run's folder, of the file with the attempt's inputs (`InputsDocument`). */
    inputs: z.string(),
    promptSha256: z.string(),
    /** Session that the attempt continued, with the session's earlier usage; `null`: the session is new. */
    resumed: z.nullable(AgentSession),
    contextWindow: z.number(),
    /** Milliseconds that the attempt waited for a worker of the fleet and for a turn at the gates. */
    waitedMs: z._default(z.number(), 0),
  }),
  agent: z.object({
    end: AgentEnd,
    durationMs: z.number(),
    /** Class of the machine that made the attempt (`Ports.process.machine`), '' if unknown; absent: this machine. */
    machine: z.optional(z.string()),
    report: AgentReport,
    /** Usage of the whole session. `report.usage` is the part of this attempt. */
    sessionUsage: z.array(ModelUsage),
    /** The end of what the agent's program wrote to standard error, of bounded length. */
    errorTail: z.string(),
    guidance: z.array(z.string()),
    review: ReviewFacts,
    observed: Observed,
    resources: Resources,
    tampering: z.array(Tampering),
  }),
  claim: z.object({
    /** Format of the agent's output. Claims of agents with format `text` are read from all of their output. */
    agentOutput: z.string(),
    /** The prompt. Its text doesn't count as the agent's own if the output repeats it. */
    promptText: z.string(),
    feedback: z.array(FeedbackEntry),
  }),
  changes: z.object({
    changes: ChangeSet,
    /** Changes by all attempts of the series, with this one; `null`: this is the first attempt. */
    series: z.nullable(SeriesChanges),
    /** All changes of the attempt, if none of them counts as work (such as white space); otherwise empty. */
    idleChanges: z.array(IdleChange),
    /** Tree of the agent's copy, after the gates that ran in it. */
    leftTree: z.string(),
    head: z.nullable(z.string()),
    /** Folders in the work that contained a git repository, from this or an earlier attempt. */
    repositories: z.array(InnerRepository),
    /** Submodules whose commit the work changes, if the agent claims completion. */
    pointers: z.array(Pointer),
    byHooks: ByHooks,
    /** Paths of the work that its commit would lack, or have with other content. */
    missing: z.array(z.string()),
    /** A merge, rebase or similar operation that the attempt left unfinished; `null`: none. */
    operation: z.nullable(GitOperation),
    fileFacts: z.array(FileFact),
    criteria: z.array(CriterionCheck),
    credentials: z.array(PlantedCredential),
    /** Paths in the work that start a program when you open the repository, install packages or use git. */
    runsOnOpen: z.array(z.string()),
    avoidance: AvoidanceFacts,
  }),
  runs: z.object({
    /** All commands that ran for the work, deciding ones first. Read them with the functions of `command-runs.ts`. */
    commandRuns: z.array(CommandRun),
    baseline: z.nullable(GateBaseline),
    /** Sources of the gates' commands: before the attempt, after it, and after gates in the agent's copy. */
    gateSources: z.array(GateSources),
    /** The tree that would land, in the form that gates ran on. */
    testedTree: z.string(),
    /** A conflict of the work with work that landed meanwhile; `null`: none. */
    conflict: z._default(z.nullable(Conflict), null),
    /**
     * Result since which gates fail even without the work (`redOnLineIn`); `null`: no such gate, a commit of yours, or
     * unknown.
     */
    redSince: z.nullable(z.object({ taskId: z.string(), number: z.number() })),
  }),
  proof: z.object({
    /**
     * Facts from trial runs that show whether gates depend on the work, made if the work would be done; `null`: none
     * were made.
     */
    proof: z.nullable(ProofFacts),
    /** Requests to the agent that writes checks; `null`: none were made. */
    prover: z.nullable(ProverFacts),
    /**
     * Trial of the gates with small mistakes in the code, made after the verdict "done", which it doesn't change;
     * `null`: none was made.
     */
    mutants: z.nullable(MutantFacts),
  }),
  findings: z.object({
    /** Findings of your own detectors. */
    ownFindings: z.array(Finding),
  }),
  workflow: z.object({
    /** Facts about roles beside the maker; `null`: the maker works alone. */
    workflow: z.nullable(WorkflowFacts),
  }),
  interventions: z.object({
    handled: z.array(HandlerOutcome),
    limits: Limits,
    configuredLimits: Limits,
    /** The newest checkpoints, oldest first. The last one is the start of this attempt. */
    checkpoints: z.array(KnownCheckpoint),
    effectiveness: z.array(InterventionCell),
    doneTitles: z.array(z.string()),
  }),
  profile: z.object({
    profile: AgentProfile,
  }),
  policy: z.object({
    breaks: BreakFacts,
    budget: AttemptBudget,
    lessons: z.array(Lesson),
  }),
});
export type FactSections = z.infer<typeof FactSections>;

type Together<All> = (All extends unknown ? (one: All) => void : never) extends (one: infer One) => void
  ? One
  : never;

export type FactsOf<Name extends keyof FactSections> = Together<FactSections[Name]>;
export type IterationFacts = FactsOf<keyof FactSections>;

/** Decisions that the journal keeps, because the state follows from them. */
export const CarriedDecisions = z.object({
  spend: z.array(Spend),
  /** Whether the attempt counts toward blocking the task; an attempt that an outage, a limit or you ended doesn't. */
  failedAttempt: z.boolean(),
  taskStatus: TaskStatus,
  blocked: z.nullable(BlockedRecord),
  /** Feedback for the next attempts. It replaces the loop's earlier feedback on this task. */
  feedback: z.array(FeedbackEntry),
  reinforced: z.boolean(),
  suspendAgent: z.nullable(z.string()),
  /** Set if a cause outside the work ended the attempt: until when the agent can't work. Otherwise `null`. */
  unavailable: z.nullable(Unavailable),
  assessed: z.array(Assessment),
  reinforce: z.array(z.string()),
  /** Lowered limits for the next attempts; `null`: the configuration's limits. */
  throttle: z.nullable(Throttle),
  /** Why the task waits for your decision; `null`: it doesn't wait. */
  parkedBecause: z.nullable(z.string()),
  /** Steps that you can choose from, the most likely first. */
  recovery: z.array(z.string()),
  /** Recovery from a finding that corrections didn't cure; `null`: none. A new recovery has no id yet. */
  recovering: z.nullable(Recovery),
  /** Findings of this cycle; `null`: a cause outside the work ended it. */
  cycle: z.nullable(CycleFacts),
  breaks: BreakAfter,
  /** Quality of the work, 0 to 1; `null`: the task isn't done. */
  quality: z.nullable(z.number()),
  /** State of the workflow; `null`: the maker works alone. */
  workflow: z.nullable(CarriedWorkflow),
  /** State of the prover; `null`: there is none. */
  prover: z.nullable(CarriedProver),
  gatesNow: z._default(z.object({ down: z.array(z.string()), up: z.array(z.string()) }), {
    down: [],
    up: [],
  }),
  proposed: z._default(z.array(PlannedTask), []),
});

const { shape: carried } = CarriedDecisions;

export const DecisionSections = z.object({
  agent: z.object({ spend: carried.spend }),
  claim: z.object({ claim: Claim, proposed: carried.proposed }),
  changes: z.object({ evidence: z.array(EvidenceCheck) }),
  runs: z.object({
    gateChanges: z.array(GateChange),
    testResults: z.array(TestComparison),
  }),
  proof: z.object({ proof: ProofDecision, prover: z.nullable(ProverDecisions) }),
  gates: z.object({ gateReport: GateReport, gatesNow: carried.gatesNow }),
  workflow: z.object({ workflow: z.nullable(WorkflowDecisions) }),
  /** Findings that count. If a human gate stopped the work, a claim of completion isn't a false one. */
  findings: z.object({ findings: z.array(Finding) }),
  interventions: z.object({
    interventions: z.array(Intervention),
    /** Interventions that weren't carried out because earlier ones were too recent. They count all the same. */
    leftOut: z.array(InterventionRecord),
    assessed: carried.assessed,
    reinforce: carried.reinforce,
  }),
  verdict: z.object({
    verdict: Verdict,
    /** One sentence for the screen. */
    cause: z.string(),
    failedAttempt: carried.failedAttempt,
    /** Verdict of each deciding room. `verdict` is the strictest of them. */
    rooms: z.array(z.object({ room: z.string(), verdict: VerdictKind })),
  }),
  task: z.object({
    taskStatus: carried.taskStatus,
    blocked: carried.blocked,
    parkedBecause: carried.parkedBecause,
    recovery: carried.recovery,
    recovering: carried.recovering,
    throttle: carried.throttle,
    /** Request for your decision, not numbered yet; `null`: none. */
    humanGate: z.nullable(GateDraft),
    /** Triggers of human gates that were approved automatically. */
    autoApproved: z.array(AutoApproval),
  }),
  profile: z.object({
    reinforced: carried.reinforced,
    suspendAgent: carried.suspendAgent,
    unavailable: carried.unavailable,
  }),
  feedback: z.object({ feedback: carried.feedback }),
  policy: z.object({ cycle: carried.cycle, breaks: carried.breaks, quality: carried.quality }),
  events: z.object({ events: z.array(EventDraft) }),
});
export type DecisionSections = z.infer<typeof DecisionSections>;
export type IterationDecisions = Together<DecisionSections[keyof DecisionSections]>;

export function together<All extends object>(sections: All): Together<All[keyof All]> {
  return Object.assign({}, ...Object.values(sections));
}

export function inSections<Schema extends typeof FactSections | typeof DecisionSections>(
  { shape }: Schema,
  flat: object,
): z.output<Schema> {
  const sections = Object.entries(shape).map(([name, { shape: own }]) => [
    name,
    Object.fromEntries(Object.entries(flat).filter(([key]) => Object.hasOwn(own, key))),
  ]);
  return Object.fromEntries(sections);
}

function sideBySide<Schema extends typeof FactSections | typeof DecisionSections>({ shape }: Schema) {
  const fields = together(Object.values(shape).map((section) => section.shape));
  return z.object(fields) as unknown as z.ZodMiniType<Together<z.output<Schema>[keyof z.output<Schema>]>>;
}

/** `iteration.json`: all facts and decisions of one iteration, with the fields of all sections on one level. */
export const IterationRecord = z.looseObject({
  $schema: z.literal('ralph.iteration.v1'),
  decider: z.number(),
  /** Summary of the review of the agent's actions. The blocked actions are also in `facts.review`. */
  review_summary: ReviewSummary,
  blocked_actions: ReviewFacts.shape.blocked,
  facts: sideBySide(FactSections),
  decisions: sideBySide(DecisionSections),
});
export type IterationRecord = z.output<typeof IterationRecord>;
