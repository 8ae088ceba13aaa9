import * as z from 'zod/mini';
import { ReviewSummary } from '../../lib/actions/review-record.ts';
import { AgentEnd, AgentReport, AgentSession, ModelUsage } from '../agent.ts';
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
import { Price, Spend } from '../spend.ts';
import { Task, TaskStatus } from '../task.ts';
import { TestComparison } from '../test-results.ts';
import { Verdict, VerdictKind } from '../verdict.ts';
import { CarriedWorkflow, WorkflowDecisions, WorkflowFacts } from '../workflow/roles.ts';
import { BegunBefore } from './begun.ts';
import { ChoiceFacts } from './choice.ts';
import { EventDraft } from './event.ts';
import { AgentProfile, BlockedRecord, TaskState, Unavailable, Workplace } from './state.ts';

/** Raised whenever a deciding function changes what it would decide on equal facts. */
export const DECIDER_VERSION = 1;

/** What the agent did to files that only ralph or you write. */
export const Tampering = z.object({
  /** `tracker`: the task list; `own`: ralph's documents; `config`: configuration and prompts. */
  kind: z.enum(['tracker', 'own', 'config']),
  path: z.string(),
  change: z.enum(['modified', 'deleted', 'created']),
});
export type Tampering = z.infer<typeof Tampering>;

/** Work that can't be joined with a task's. */
export const Conflict = z.object({
  /** Ids of the tasks whose work it is; none: you committed it. */
  tasks: z.array(z.string()),
  /** Files that both change; none: each is green alone, and gates are red with both (`clashesIn`). */
  paths: z.array(z.string()),
  /** Lock files among the paths that couldn't be made anew, each with the reason: the rest of "it can't be made anew: …". */
  locks: z._default(z.array(z.object({ path: z.string(), reason: z.string() })), []),
});
export type Conflict = z.infer<typeof Conflict>;

/**
 * Everything that was seen of an attempt, in sections: each is named for the room of `decideIteration` that it belongs to.
 * The decisions follow from it alone.
 */
