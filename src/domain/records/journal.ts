import { Leftover } from 'ralph-actions/forms/place';
import { ReviewNumbers } from 'ralph-actions/forms/record';
import { RememberedId, TaskIdentity } from 'ralph-task-lists/task';
import * as z from 'zod/mini';
import { SetAside } from '../change-set.ts';
import { CriterionOnRecord } from '../claim.ts';
import { RunEnding } from '../exit.ts';
import { FeedbackEntry } from '../feedback.ts';
import { OffGate } from '../gate.ts';
import { GateBaseline } from '../gate-baseline.ts';
import { AuditLine, GateDecision, GateRequest } from '../human/gate.ts';
import { Whitelisted } from '../human/state.ts';
import { IncidentSummary, ResumeOption } from '../incident.ts';
import { InterventionRecord, KnownCheckpoint, Limits, Throttle } from '../intervention.ts';
import { PlannedTask, ProposedBy } from '../plan.ts';
import { BreakTrigger, Cost, PolicyStop } from '../policy.ts';
import { Grade } from '../proof.ts';
import { MutantCounts } from '../proof-run.ts';
import { PushResult } from '../push.ts';
import { ServiceRetries } from '../service.ts';
import { Spend } from '../spend.ts';
import { TaskCounts } from '../task.ts';
import { InterventionEvent } from './event.ts';
import { CarriedDecisions } from './iteration.ts';
import { DoneBy, FixedTracker } from './marks.ts';
import { PlaceInRun, RunRequest } from './run-control.ts';
import {
  AttemptSummary,
  EnteredPhase,
  JournalUnverified,
  OpenIteration,
  OpenRollback,
  SkippedCommit,
  State,
  Workplace,
} from './state.ts';

/** Run of attempts that were imported from another program's records. */
export const IMPORTED_RUN = 'imported';

/** Commit at HEAD when the record is written; `null`: there is no commit yet. */
const head = z.nullable(z.string());

/**
 * Records of `.ralph/journal.jsonl` (ADR 1). They have all facts from which the state follows, and the hash of each
 * `iteration.json`.
 */
