import * as z from 'zod/mini';
import { LeftBehind } from '../../lib/actions/review.ts';
import { NO_REVIEWS, ReviewNumbers } from '../../lib/actions/review-record.ts';
import { own } from '../../lib/own.ts';
import { isAtOrBelow } from '../../lib/paths.ts';
import { AgentSession } from '../agent.ts';
import { Series, SetAside } from '../change-set.ts';
import { FeedbackEntry } from '../feedback.ts';
import { GateOutage } from '../gate.ts';
import { GateBaseline } from '../gate-baseline.ts';
import { Recovery } from '../human/recovery.ts';
import { HumanState, NO_HUMAN_STATE, NO_TASK_DECISIONS, TaskDecisions } from '../human/state.ts';
import { IncidentSummary } from '../incident.ts';
import {
  EMPTY_STATS,
  InterventionRecord,
  InterventionStats,
  KnownCheckpoint,
  Limits,
  Resources,
  Throttle,
} from '../intervention.ts';
import { Proposal } from '../plan.ts';
import { EMPTY_POLICY, PolicyState } from '../policy.ts';
import { TaskProver } from '../prover.ts';
import { PushResult } from '../push.ts';
import { UNAVAILABLE_KINDS } from '../service.ts';
import { AttemptSpend, SpendCell } from '../spend.ts';
import { RememberedId } from '../task.ts';
import { VerdictKind } from '../verdict.ts';
import { TaskWorkflow } from '../workflow/roles.ts';
import { InterventionEvent } from './event.ts';
import { DoneBy, FixedTracker, KnownHeads } from './marks.ts';
import { ControlledRun } from './run-control.ts';
import { RunSummary } from './run-summary.ts';

/** A journal of which nothing says that ralph wrote it here. */
export const JournalUnverified = z.object({
  /** Ends a sentence about it. */
  reason: z.string(),
  /** How many records it has, or had. */
  records: z.number(),
  /** How many tasks it calls done. */
  done: z.number(),
  /** Where it was put, relative to `.ralph`; `null`: it stands in its place, or is lost. */
  path: z.nullable(z.string()),
});

/** Where work is done: who does it, and the work tree it is done in. */
export const Workplace = z.object({
  /** From 1 on. */
  worker: z.number(),
  /** `main`, or the name of the linked worktree. */
  worktree: z.string(),
});
export type Workplace = z.infer<typeof Workplace>;

/** An attempt that was begun and has no end in the journal yet. */
export const OpenIteration = z.object({
  run: z.string(),
  iteration: z.number(),
  taskId: z.string(),
  agent: z.string(),
  mode: z.string(),
  startedAt: z.string(),
  timeoutSeconds: z.number(),
  /** It began before its agent was last found unavailable, so a good end of it says nothing of the time after. */
  overtaken: z.optional(z.literal(true)),
});
export type OpenIteration = z.infer<typeof OpenIteration>;

/** What follows in an attempt once its agent is done. */
export const EnteredPhase = z.object({
  phase: z.enum(['turn', 'gates', 'review']),
  /** Its result would land. */
  lands: z.boolean(),
});
export type EnteredPhase = z.infer<typeof EnteredPhase>;

/** The same as the state has it: `landing` comes with the verdict. */
export const PhaseState = z.object({
  name: z.enum([...EnteredPhase.shape.phase.options, 'landing']),
  taskId: z.string(),
  lands: z.boolean(),
  /** ISO 8601 UTC. */
  since: z.string(),
});
export type PhaseState = z.infer<typeof PhaseState>;

/** A rollback of the copy. */
export const OpenRollback = z.object({
  /** The checkpoint that is gone back to. */
  checkpoint: z.string(),
  tree: z.string(),
  /** The work that the copy held is set aside; false: nothing is touched yet. */
  isKept: z.boolean(),
  /** Whose attempts it undoes; `null`: you asked for it. */
  taskId: z.nullable(z.string()),
});
export type OpenRollback = z.infer<typeof OpenRollback>;