export const FactSections = z.object({
  /** The attempt, and what it began with. Every room sees these facts. */
  attempt: z.object({
    run: z.string(),
    iteration: z.number(),
    ...Workplace.shape,
    startedAt: z.string(),
    endedAt: z.string(),
    agent: z.string(),
    mode: z.string(),
    /** 1 for the first attempt of the series. */
    attempt: z.number(),
    /** What earlier attempts left of which nothing was judged; `null`: there is none. */
    begun: z.nullable(BegunBefore),
    task: Task,
    taskState: TaskState,
    /** Number of the newest journal record of the state that `taskState`, `profile` and `baseline` were taken from. */
    stateSeq: z.number(),
    /** The numbers of the configuration that decide. */
    settings: z.object({
      completion: z.enum(['claim', 'gates', 'unchecked']),
      /** Whether what is done is committed: else it stands in the work tree, and nothing is staged. */
      commits: z.boolean(),
      maxAttemptsPerTask: z.number(),
      gateOutputLimit: z.number(),
      requiredGates: z.array(z.string()),
      /** Gates that agents don't see (`held_out`). */
      heldOutGates: z.array(z.string()),
      /** Whether a box keeps them from the agents. */
      isBoxed: z.boolean(),
      /** `[proof] require` */
      requiredGrade: Grade,
      /** `[human.gates]` */
      humanGates: HumanGateSettings,
      interventions: InterventionSettings,
      /** Your templates for soft corrections, by issue (`custom_prompts_path`). */
      texts: z.record(z.string(), z.string()),
      /** `[budget.prices]` */
      prices: z.record(z.string(), Price),
    }),
    level: z.string(),
    timeoutSeconds: z.number(),
    timeoutReason: z.string(),
    /** The mode's time limit. */
    modeTimeoutSeconds: z.nullable(z.number()),
    /** The settings that the time limit was made with, and the level that the task was taken for. */
    adaptiveTimeout: AdaptiveTimeoutSettings,
    /** How the task was chosen, and the reason shown. */
    choice: ChoiceFacts,
    chosenBecause: z.string(),
    /** File name of the attempt's inputs in the run's folder (`InputsDocument`). */
    inputs: z.string(),
    promptSha256: z.string(),
    /**
     * The session that the attempt continued, and its usage as reported until then; `null`: a fresh one.
     */
    resumed: z.nullable(AgentSession),
    /** Tokens that the agent can read at once. */
    contextWindow: z.number(),
    /** How long it waited for a worker of the fleet, and for its turn at the gates, in milliseconds. */
    waitedMs: z._default(z.number(), 0),
  }),
  /** What the agent's process showed while the attempt ran. */
  agent: z.object({
    end: AgentEnd,
    durationMs: z.number(),
    /** Class of the worker's machine that made it (`Ports.process.machine`), '' where none said so; not there: it was made on this one. */
    machine: z.optional(z.string()),
    report: AgentReport,
    /** The usage of the whole session; `report.usage` is this attempt's share. */
    sessionUsage: z.array(ModelUsage),
    /** The end of what the agent printed to standard error, bounded. */
    errorTail: z.string(),
    /** What you said to the agent while it worked. */
    guidance: z.array(z.string()),
    /** What the review of the agent's actions saw. */
    review: ReviewFacts,
    /** What was seen while the attempt ran. */
    observed: Observed,
    resources: Resources,
    tampering: z.array(Tampering),
  }),
  /** Texts that tell the agent's own words from those that it repeats. */
  claim: z.object({
    /** How the agent's output is read: `text` agents' claims are read from all they printed. */
    agentOutput: z.string(),
    /** The prompt, so that its echo isn't read as the agent's words. */
    promptText: z.string(),
    /** The feedback on record that concerns the task. */
    feedback: z.array(FeedbackEntry),
  }),
  /** The files that the attempt changed, and what these changes show. */
  changes: z.object({
    changes: ChangeSet,
    /** All that the task's attempts changed by now, this one included; `null`: this one is the first. */
    series: z.nullable(SeriesChanges),
    /** All of the changes where each of them alone isn't work, such as white space; else none. */
    idleChanges: z.array(IdleChange),
    /** The tree of the agent's copy, after the gates that ran there. */
    leftTree: z.string(),
    /** The commit that the copy stands on. */
    head: z.nullable(z.string()),
    /** Folders of the work that were repositories, in this attempt or an earlier one. */
    repositories: z.array(InnerRepository),
    /** Submodules whose commits the work changes, where it claims to be done. */
    pointers: z.array(Pointer),
    byHooks: ByHooks,
    /** Paths of the work that its commit would hold otherwise, or not at all. */
    missing: z.array(z.string()),
    /** A merge, rebase or other operation of git that the attempt left unfinished; `null`: there is none. */
    operation: z.nullable(GitOperation),
    fileFacts: z.array(FileFact),
    /** How the task's acceptance criteria stand, by what the files held after the attempt. */
    criteria: z.array(CriterionCheck),
    /** Credentials in what the attempt added. */
    credentials: z.array(PlantedCredential),
    /** Paths of the task's work that run something when you open the repository, install its packages or use git in it. */
    runsOnOpen: z.array(z.string()),
    /** What the diff of the attempt shows of avoided work. */
    avoidance: AvoidanceFacts,
  }),
  /** Gates and other commands that ran on the work. */
  runs: z.object({
    /** All commands that ran for it, those that decide first; what is asked of them is in `command-runs.ts`. */
    commandRuns: z.array(CommandRun),
    baseline: z.nullable(GateBaseline),
    /** What the gates' commands run, as seen before the attempt, after it, and after gates that ran in the agent's copy. */
    gateSources: z.array(GateSources),
    /** What would land, as gates see it: they ran on that. */
    testedTree: z.string(),
    /** Work that landed meanwhile and doesn't go with this; `null`: it goes with all. */
    conflict: z._default(z.nullable(Conflict), null),
    /** The result since which gates fail on the line without the work (`redOnLineIn`); `null`: none fails, or a commit of yours made it fail, or that isn't found. */
    redSince: z.nullable(z.object({ taskId: z.string(), number: z.number() })),
  }),
  /** Runs that show whether the gates depend on the work. */
  proof: z.object({
    /** What those runs showed once the task would be done; `null`: nothing was run for that. */
    proof: z.nullable(ProofFacts),
    /** What an agent of its own that writes checks was asked; `null`: nothing. */
    prover: z.nullable(ProverFacts),
    /** Small mistakes that gates were tried with once the task was done; nothing is decided by them. `null`: none were made. */
    mutants: z.nullable(MutantFacts),
  }),
  /** What your detectors found. */
  findings: z.object({
    /** What your detectors found, and what your modules ask for. */
    ownFindings: z.array(Finding),
  }),
  /** What the roles beside the maker did. */
  workflow: z.object({
    /** The roles beside the maker; `null`: it works alone. */
    workflow: z.nullable(WorkflowFacts),
  }),
  /** Facts by which interventions are chosen. */
  interventions: z.object({
    handled: z.array(HandlerOutcome),
    /** The limits that were in force. */
    limits: Limits,
    /** The limits that the configuration sets. */
    configuredLimits: Limits,
    /** The newest checkpoints, oldest first; the last is the one that this attempt started from. */
    checkpoints: z.array(KnownCheckpoint),
    /** How earlier interventions of this agent fared. */
    effectiveness: z.array(InterventionCell),
    /** Interventions of this run before this iteration. */
    runInterventions: z.number(),
    /** Titles of the tasks that are done, the newest few. */
    doneTitles: z.array(z.string()),
  }),
  /** What is known of the agent before the attempt. */
  profile: z.object({
    profile: AgentProfile,
  }),
  /** Facts by which the policies of the run decide: break, budget, lessons. */
  policy: z.object({
    /** What the Wiggum Break goes by, before the attempt. */
    breaks: BreakFacts,
    budget: AttemptBudget,
    /** The lessons in the prompt. */
    lessons: z.array(Lesson),
  }),
});
export type FactSections = z.infer<typeof FactSections>;

