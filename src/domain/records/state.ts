import { Leftover } from 'ralph-actions/forms/place';
import { NO_REVIEWS, ReviewNumbers } from 'ralph-actions/forms/record';
import { own } from 'ralph-kit/own';
import { isAtOrBelow } from 'ralph-kit/paths';
import { RememberedId, TaskIdentity } from 'ralph-task-lists/task';
import * as z from 'zod/mini';
import { AgentSession } from '../agent.ts';
import { Series, SetAside } from '../change-set.ts';
import { emptyOf } from '../empty-of.ts';
import { FeedbackEntry } from '../feedback.ts';
import { GateOutage } from '../gate.ts';
import { GateBaseline } from '../gate-baseline.ts';
import { Recovery } from '../human/recovery.ts';
import { HumanState, NO_HUMAN_STATE, TaskDecisions } from '../human/state.ts';
import { IncidentSummary } from '../incident.ts';
import {
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
import { Unavailable } from '../service.ts';
import { AttemptSpend, SpendCell } from '../spend.ts';

import { VerdictKind } from '../verdict.ts';
import { TaskWorkflow } from '../workflow/roles.ts';
import { InterventionEvent } from './event.ts';
import { DoneBy, FixedTracker, KnownHeads } from './marks.ts';
import { ControlledRun } from './run-control.ts';
import { RunSummary } from './run-summary.ts';

/** A journal that ralph can't prove to have written here. */
export const JournalUnverified = z.object({
  reason: z.string(),
  records: z.number(),
  done: z.number(),
  /** Path to which the journal was moved, relative to `.ralph`; `null`: not moved, or lost. */
  path: z.nullable(z.string()),
});

export const Workplace = z.object({
  /** Number of the worker, from 1. */
  worker: z.number(),
  /** `main`, or the name of a linked work tree of git. */
  worktree: z.string(),
});
export type Workplace = z.infer<typeof Workplace>;

export const OpenIteration = z.object({
  run: z.string(),
  iteration: z.number(),
  taskId: z.string(),
  agent: z.string(),
  mode: z.string(),
  startedAt: z.string(),
  timeoutSeconds: z.number(),
  /**
   * Set if the agent was found unavailable after this attempt began. The attempt's success then doesn't show that the
   * agent works again.
   */
  overtaken: z.optional(z.literal(true)),
});
export type OpenIteration = z.infer<typeof OpenIteration>;

export const EnteredPhase = z.object({
  phase: z.enum(['turn', 'gates', 'review']),
  lands: z.boolean(),
});
export type EnteredPhase = z.infer<typeof EnteredPhase>;

/** Phase of an attempt after its agent has ended. `landing` follows the verdict. */
export const PhaseState = z.object({
  name: z.enum([...EnteredPhase.shape.phase.options, 'landing']),
  taskId: z.string(),
  lands: z.boolean(),
  /** ISO 8601 UTC. */
  since: z.string(),
});
export type PhaseState = z.infer<typeof PhaseState>;

export const OpenRollback = z.object({
  checkpoint: z.string(),
  tree: z.string(),
  /** Whether the copy's work is already kept; false: nothing was changed yet. */
  isKept: z.boolean(),
  /** Task whose attempts are undone; `null`: you asked for the rollback. */
  taskId: z.nullable(z.string()),
});
export type OpenRollback = z.infer<typeof OpenRollback>;

export const WorkplaceState = z.object({
  ...Workplace.shape,
  openIteration: z.nullable(OpenIteration),
  /** Phase of the attempt after its agent ended; `null`: the agent works, or no attempt runs. */
  phase: z._default(z.nullable(PhaseState), null),
  openRollback: z.nullable(OpenRollback),
  /** Tree that the last attempt or rollback left; `null`: there was none. */
  leftTree: z.nullable(z.string()),
  /** Checkpoints to which ralph may roll back: the newest `CHECKPOINTS_KEPT`, oldest first. */
  checkpoints: z.array(KnownCheckpoint),
});
export type WorkplaceState = z.infer<typeof WorkplaceState>;

export function isSameWorkplace(one: Workplace, other: Workplace): boolean {
  return one.worker === other.worker && one.worktree === other.worktree;
}

export * from './run-summary.ts';

/** Output that shows why an attempt failed: at most six lines, without secrets. */
export const Failing = z.object({
  /** Name of the gate that printed the lines; `null`: the agent did. */
  gate: z.nullable(z.string()),
  /** `work`: the gate passed before the work; `before`: it already failed then; `null`: unknown. */
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
  cause: z.string(),
  filesChanged: z.number(),
  /** Whether the agent called a tool or printed something. */
  active: z.boolean(),
  failedGates: z.array(z.string()),
  missingTools: z.array(z.object({ gate: z.string(), tool: z.string() })),
  /** Output that shows the failure; `null`: there is none. */
  failing: z.nullable(Failing),
  /** Tree after the attempt. `before`: tree before the attempt. */
  tree: z.string(),
  before: z.string(),
  findings: z.array(z.string()),
  /** Whether the attempt changed a requirement of the work although the task doesn't ask for that. */
  bent: z.boolean(),
  /** Resources that the attempt used; `null`: unknown, because the attempt was rolled back or imported. */
  resources: z.nullable(Resources),
  /** Model that the agent used; `null`: unknown. */
  model: z.nullable(z.string()),
  /** Session of the agent, with the reported usage; `null`: there is none to continue. */
  session: z.nullable(AgentSession),
  /**
   * Set if the work had to be set aside. The attempt then failed, even if it came too soon for that step to be carried
   * out.
   */
  restarts: z.optional(z.literal(true)),
  /** Set if the work was set aside, so the next attempt started without it. */
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

/** Why a task is blocked (docs/UNBLOCK_GUIDE.md). */
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

const UnblockedSeries = z.object({
  at: z.string(),
  reason: z.string(),
  /** Why the task had been blocked; `null`: it wasn't blocked. */
  blockReason: z.nullable(BlockReason),
  attempts: z.array(AttemptSummary),
  strategy: z.nullable(z.string()),
  automatic: z.boolean(),
});

const Restriction = z.object({ incident: z.string(), limits: Limits });

export const INTERVENTIONS_KEPT = 50;
export const CHECKPOINTS_KEPT = 10;

export const TaskState = z.object({
  /** Attempts of the current series: since the task was first started, last unblocked or last done. */
  attempts: z.array(AttemptSummary),
  /** Numbers of the newest iterations whose end wasn't seen. Workers of a fleet may still deliver them. */
  cutOff: z._default(z.array(z.number()), []),
  /** Path of the record of an attempt whose finished work waits for a gate that is down; `null`: none. */
  finished: z._default(z.nullable(z.string()), null),
  /** Whether the task is next: it was attempted, and is neither done nor blocked. */
  inProgress: z.boolean(),
  blocked: z.nullable(BlockedRecord),
  parked: z.boolean(),
  /** Whether you hold the task back: it doesn't start, and its result doesn't land. */
  held: z._default(z.boolean(), false),
  /** Why the task is done; `null`: it isn't done, whatever mark the tracker has. */
  doneBy: z.nullable(DoneBy),
  /** HEAD when the task was last done or blocked, if known: only a later commit can have removed its mark. */
  settledAt: z.nullable(z.string()),
  /** Time limit in seconds from `ralph unblock --timeout`, until the task is done; `null`: calculated as usual. */
  timeoutSeconds: z.nullable(z.number()),
  /** The newest series that ended by an unblock, a few at most, oldest first. */
  history: z.array(UnblockedSeries),
  /** Number of unblocks since the task was last done: all, and automatic ones. */
  unblocks: z.object({ total: z.number(), automatic: z.number() }),
  /** Interventions of the current series: the newest `INTERVENTIONS_KEPT`. */
  interventions: z.array(InterventionRecord),
  /** Number of all interventions of the current series. */
  interventionCount: z.number(),
  reinforce: z.array(z.string()),
  /** Limits lowered by an intervention, with the notice for the prompt; `null`: the configuration's limits. */
  throttle: z.nullable(Throttle),
  /** Limits that you set by `ralph resume INC-N --option resume_with_limits`, until the task is done; `null`: none. */
  restriction: z.nullable(Restriction),
  parkedBecause: z.nullable(z.string()),
  /** Steps that you can choose from if a needed rollback is impossible. */
  recovery: z.array(z.string()),
  /** Recovery from a finding that corrections didn't cure; `null`: none. */
  recovering: z.nullable(Recovery),
  /** Changes by attempts since the work tree was last verified; `null`: there are none. */
  series: z.nullable(Series),
  /** Newest work of the task that was removed from the copy and kept; `null`: none. */
  setAside: z.nullable(SetAside),
  /**
   * Whether the next attempt starts with the work in `setAside`; false: a rollback replaced that work, it doesn't
   * apply, or you chose a fresh start.
   */
  takesUp: z._default(z.boolean(), false),
  decisions: TaskDecisions,
  /**
   * Mark that no longer applies because the task was unblocked or reopened. It is removed if the task list still has
   * it.
   */
  staleMark: z.nullable(z.enum(['blocked', 'done'])),
  /** Whether the task is done or blocked, and ralph hasn't written that to the task list yet. */
  unmarked: z._default(z.boolean(), false),
  left: z.array(Leftover),
  /** State of the workflow in the current series; `null`: the maker works alone, or no workflow has begun. */
  workflow: z.nullable(TaskWorkflow),
  /** Checks that another agent wrote for the current series; `null`: none was asked. */
  prover: z.nullable(TaskProver),
  /**
   * File, title and creation date of the task when the list was last read; `null`: not read since the task's first
   * record.
   */
  identity: z._default(z.nullable(TaskIdentity), null),
  /**
   * Time when another task got this id, ISO 8601 UTC; `null`: never. Work kept before that time is the earlier task's.
   */
  replacedAt: z._default(z.nullable(z.string()), null),
});
export type TaskState = z.infer<typeof TaskState>;

/** Record of an agent over all its iterations (docs/INTERVENTIONS.md). */
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
  /** Why the agent is suspended for manual review; `null`: it isn't. */
  suspended: z.nullable(z.string()),
  /** The newest iterations, at most `PROFILE_WINDOW`, oldest first. */
  window: z.array(z.object({ iteration: z.number(), noFiles: z.boolean(), falseCompletion: z.boolean() })),
  /**
   * Attempts and done tasks by complexity level. The newest durations are in milliseconds: on this machine, and
   * `elsewhere` by class of machine.
   */
  levels: z.record(
    z.string(),
    z.object({
      attempts: z.number(),
      done: z.number(),
      durationsMs: z.array(z.number()),
      elsewhere: z.optional(z.record(z.string(), z.array(z.number()))),
    }),
  ),
  /** Why the agent can't work now; `null`: it can, as far as known. */
  unavailable: z.nullable(Unavailable),
});
export type AgentProfile = z.infer<typeof AgentProfile>;

/** The state that follows from the journal (`state/fold.ts`): everything that outlives a process. Lists have bounds. */
export const State = z.object({
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
  /** Your requests to a run; `null`: no run got one. A newer request to another run replaces them. */
  control: z.nullable(ControlledRun),
  /** Ids of tasks that you put first, in order. */
  first: z._default(z.array(z.string()), []),
  /** Tasks proposed by agents that wait for your approval: the newest `PROPOSALS_KEPT`, oldest first. */
  proposals: z._default(z.array(Proposal), []),
  /** When each task began to wait for files that other tasks may change, ISO 8601 UTC, by task. */
  keptApart: z._default(z.record(z.string(), z.string()), {}),
  /** State of each worker in each work tree, if it ever began an attempt or a rollback there. */
  workplaces: z.array(WorkplaceState),
  profiles: z.record(z.string(), AgentProfile),
  events: z.array(InterventionEvent),
  /** Totals over all events so far, with archived ones. */
  eventTotals: z.object({
    count: z.number(),
    byType: z.record(z.string(), z.number()),
    bySeverity: z.record(z.string(), z.number()),
  }),
  reviews: ReviewNumbers,
  feedback: z.array(FeedbackEntry),
  baseline: z.nullable(GateBaseline),
  /**
   * Untracked files and folders written by gates and tools, as long as you don't change them: the newest
   * `OUTPUTS_KEPT`.
   */
  outputs: z.array(z.string()),
  /** SHA-256 of the tracker as ralph last wrote or accepted it. */
  trackerSha256: z.nullable(z.string()),
  /** Done or blocked tasks whose removed mark isn't written again. */
  takenBack: z.array(z.string()),
  tracker: z.nullable(FixedTracker),
  /**
   * Whether ralph never ran here and no record is lost. Tasks that are done in the tracker were then done before ralph.
   */
  imports: z.boolean(),
  heads: KnownHeads,
  /** Number of iterations in a row, over all tasks, that changed no tree, status or block record. */
  idleIterations: z.number(),
  /** Gates that fail even without work, because something else changed; `null`: none known. */
  outage: z._default(z.nullable(GateOutage), null),
  interventionStats: InterventionStats,
  /** Incidents: the newest `INCIDENTS_KEPT`, oldest first. */
  incidents: z.array(IncidentSummary),
  /** Recoveries: the newest `RECOVERIES_KEPT`, oldest first. */
  recoveries: z.array(Recovery),
  human: HumanState,
  /** Usage of the newest finished attempt; `null`: there was none. */
  lastAttempt: z.nullable(AttemptSpend),
  /** Usage of all attempts so far, by task; each entry is for one agent and model. */
  spend: z.record(z.string(), z.array(SpendCell)),
  /**
   * An earlier journal that doesn't count until you accept it. Until then the list's done tasks aren't verified.
   * `null`: none.
   */
  journalUnverified: z.nullable(JournalUnverified),
  policy: PolicyState,
  /** Result of the newest push; `null`: there was none. */
  push: z._default(z.nullable(PushResult), null),
});
export type State = z.infer<typeof State>;

/** Returns the attempts without a recorded end, in all work trees or in the given one. */
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

export const StateCore = z.omit(State, {
  events: true,
  profiles: true,
  eventTotals: true,
  human: true,
  recoveries: true,
});

export const EMPTY_STATE: State = {
  ...emptyOf(State),
  reviews: NO_REVIEWS,
  imports: true,
  human: NO_HUMAN_STATE,
  policy: EMPTY_POLICY,
};

/** Number of newest runs whose folders are kept, and whose tasks' fleet records are kept on the remote. */
export const RUNS_KEPT = 50;

export const CUT_OFF_KEPT = 20;

export const EMPTY_TASK_STATE = emptyOf(TaskState);

/** Returns the state of a task; of a task without attempts, the empty state. */
export function taskStateOf(state: State, taskId: string): TaskState {
  return own(state.tasks, taskId) ?? EMPTY_TASK_STATE;
}

/** Returns whether the task's series ended undone, and its changes haven't been settled. */
export function hasEndedUndone({ series, blocked, parked }: TaskState): boolean {
  return series !== null && (blocked !== null || parked);
}

/** Returns whether a task waits for you because its agent reported that it was already done. */
export function isReportedDone({ parked, attempts }: TaskState): boolean {
  return parked && attempts.at(-1)?.verdict === 'already_done';
}

/** Returns the state of a workplace; the empty state if nothing was done there. */
export function workplaceStateOf(state: State, { worker, worktree }: Workplace): WorkplaceState {
  const known = state.workplaces.find((one) => isSameWorkplace(one, { worker, worktree }));
  return known ?? { ...emptyOf(WorkplaceState), worker, worktree };
}

/** Limit for outputs. A folder with thousands of files from a build counts as one. */
export const OUTPUTS_KEPT = 500;

/** Returns whether a file is written by gates, or in a folder of a tool. The path is as in a change set. */
export function isOutput({ outputs }: Pick<State, 'outputs'>, path: string): boolean {
  return outputs.some((output) => isAtOrBelow(path, output));
}