/** What is known of one workplace; several may be at work at once. */
export const WorkplaceState = z.object({
  ...Workplace.shape,
  openIteration: z.nullable(OpenIteration),
  /** What follows after its agent; `null`: the agent is at work, or nothing is. */
  phase: z._default(z.nullable(PhaseState), null),
  /** A rollback that was begun and has no end in the journal yet. */
  openRollback: z.nullable(OpenRollback),
  /** The tree that the last attempt or rollback left; `null` before the first one. */
  leftTree: z.nullable(z.string()),
  /** Those that an automatic rollback may use: the newest `CHECKPOINTS_KEPT`, oldest first. */
  checkpoints: z.array(KnownCheckpoint),
});
export type WorkplaceState = z.infer<typeof WorkplaceState>;

/** What is known of a workplace before the first attempt there. */
export const NOTHING_DONE = {
  openIteration: null,
  phase: null,
  openRollback: null,
  leftTree: null,
  checkpoints: [],
};

export function isSameWorkplace(one: Workplace, other: Workplace): boolean {
  return one.worker === other.worker && one.worktree === other.worktree;
}

export * from './run-summary.ts';

/** One finished attempt, as short as the later decisions allow. Durations in milliseconds, timeouts in seconds. */
/** What failed an attempt, as it was printed: at most six lines, without secrets. */
export const Failing = z.object({
  /** The gate; `null`: the agent itself. */
  gate: z.nullable(z.string()),
  /** `work`: it passed before the task's work; `before`: it failed then, too; `null`: not known. */
  since: z.nullable(z.enum(['work', 'before'])),
  lines: z.array(z.string()),
});
export type Failing = z.infer<typeof Failing>;

export const AttemptSummary = z.object({
  run: z.string(),
  iteration: z.number(),
  agent: z.string(),
  mode: z.string(),
  startedAt: z.string(),
  durationMs: z.number(),
  timeoutSeconds: z.number(),
  verdict: VerdictKind,
  /** One sentence: why the verdict is what it is. */
  cause: z.string(),
  filesChanged: z.number(),
  /** The agent used a tool or printed something. */
  active: z.boolean(),
  failedGates: z.array(z.string()),
  /** Those of the failed gates whose tool was not found. */
  missingTools: z.array(z.object({ gate: z.string(), tool: z.string() })),
  /** What failed it, in its own words; `null`: nothing printed says so. */
  failing: z.nullable(Failing),
  /** Tree id after the attempt. */
  tree: z.string(),
  /** Tree id before the attempt. */
  before: z.string(),
  /** Types of the findings. */
  findings: z.array(z.string()),
  /** What the work is to meet was changed instead, and the task doesn't ask for that. */
  bent: z.boolean(),
  /** `null`: nothing to measure growth against, as the attempt was rolled back or imported. */
  resources: z.nullable(Resources),
  /** The model that worked; `null`: not known. */
  model: z.nullable(z.string()),
  /** The agent's session, and its usage as the agent reported it; `null`: none that can be resumed. */
  session: z.nullable(AgentSession),
  /** Its work was to be set aside, so it failed, also where that was left out as it came too soon. */
  restarts: z.optional(z.literal(true)),
  /** Its work was set aside, and the next attempt began without it. */
  rolledBack: z.optional(z.literal(true)),
});
export type AttemptSummary = z.infer<typeof AttemptSummary>;

export const BLOCK_REASONS = [
  'timeout',
  'no_files',
  'false_completion',
  'incomplete',
  'gate_failed',
  'gate_tool_missing',
  'agent_error',
  'agent_reported_blocked',
  'review_blocked',
  'human_rejected',
  'dependency_blocked',
] as const;
export const BlockReason = z.enum(BLOCK_REASONS);
export type BlockReason = z.infer<typeof BlockReason>;

/** Why a task is blocked (spec 2, Blocked tasks). */
export const BlockedRecord = z.object({
  reason: BlockReason,
  detail: z.string(),
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  attempts: z.array(AttemptSummary),
  outputTail: z.string(),
  failedGateTail: z.string(),
});
export type BlockedRecord = z.infer<typeof BlockedRecord>;

/** A series of attempts that was given up for a fresh start. */
const UnblockedSeries = z.object({
  at: z.string(),
  /** What you gave as the reason, or why the strategy was followed. */
  reason: z.string(),
  /** Why it was blocked; `null` when it was not. */
  blockReason: z.nullable(BlockReason),
  attempts: z.array(AttemptSummary),
  /** The strategy by which it was unblocked, if any. */
  strategy: z.nullable(z.string()),
  /** True when ralph did it without being asked. */
  automatic: z.boolean(),
});

const Restriction = z.object({ incident: z.string(), limits: Limits });