/** The intersection of all types of a union. */
type Together<All> = (All extends unknown ? (one: All) => void : never) extends (one: infer One) => void
  ? One
  : never;

/** The facts of some sections, side by side. */
export type FactsOf<Name extends keyof FactSections> = Together<FactSections[Name]>;
export type IterationFacts = FactsOf<keyof FactSections>;

/** What the journal keeps of the decisions as they are: the state follows from it. */
export const CarriedDecisions = z.object({
  /** What the attempt used and cost, by model. */
  spend: z.array(Spend),
  /** Toward blocking (decisions.md, What counts). */
  failedAttempt: z.boolean(),
  taskStatus: TaskStatus,
  blocked: z.nullable(BlockedRecord),
  /** Feedback for the coming attempts; replaces what the loop said of this task before. */
  feedback: z.array(FeedbackEntry),
  /** Set when a threshold was exceeded. */
  reinforced: z.boolean(),
  suspendAgent: z.nullable(z.string()),
  /** What a cause outside of the work means for the agent; `null` for any other ending. */
  unavailable: z.nullable(Unavailable),
  /** What became of earlier interventions. */
  assessed: z.array(Assessment),
  /** Issues by which the next prompt is rebuilt. */
  reinforce: z.array(z.string()),
  /** Limits of the coming attempts; `null`: those of the configuration. */
  throttle: z.nullable(Throttle),
  /** Why the task waits for you; `null`: it doesn't. */
  parkedBecause: z.nullable(z.string()),
  /** What you can do then, the most likely first. */
  recovery: z.array(z.string()),
  /** What is done about a finding that its corrections did not cure; one that begins has no id yet. `null`: none. */
  recovering: z.nullable(Recovery),
  /** What was found in this pass; `null`: a cause outside of the work ended it. */
  cycle: z.nullable(CycleFacts),
  breaks: BreakAfter,
  /** How well the task was done, 0 to 1; `null`: it isn't done. */
  quality: z.nullable(z.number()),
  /** What follows for the workflow; `null`: the maker works alone. */
  workflow: z.nullable(CarriedWorkflow),
  /** What follows of the prover; `null`: there is none. */
  prover: z.nullable(CarriedProver),
  /** Gates that are down, and those that passed. */
  gatesNow: z._default(z.object({ down: z.array(z.string()), up: z.array(z.string()) }), {
    down: [],
    up: [],
  }),
  /** Tasks that the agent proposes beside its work. */
  proposed: z._default(z.array(PlannedTask), []),
});