const body = [
  z.object({
    type: z.literal('run_started'),
    run: z.string(),
    agent: z.string(),
    mode: z.string(),
    /** Start of the run, before its checks and baseline gates. `at` is the time after these. */
    startedAt: z.string(),
    pid: z.number(),
    host: z.string(),
    version: z.string(),
    /** Number of workers: most attempts at once. */
    workers: z._default(z.number(), 1),
    /** Gates of the run if none of them can judge the work; empty: one can, or the run has no gates. */
    unchecked: z._default(z.array(OffGate), []),
    /** Model that the agent has to use; `null`: the agent's own choice. */
    model: z.nullable(z.string()),
    /** No attempt starts after this time, ISO 8601 UTC; `null`: no such limit. */
    until: z.nullable(z.string()),
    tracker: z.string(),
    tasks: TaskCounts,
    /** Number of unfinished tasks among those that the run is limited to; `null`: the run isn't limited. */
    asked: z.nullable(z.number()),
    attempts: z.number(),
    iterations: z.number(),
    /** Isolation of the run's programs, as a line for the screen. `outside`: gates that run without isolation. */
    box: z.object({ line: z.string(), outside: z.array(z.string()) }),
    /** Limits of the budget, and costs since its start (`since`, ISO 8601 UTC); `null`: no limit is set. */
    budget: z.nullable(z.object({ limits: Cost, spent: Cost, since: z.string() })),
    head,
    ...Workplace.shape,
  }),
  z.object({
    type: z.literal('run_finished'),
    run: z.string(),
    ending: RunEnding,
    exitCode: z.number(),
    /** SHA-256 of the run's `run.json`. */
    recordSha256: z.string(),
    head,
  }),
  /** Your request to a run from another terminal. A stopped worker starts no more attempts in the run. */
  z.object({
    type: z.literal('run_requested'),
    run: z.string(),
    request: RunRequest,
    worker: z.nullable(z.number()),
  }),
  z.object({
    type: z.literal('iteration_started'),
    ...Workplace.shape,
    ...OpenIteration.shape,
    title: z.string(),
    /** Number of the attempt on screen, without attempts that ended by a cause outside the work. */
    attempt: z.number(),
    maxAttempts: z.number(),
    /** Seconds that the attempt may take. `timeoutReason`: how the timeout was calculated. */
    limitSeconds: z.number(),
    timeoutReason: z.string(),
    place: PlaceInRun,
    /** The agent that was replaced, and why, with times in ISO 8601 UTC; absent: the agent is the same. */
    takesOver: z.optional(z.object({ from: z.string(), reason: z.string() })),
    /** Estimated milliseconds until the end of the run, from earlier attempts; `null`: too little is known. */
    leftMs: z.nullable(z.number()),
    checkpoint: KnownCheckpoint,
    head,
    branch: z.nullable(z.string()),
  }),
  /** The attempt's agent has ended, and the attempt enters its next phase. */
  z.object({
    type: z.literal('phase_entered'),
    ...Workplace.shape,
    iteration: z.number(),
    ...EnteredPhase.shape,
  }),
  /**
   * A fleet worker lost an attempt. `claim`: commit of the worker's claim. `shown`: whether the cost is from the
   * attempt's record; false: it was estimated.
   */
  z.object({
    type: z.literal('attempt_lost'),
    run: z.string(),
    iteration: z.number(),
    taskId: z.string(),
    claim: z.string(),
    cost: Cost,
    shown: z.boolean(),
  }),
  /**
   * `held`: the task neither starts nor lands; `put_first`: it starts before all others; `kept_apart`: it waits for
   * files that other tasks may change.
   */
  z.object({
    type: z.literal('queue_changed'),
    taskIds: z.array(z.string()),
    change: z.enum(['held', 'released', 'put_first', 'put_back', 'kept_apart']),
  }),
  z.object({
    type: z.literal('iteration_finished'),
    ...Workplace.shape,
    run: z.string(),
    iteration: z.number(),
    taskId: z.string(),
    title: z.string(),
    /** Complexity level of the task. The agent's profile keeps durations by level. */
    level: z.string(),
    /** Class of the machine on which the worker ran; absent: this machine. */
    machine: z.optional(z.string()),
    attempt: AttemptSummary,
    /** Milliseconds that the attempt waited for a worker of the fleet and for a turn at the gates. */
    waitedMs: z._default(z.number(), 0),
    /** Requests that the agent's program repeated; absent: none. */
    retries: z.optional(ServiceRetries),
    ...CarriedDecisions.shape,
    noFiles: z.boolean(),
    falseCompletion: z.boolean(),
    evidenceCount: z.number(),
    treeChanged: z.boolean(),
    events: z.array(InterventionEvent),
    interventions: z.array(InterventionRecord),
    rollback: z.nullable(z.object({ checkpoint: z.string(), tree: z.string() })),
    /** Paths that this attempt changed, without files written by gates. */
    changedPaths: z.array(z.string()),
    signs: z.array(z.string()),
    grade: Grade,
    mutants: z.nullable(MutantCounts),
    criteria: z.array(CriterionOnRecord),
    reviews: ReviewNumbers,
    left: z.array(Leftover),
    commits: z.array(z.string()),
    leftTree: z.string(),
    baseline: z.nullable(GateBaseline),
    lessons: z.array(z.string()),
    /** SHA-256 of the iteration's `iteration.json`. */
    recordSha256: z.string(),
    /** Limits of the budget, and costs with this attempt; `null`: no limit is set. */
    budget: z.nullable(z.object({ limits: Cost, spent: Cost })),
    head,
  }),
  /** An attempt whose loop was killed, as found at the next start. It doesn't count as failed. */
  z.object({
    type: z.literal('iteration_interrupted'),
    ...Workplace.shape,
    run: z.string(),
    iteration: z.number(),
    taskId: z.string(),
    reason: z.string(),
    /** Cost charged for the attempt: read from its output, otherwise the average of similar attempts. */
    cost: Cost,
    head,
    changedPaths: z.array(z.string()),
    /** Tree of the copy after the attempt; `null`: unknown. */
    leftTree: z.nullable(z.string()),
  }),
  /** Trees that the repository no longer has. All facts about them are dropped. */
  z.object({ type: z.literal('trees_lost'), trees: z.array(z.string()) }),
  z.object({
    type: z.literal('baseline_taken'),
    baseline: GateBaseline,
    /** Reason for a break if gates fail that passed before a result of an earlier run landed; `null`: none do. */
    armed: z.nullable(BreakTrigger),
    /**
     * Result of trying the gates. `fail`: gates that fail with a failing test. `unknown`: gates to which no failing
     * test could be added. `blind`: gates that pass although the code is broken, because they use tracked files that a
     * tool `made`.
     */
    tried: z.object({
      fail: z.array(z.string()),
      unknown: z.array(z.string()),
      blind: z.array(z.object({ gate: z.string(), made: z.array(z.string()) })),
    }),
  }),
  /** Untracked files that gates write, and untracked folders with such files or with files of tools. */
  z.object({ type: z.literal('outputs_seen'), paths: z.array(z.string()), by: z.enum(['gates', 'agent']) }),
  z.object({
    type: z.literal('tracker_accepted'),
    /** SHA-256 of the task list's text, in hex; `null`: unchanged. */
    sha256: z.nullable(z.string()),
    /** Ids that ralph gave to tasks without an id of their own; absent: unchanged. */
    ids: z.optional(z.array(RememberedId)),
    reopened: z.array(z.string()),
    opened: z.nullable(z.string()),
    /** Task whose mark the list has now; absent: none. */
    marked: z.optional(z.string()),
    /** Tasks whose removed mark isn't written again; `null`: unchanged. */
    takenBack: z.nullable(z.array(z.string())),
    /** Ids that now belong to another task, which starts without attempts and work. */
    replaced: z.optional(z.array(z.string())),
    /** File, title and creation date of tasks, by id. */
    identities: z.optional(z.record(z.string(), TaskIdentity)),
  }),
  /** Marks in the tracker that make tasks done without a verdict of ralph. */
  z.object({
    type: z.literal('tasks_accepted'),
    tasks: z.array(z.object({ taskId: z.string(), doneBy: DoneBy })),
  }),
  /**
   * Done tasks that you or ralph reopened; their marks are removed next. `iteration`: set if the verified result is
   * only in a worker's delivery on the remote; otherwise `null`.
   */
  z.object({
    type: z.literal('tasks_reopened'),
    tasks: z.array(z.object({ taskId: z.string(), iteration: z.nullable(z.number()) })),
    reason: z.string(),
    /** Work of a result that can't land. The task starts again without this work. */
    setAside: z.optional(SetAside),
  }),
  z.object({ type: z.literal('tracker_fixed'), ...FixedTracker.shape }),
  z.object({
    type: z.literal('task_unblocked'),
    taskId: z.string(),
    reason: z.string(),
    /** Time limit in seconds until the task is done; `null`: unchanged. */
    timeoutSeconds: z.nullable(z.number()),
    strategy: z.nullable(z.string()),
    /** Whether the loop unblocked the task, not you. */
    automatic: z.boolean(),
    /** Whether the task list still has the task as blocked. The mark is removed next. */
    marked: z.boolean(),
    fresh: z.boolean(),
    /** Set if you answered the agent's question: the series of attempts continues instead of starting again. */
    continues: z.optional(z.literal(true)),
  }),
  z.object({
    type: z.literal('work_landed'),
    taskId: z.string(),
    /** Commit with the result on your branch; `null`: the work is in your checkout, or there was nothing to commit. */
    commit: z.nullable(z.string()),
    paths: z.number(),
    /** Branch by `[git] branch_strategy`; absent: the checked-out branch. */
    branch: z.optional(z.string()),
  }),
  z.object({ type: z.literal('commit_skipped'), run: z.string(), ...SkippedCommit.shape }),
  z.object({ type: z.literal('feedback_added'), entry: FeedbackEntry }),
  z.object({ type: z.literal('feedback_cleared'), source: z.enum(['loop', 'person', 'all']) }),
  /** Old events were moved to a file below `.ralph/`. Totals still include them. */
  z.object({ type: z.literal('events_archived'), count: z.number(), archive: z.string() }),
  z.object({ type: z.literal('agent_reinstated'), agent: z.string() }),
  z.object({
    type: z.literal('rollback_finished'),
    ...Workplace.shape,
    ...z.omit(OpenRollback, { isKept: true }).shape,
    paths: z.array(z.string()),
    reopened: z.array(z.string()),
    /**
     * Feedback as it was at the checkpoint. It applies again, like the next two values; unchanged if `taskId` is
     * `null`.
     */
    feedback: z.array(FeedbackEntry),
    throttle: z.nullable(Throttle),
    baseline: z.nullable(GateBaseline),
  }),
  /**
   * A task's work is kept outside of the copy: the task ended undone, another task needs the copy, or a rollback
   * follows. `setAside` `null`: there was no work.
   */
  z.object({
    type: z.literal('work_set_aside'),
    ...Workplace.shape,
    taskId: z.string(),
    setAside: z.nullable(SetAside),
    /** Rollback that replaces the work; `null`: none. */
    rollback: z.nullable(z.omit(OpenRollback, { isKept: true })),
    leftTree: z.string(),
    /**
     * Why the task's work is set aside: the attempt ended without it being done, the task continues on another base
     * (`moved`), or a rollback replaces the work (`replaced`).
     */
    why: z.enum(['ended', 'moved', 'replaced']),
  }),
  /**
   * The task's next series starts with its kept work. `applied` false: the work doesn't apply, so the agent only gets
   * it as a patch.
   */
  z.object({
    type: z.literal('work_taken_up'),
    ...Workplace.shape,
    taskId: z.string(),
    checkpoint: z.string(),
    applied: z.boolean(),
    tree: z.string(),
    head,
    branch: z.nullable(z.string()),
    paths: z.array(z.string()),
    leftTree: z.string(),
  }),
  /** `plan`: your steps, in order, if there is no safe checkpoint. */
  z.object({
    type: z.literal('incident_opened'),
    incident: IncidentSummary,
    plan: z._default(z.array(z.string()), []),
  }),
  /** You resolved an incident, or (`incident: null`) let runs stopped by a policy continue with a new budget. */
  z.object({
    type: z.literal('stop_resolved'),
    reason: z.string(),
    incident: z.nullable(
      z.object({
        id: z.string(),
        option: ResumeOption,
        taskId: z.string(),
        /** Limits of the option `resume_with_limits` until the task is done; `null`: another option was chosen. */
        limits: z.nullable(Limits),
      }),
    ),
  }),
  z.object({ type: z.literal('human_gate_opened'), request: GateRequest }),
  z.object({ type: z.literal('human_gate_decided'), decision: GateDecision }),
  /** The time for your decision is over. `became`: the effect on the task or action that waited. */
  z.object({
    type: z.literal('human_gate_timed_out'),
    request: z.string(),
    taskId: z.string(),
    became: z.enum(['denied', 'blocked', 'escalated']),
  }),
  z.object({ type: z.literal('gated_action_allowed'), taskId: z.string(), request: z.string() }),
  z.object({ type: z.literal('audit_logged'), line: AuditLine }),
  z.object({
    type: z.literal('false_positives_told'),
    patterns: z.array(z.string()),
    texts: z.array(z.string()),
  }),
  z.object({ type: z.literal('whitelist_changed'), entry: Whitelisted }),
  /** Events that belong to no iteration, such as a failed notification. */
  z.object({
    type: z.literal('events_added'),
    events: z.array(InterventionEvent),
    /** One sentence for the screen; `null`: the command that caused the events reports them. */
    summary: z.nullable(z.string()),
  }),
  /** Unfinished work was saved, and the hand-off was written (`[policy.checkpoint]`). */
  z.object({
    type: z.literal('checkpoint_taken'),
    run: z.string(),
    why: z.enum(['tasks', 'time', 'stop']),
    saved: z.string(),
    /** Limits of the budget; `spent`: costs so far. */
    limits: Cost,
    spent: Cost,
  }),
  z.object({
    type: z.literal('push_ended'),
    ...PushResult.shape,
    /** Whether the push changed the remote or failed; false: the remote was up to date. */
    isNews: z.boolean(),
  }),
  z.object({ type: z.literal('policy_stopped'), stop: PolicyStop, event: z.nullable(InterventionEvent) }),
  z.object({ type: z.literal('lesson_dropped'), key: z.string() }),
  /**
   * Agents drafted tasks that wait for your approval. Without tasks, the record has only the cost of a failed draft.
   */
  z.object({
    type: z.literal('plan_drafted'),
    by: ProposedBy,
    tasks: z.array(PlannedTask),
    spend: z.array(Spend),
  }),
  /** You accepted or dropped a proposal. `taskIds`: ids of the accepted tasks in the list. */
  z.object({
    type: z.literal('proposal_settled'),
    id: z.string(),
    outcome: z.enum(['accepted', 'dropped']),
    taskIds: z.array(z.string()),
  }),
  z.object({
    type: z.literal('document_repaired'),
    path: z.string(),
    reason: z.string(),
    setAside: z.nullable(z.string()),
  }),
  z.object({
    type: z.literal('imported'),
    from: z.string(),
    events: z.array(InterventionEvent),
    state: z.nullable(State),
  }),
  /** An unverified journal was moved away, or a known journal is lost. Its records don't count. */
  z.object({ type: z.literal('journal_unverified'), ...JournalUnverified.shape }),
  /**
   * You accepted an unverified journal. `done`: its done tasks, if the current journal continues without its records.
   */
  z.object({
    type: z.literal('journal_accepted'),
    done: z.array(z.object({ taskId: z.string(), doneBy: DoneBy })),
  }),
  /**
   * First record of a new journal file: the state after all earlier records. `after`: authentication code of the last
   * earlier record.
   */
  z.object({ type: z.literal('journal_continued'), after: z.string(), state: State }),
] as const;

/** Record types that this version knows. Other types come from a newer version. */
export const JOURNAL_TYPES: readonly string[] = body.flatMap((one) => one.shape.type.def.values);

export const JournalBody = z.discriminatedUnion('type', [...body]);
export type JournalBody = z.infer<typeof JournalBody>;
export type JournalBodyOf<T extends JournalBody['type']> = Extract<JournalBody, { type: T }>;

/**
 * A line of the journal. `seq` counts over all its files from 1; `at` is ISO 8601 UTC. In the file it ends with `mac`:
 * the key's id, and an HMAC of the previous code and the line.
 */
export type JournalRecord = JournalBody & { readonly seq: number; readonly at: string };
export type JournalRecordOf<T extends JournalBody['type']> = Extract<JournalRecord, { type: T }>;