/** Interventions that the state of a task keeps. */
export const INTERVENTIONS_KEPT = 50;
/** Checkpoints that the state keeps of each workplace, the newest. */
export const CHECKPOINTS_KEPT = 10;

export const TaskState = z.object({
  /** The current series: attempts since the task was first started, last unblocked or last done. */
  attempts: z.array(AttemptSummary),
  /**
   * Iterations of attempts whose end wasn't seen since the newest one that was: workers of a fleet may have delivered them meanwhile, or still be
   * at them.
   */
  cutOff: z._default(z.array(z.number()), []),
  /** The record of the attempt that finished the work, which waits for a gate that is down; `null`: none does. */
  finished: z._default(z.nullable(z.string()), null),
  /** An attempt was begun and the task is neither done nor blocked: it comes first. */
  inProgress: z.boolean(),
  blocked: z.nullable(BlockedRecord),
  parked: z.boolean(),
  /** You hold it back: it isn't started, and its result doesn't land. */
  held: z._default(z.boolean(), false),
  /** Why it is done; `null`: it isn't, whatever the tracker says. */
  doneBy: z.nullable(DoneBy),
  /** HEAD, as far as it was known, when the task was last done or blocked: a later commit can take that mark away. */
  settledAt: z.nullable(z.string()),
  /** A timeout that you gave with `ralph unblock --timeout`, in seconds, until the task is done. */
  timeoutSeconds: z.nullable(z.number()),
  /** Earlier series that ended by an unblock, oldest first, the newest few. */
  history: z.array(UnblockedSeries),
  /** How often it was unblocked since it was last done, and how often of these without being asked. */
  unblocks: z.object({ total: z.number(), automatic: z.number() }),
  /** Interventions of the current series, the newest `INTERVENTIONS_KEPT`. */
  interventions: z.array(InterventionRecord),
  /** All interventions of the current series, kept or not. */
  interventionCount: z.number(),
  /** Types of findings by which the next prompt is rebuilt. */
  reinforce: z.array(z.string()),
  /** Throttled limits and the notice in the prompt; `null`: those of the configuration. */
  throttle: z.nullable(Throttle),
  /** What you laid down with `ralph resume INC-N --option resume_with_limits`, until the task is done. */
  restriction: z.nullable(Restriction),
  /** Why it waits for you. */
  parkedBecause: z.nullable(z.string()),
  /** The recovery plan: what you can do where a rollback is called for and impossible. */
  recovery: z.array(z.string()),
  /** What is done about a finding that its corrections did not cure; `null`: there is none. */
  recovering: z.nullable(Recovery),
  /** What its attempts changed since the work tree was verified; `null`: nothing was begun, or it is settled. */
  series: z.nullable(Series),
  /** Its newest work that is out of the copy, whatever took it out. */
  setAside: z.nullable(SetAside),
  /** The next attempt begins with `setAside`; false: a rollback replaced it, it no longer applied, or you began afresh. */
  takesUp: z._default(z.boolean(), false),
  /** What you decided about it, until it is done. */
  decisions: TaskDecisions,
  /** It was unblocked or reopened; this mark is to be taken out of the task list if it still holds it. */
  staleMark: z.nullable(z.enum(['blocked', 'done'])),
  /** What its attempts made outside of the repository and left there. */
  left: z.array(LeftBehind),
  /** What its workflow keeps in the current series; `null`: the maker works alone, or hasn't begun. */
  workflow: z.nullable(TaskWorkflow),
  /** Checks of the current series that another agent wrote; `null`: none was asked. */
  prover: z.nullable(TaskProver),
});
export type TaskState = z.infer<typeof TaskState>;

/** Why an agent cannot work now, a cause outside of the work, and until when it is left alone (`decide/choice/available-agent.ts`). */
export const Unavailable = z.object({
  kind: z.enum(UNAVAILABLE_KINDS),
  /** In the agent's own words. */
  message: z.string(),
  /** When the first attempt of this row ended so; ISO 8601 UTC, as `until`. */
  since: z.string(),
  /** When the next attempt may be made; `null`: not in this run any more. */
  until: z.nullable(z.string()),
  /** Attempts in a row that ended by a cause outside of the work. */
  tries: z.number(),
  /** `until` is the time at which a limit resets, as the agent says; else ralph's own back-off. */
  resetKnown: z.boolean(),
});
export type Unavailable = z.infer<typeof Unavailable>;