const { shape: carried } = CarriedDecisions;

/** Everything that was decided from the facts, by the room that decided it. */
export const DecisionSections = z.object({
  agent: z.object({ spend: carried.spend }),
  claim: z.object({ claim: Claim, proposed: carried.proposed }),
  changes: z.object({ evidence: z.array(EvidenceCheck) }),
  runs: z.object({
    /** How files that the gates run were changed. */
    gateChanges: z.array(GateChange),
    /** What the gates reported of their tests, beside the baseline. */
    testResults: z.array(TestComparison),
  }),
  proof: z.object({ proof: ProofDecision, prover: z.nullable(ProverDecisions) }),
  gates: z.object({ gateReport: GateReport, gatesNow: carried.gatesNow }),
  workflow: z.object({ workflow: z.nullable(WorkflowDecisions) }),
  /** Findings that count: work that a human gate stopped is no false claim. */
  findings: z.object({ findings: z.array(Finding) }),
  interventions: z.object({
    interventions: z.array(Intervention),
    /** Interventions that were due and came too soon: they count, and nothing is done. */
    leftOut: z.array(InterventionRecord),
    assessed: carried.assessed,
    reinforce: carried.reinforce,
  }),
  verdict: z.object({
    verdict: Verdict,
    /** One sentence for the screen. */
    cause: z.string(),
    failedAttempt: carried.failedAttempt,
    /** The verdict that each room gives; `verdict` is the strictest of them. */
    rooms: z.array(z.object({ room: z.string(), verdict: VerdictKind })),
  }),
  task: z.object({
    taskStatus: carried.taskStatus,
    blocked: carried.blocked,
    parkedBecause: carried.parkedBecause,
    recovery: carried.recovery,
    recovering: carried.recovering,
    throttle: carried.throttle,
    /** What waits for your decision; `null`: nothing. */
    humanGate: z.nullable(GateDraft),
    /** What would have waited for you, and is settled without you. */
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

/** All of some sections, side by side. */
export function together<All extends object>(sections: All): Together<All[keyof All]> {
  return Object.assign({}, ...Object.values(sections));
}

/** Of what stands side by side, what belongs to each section. */
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

/**
 * `iteration.json`: all facts and all decisions of one pass of the loop, in sections; read, they stand side by side.
 */
export const IterationRecord = z.pipe(
  z.looseObject({
    $schema: z.literal('ralph.iteration.v1'),
    decider: z.number(),
    /** The result of the review of the agent's actions, and what it blocked (of `facts.agent.review`). */
    review_summary: ReviewSummary,
    blocked_actions: ReviewFacts.shape.blocked,
    facts: FactSections,
    decisions: DecisionSections,
  }),
  z.transform(({ facts, decisions, ...rest }) => ({
    ...rest,
    facts: together(facts),
    decisions: together(decisions),
  })),
);
export type IterationRecord = z.output<typeof IterationRecord>;
/** The record as it stands in its file, in sections. */
export type IterationDocument = z.input<typeof IterationRecord>;