/** An agent's record (spec 1-loop, Profile). */
export const AgentProfile = z.object({
  agentId: z.string(),
  totalIterations: z.number(),
  noFilesCount: z.number(),
  falseCompletionCount: z.number(),
  filesChanged: z.number(),
  evidenceCount: z.number(),
  doneCount: z.number(),
  lastReinforcement: z.nullable(z.string()),
  thresholdExceeded: z.boolean(),
  /** Why the agent is suspended for manual review; `null` when it is not. */
  suspended: z.nullable(z.string()),
  /** The newest iterations, oldest first, at most `PROFILE_WINDOW`. */
  window: z.array(z.object({ iteration: z.number(), noFiles: z.boolean(), falseCompletion: z.boolean() })),
  /**
   * Finished attempts by complexity level: count, done, and the newest durations in milliseconds: of this machine, and of workers' machines by their
   * classes.
   */
  levels: z.record(
    z.string(),
    z.object({
      ...{ attempts: z.number(), done: z.number(), durationsMs: z.array(z.number()) },
      elsewhere: z.optional(z.record(z.string(), z.array(z.number()))),
    }),
  ),
  /** Why it cannot work now; `null` when nothing is known against it. */
  unavailable: z.nullable(Unavailable),
});
export type AgentProfile = z.infer<typeof AgentProfile>;

/** The fold of the journal (`state/fold.ts`); everything that outlives a process. Lists are bounded. */
export const State = z.object({
  /** Number of records folded. */
  seq: z.number(),
  counters: z.object({
    iteration: z.number(),
    event: z.number(),
    incident: z.number(),
    recovery: z.number(),
    proposal: z._default(z.number(), 0),
  }),
  tasks: z.record(z.string(), TaskState),
  rememberedIds: z.array(RememberedId),
  runs: z.array(RunSummary),
  /** What you asked of the newest run that you asked something of. */
  control: z.nullable(ControlledRun),
  /** Tasks that you want to go before all others, the first one first. */
  first: z._default(z.array(z.string()), []),
  /** Tasks that agents propose, and that wait for your yes: the newest `PROPOSALS_KEPT`, oldest first. */
  proposals: z._default(z.array(Proposal), []),
  /** Since when tasks of this run have waited for files which others may change; ISO 8601 UTC, by task. */
  keptApart: z._default(z.record(z.string(), z.string()), {}),
  /** One for each worker and work tree that ever began an attempt or a rollback. */
  workplaces: z.array(WorkplaceState),
  profiles: z.record(z.string(), AgentProfile),
  events: z.array(InterventionEvent),
  /** Totals over all events ever, archived ones included. */
  eventTotals: z.object({
    count: z.number(),
    byType: z.record(z.string(), z.number()),
    bySeverity: z.record(z.string(), z.number()),
  }),
  /** Results of the review of actions, of all attempts ever. */
  reviews: ReviewNumbers,
  feedback: z.array(FeedbackEntry),
  baseline: z.nullable(GateBaseline),
  /** What gates and other tools write where git tracks nothing, until you change it: the newest `OUTPUTS_KEPT`. */
  outputs: z.array(z.string()),
  /** SHA-256 of the tracker as ralph last wrote or accepted it. */
  trackerSha256: z.nullable(z.string()),
  /** Done or blocked tasks whose mark is missing from the accepted tracker: it was taken back, and isn't written again. */
  takenBack: z.array(z.string()),
  tracker: z.nullable(FixedTracker),
  /** No run ever began and no record is lost: what the tracker calls done was done before ralph came. */
  imports: z.boolean(),
  heads: KnownHeads,
  /** Iterations in a row, over all tasks, in which no tree, status or block record changed. */
  idleIterations: z.number(),
  /** Gates that fail without any work since something outside changed; `null`: none is known to. */
  outage: z._default(z.nullable(GateOutage), null),
  interventionStats: InterventionStats,
  /** The newest `INCIDENTS_KEPT`, oldest first. */
  incidents: z.array(IncidentSummary),
  /** The newest `RECOVERIES_KEPT`, oldest first. */
  recoveries: z.array(Recovery),
  /** What waits for your decision, and what you decided. */
  human: HumanState,
  /** The newest attempt that is over; `null`: there is none. */
  lastAttempt: z.nullable(AttemptSpend),
  /** What all attempts ever used, by task, then by agent and model. */
  spend: z.record(z.string(), z.array(SpendCell)),
  /** An earlier journal that doesn't count until you accept it, so what the task list calls done isn't verified. */
  journalUnverified: z.nullable(JournalUnverified),
  /** What the policies go by: budget, checkpoints, the break, lessons. */
  policy: PolicyState,
  /** The newest push; `null`: there was none. */
  push: z._default(z.nullable(PushResult), null),
});
export type State = z.infer<typeof State>;

/** Attempts that were begun and have no end on record, of all workplaces or those of one work tree. */
export function openIterations(
  { workplaces }: Pick<State, 'workplaces'>,
  worktree?: string,
): OpenIteration[] {
  return workplaces.flatMap((one) =>
    one.openIteration === null || (worktree !== undefined && one.worktree !== worktree)
      ? []
      : [one.openIteration],
  );
}

/** What `state.json` holds of the state; the rest has documents of its own. */
export const StateCore = z.omit(State, {
  events: true,
  profiles: true,
  eventTotals: true,
  human: true,
  recoveries: true,
});

export const EMPTY_STATE: State = {
  seq: 0,
  counters: { iteration: 0, event: 0, incident: 0, recovery: 0, proposal: 0 },
  tasks: {},
  rememberedIds: [],
  runs: [],
  control: null,
  first: [],
  proposals: [],
  keptApart: {},
  workplaces: [],
  profiles: {},
  events: [],
  eventTotals: { count: 0, byType: {}, bySeverity: {} },
  reviews: NO_REVIEWS,
  feedback: [],
  baseline: null,
  outputs: [],
  trackerSha256: null,
  takenBack: [],
  tracker: null,
  imports: true,
  heads: { known: null },
  idleIterations: 0,
  outage: null,
  interventionStats: EMPTY_STATS,
  incidents: [],
  recoveries: [],
  human: NO_HUMAN_STATE,
  lastAttempt: null,
  spend: {},
  journalUnverified: null,
  policy: EMPTY_POLICY,
  push: null,
};

/** Runs whose folders are kept, and the records that a fleet has of their tasks on its remote. */
export const RUNS_KEPT = 50;

/** Iterations of a task whose end wasn't seen that are remembered. */
export const CUT_OFF_KEPT = 20;

export const EMPTY_TASK_STATE: TaskState = {
  attempts: [],
  cutOff: [],
  finished: null,
  inProgress: false,
  blocked: null,
  parked: false,
  held: false,
  doneBy: null,
  settledAt: null,
  timeoutSeconds: null,
  history: [],
  unblocks: { total: 0, automatic: 0 },
  interventions: [],
  interventionCount: 0,
  reinforce: [],
  throttle: null,
  restriction: null,
  parkedBecause: null,
  recovery: [],
  recovering: null,
  series: null,
  setAside: null,
  takesUp: false,
  decisions: NO_TASK_DECISIONS,
  staleMark: null,
  left: [],
  workflow: null,
  prover: null,
};

/** What is known of a task; everything empty for one that was never attempted. */
export function taskStateOf(state: State, taskId: string): TaskState {
  return own(state.tasks, taskId) ?? EMPTY_TASK_STATE;
}

/** Its series is over without being done, and what its attempts changed isn't settled. */
export function hasEndedUndone({ series, blocked, parked }: TaskState): boolean {
  return series !== null && (blocked !== null || parked);
}

/** The task waits for you as its agent reports that it was done before. */
export function isReportedDone({ parked, attempts }: TaskState): boolean {
  return parked && attempts.at(-1)?.verdict === 'already_done';
}

/** What is known of a workplace; everything empty for one where nothing was done yet. */
export function workplaceStateOf(state: State, { worker, worktree }: Workplace): WorkplaceState {
  const known = state.workplaces.find((one) => isSameWorkplace(one, { worker, worktree }));
  return known ?? { worker, worktree, ...NOTHING_DONE };
}

/** Of a build that writes thousands of files into a folder of its own, the folder is one. */
export const OUTPUTS_KEPT = 500;

/** Whether gates write this file, or it lies in a folder that a tool fills. Path as in a change set. */
export function isOutput({ outputs }: Pick<State, 'outputs'>, path: string): boolean {
  return outputs.some((output) => isAtOrBelow(path, output));
}
