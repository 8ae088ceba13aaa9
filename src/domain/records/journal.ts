import * as z from 'zod/mini';
import { LeftBehind } from '../../lib/actions/review.ts';
import { ReviewNumbers } from '../../lib/actions/review-record.ts';
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
import { Spend } from '../spend.ts';
import { RememberedId, TaskCounts } from '../task.ts';
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

/** The commit at HEAD when the record is written; `null` before the first one. */
const head = z.nullable(z.string());

/**
 * What happens, one record a line in `.ralph/journal.jsonl` (decisions.md, State). A record holds what the fold
 * needs; the whole of an iteration is in its `iteration.json`, whose hash the journal keeps.
 */
const body = [
  z.object({
    type: z.literal('run_started'),
    run: z.string(),
    agent: z.string(),
    mode: z.string(),
    /** Before its checks and the gates for its baseline; `at` is when they had ended. */
    startedAt: z.string(),
    pid: z.number(),
    host: z.string(),
    version: z.string(),
    /** Attempts that it makes at once, at most. */
    workers: z._default(z.number(), 1),
    /** Its gates, where all of them are off; empty: one checks it, or there is none. */
    unchecked: z._default(z.array(OffGate), []),
    /** The model that its agent is told to use; `null`: the agent's own choice. */
    model: z.nullable(z.string()),
    /** No attempt is begun from then on; ISO 8601 UTC. */
    until: z.nullable(z.string()),
    /** The task list by its name, and how many tasks of it there are. */
    tracker: z.string(),
    tasks: TaskCounts,
    /** How many of the tasks that it is limited to aren't done; `null`: it isn't limited. */
    asked: z.nullable(z.number()),
    /** Failed attempts that each task may take, and iterations that the run may. */
    attempts: z.number(),
    iterations: z.number(),
    /** What isolates the programs of the run; `outside`: gates that you run without that. */
    box: z.object({ line: z.string(), outside: z.array(z.string()) }),
    /** What the run may cost, and what was spent since the budget began (`since`, ISO 8601 UTC); `null`: there is no limit. */
    budget: z.nullable(z.object({ limits: Cost, spent: Cost, since: z.string() })),
    head,
    ...Workplace.shape,
  }),
  z.object({
    type: z.literal('run_finished'),
    run: z.string(),
    ending: RunEnding,
    exitCode: z.number(),
    /** SHA-256 of the bytes of the run's `run.json`. */
    recordSha256: z.string(),
    head,
  }),
  /** What you asked of a run from another terminal, or of one of its workers: that one starts no other attempt in this run. */
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
    /** The number that the screen shows: attempts that something outside ended aren't counted. */
    attempt: z.number(),
    maxAttempts: z.number(),
    /** Seconds that the attempt may take by its timeout and its limits, and how the timeout is worked out. */
    limitSeconds: z.number(),
    timeoutReason: z.string(),
    /** Which of the tasks that this run works on it is for: the third of seven. */
    place: PlaceInRun,
    /** The agent that worked before it, and why it doesn't any more, with times in ISO 8601 UTC; absent: the same one did. */
    takesOver: z.optional(z.object({ from: z.string(), reason: z.string() })),
    /** Until the end of the run, by what earlier attempts took, in milliseconds; `null`: too little is known. */
    leftMs: z.nullable(z.number()),
    /** The checkpoint that the attempt starts from. */
    checkpoint: KnownCheckpoint,
    /** Where the repository stood. */
    head,
    branch: z.nullable(z.string()),
  }),
  /** An attempt whose agent is done with it. */
  z.object({
    type: z.literal('phase_entered'),
    ...Workplace.shape,
    iteration: z.number(),
    ...EnteredPhase.shape,
  }),
  /**
   * A worker of the fleet lost an attempt that it had begun; others make it. `claim`: the worker's, a commit. `shown`: the cost is what its record
   * reports, else what was reserved for the attempt.
   */
  z.object({
    type: z.literal('attempt_lost'),
    ...{ run: z.string(), iteration: z.number(), taskId: z.string(), claim: z.string() },
    ...{ cost: Cost, shown: z.boolean() },
  }),
  /**
   * Tasks have another place in the queue. `held`: you hold them back, so that they aren't started and their results don't land; `put_first`: they go before
   * all others; `kept_apart`: they could start, and wait for files which others may change.
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
    /** Complexity level by which the profile files its durations. */
    level: z.string(),
    /** Class of the worker's machine that made the attempt; not there: it was made on this one. */
    machine: z.optional(z.string()),
    attempt: AttemptSummary,
    /** How long it waited for a worker of the fleet, and for its turn at the gates, in milliseconds. */
    waitedMs: z._default(z.number(), 0),
    ...CarriedDecisions.shape,
    noFiles: z.boolean(),
    falseCompletion: z.boolean(),
    evidenceCount: z.number(),
    treeChanged: z.boolean(),
    events: z.array(InterventionEvent),
    /** What is done about it. */
    interventions: z.array(InterventionRecord),
    /** The checkpoint that the work tree goes back to next. */
    rollback: z.nullable(z.object({ checkpoint: z.string(), tree: z.string() })),
    /** Paths changed by this attempt but for what gates write. */
    changedPaths: z.array(z.string()),
    /** What there is to look at in the work: signs of avoided work that don't keep it from being done, and what it makes run. */
    signs: z.array(z.string()),
    /** How well it is shown that it works. */
    grade: Grade,
    mutants: z.nullable(MutantCounts),
    /** How its acceptance criteria stood. */
    criteria: z.array(CriterionOnRecord),
    /** The result of the review of the agent's actions. */
    reviews: ReviewNumbers,
    left: z.array(LeftBehind),
    /** Commits that the agent made. */
    commits: z.array(z.string()),
    /** The tree after the gates. */
    leftTree: z.string(),
    baseline: z.nullable(GateBaseline),
    /** Keys of the lessons that the prompt had. */
    lessons: z.array(z.string()),
    /** SHA-256 of the bytes of the iteration's `iteration.json`. */
    recordSha256: z.string(),
    /** What the work may cost and has cost with this attempt; `null`: there is no limit. */
    budget: z.nullable(z.object({ limits: Cost, spent: Cost })),
    head,
  }),
  /** A begun attempt whose loop died; found at the next start. Counts as no failed attempt. */
  z.object({
    type: z.literal('iteration_interrupted'),
    ...Workplace.shape,
    run: z.string(),
    iteration: z.number(),
    taskId: z.string(),
    reason: z.string(),
    /** What it is charged with: what its output shows, else as much as such an attempt costs on average. */
    cost: Cost,
    head,
    /** What changed in the copy since it began. */
    changedPaths: z.array(z.string()),
    /** `null`: it isn't known. */
    leftTree: z.nullable(z.string()),
  }),
  /** These trees are none of the repository's any more; what was known by them is forgotten. */
  z.object({ type: z.literal('trees_lost'), trees: z.array(z.string()) }),
  z.object({
    type: z.literal('baseline_taken'),
    baseline: GateBaseline,
    /** Gates fail that passed before a result of an earlier run landed; `null`: none do. */
    armed: z.nullable(BreakTrigger),
    /**
     * Gates that a failing test fails, those to which none can be added, and those that pass with broken code: `made` is what a tool
     * made and git tracks, with which they don't.
     */
    tried: z.object({
      fail: z.array(z.string()),
      unknown: z.array(z.string()),
      blind: z.array(z.object({ gate: z.string(), made: z.array(z.string()) })),
    }),
  }),
  /** Gates wrote these where git tracks nothing, or tools fill them: files, or folders with all in them. */
  z.object({ type: z.literal('outputs_seen'), paths: z.array(z.string()), by: z.enum(['gates', 'agent']) }),
  /** The task list as it was read, or as ralph wrote it. */
  z.object({
    type: z.literal('tracker_accepted'),
    /** Of its text; `null`: what is known of that stays. */
    sha256: z.nullable(z.string()),
    /** Which tasks it has; absent: what is known of that stays. */
    ids: z.optional(z.array(RememberedId)),
    /** Tasks that were done and whose mark you took away. */
    reopened: z.array(z.string()),
    /** The task whose stale mark was taken away, if any. */
    opened: z.nullable(z.string()),
    /** Tasks whose mark was taken back and isn't written again; `null`: those of before. */
    takenBack: z.nullable(z.array(z.string())),
  }),
  /** Marks of the tracker that count although no verdict explains them. */
  z.object({
    type: z.literal('tasks_accepted'),
    tasks: z.array(z.object({ taskId: z.string(), doneBy: DoneBy })),
  }),
  /**
   * Done tasks that are open again; their marks are taken away next. `iteration`: of a verified result that is nowhere here, as on another machine,
   * while a worker's delivery of it is on the remote; `null`: there is none.
   */
  z.object({
    type: z.literal('tasks_reopened'),
    tasks: z.array(z.object({ taskId: z.string(), iteration: z.nullable(z.number()) })),
    reason: z.string(),
    /** Of a result that can't be on your branch: its work, with which the task doesn't begin. */
    setAside: z.optional(SetAside),
  }),
  z.object({ type: z.literal('tracker_fixed'), ...FixedTracker.shape }),
  z.object({
    type: z.literal('task_unblocked'),
    taskId: z.string(),
    reason: z.string(),
    /** A timeout in seconds until the task is done; `null`: what was in force stays. */
    timeoutSeconds: z.nullable(z.number()),
    /** The strategy that was followed, if any. */
    strategy: z.nullable(z.string()),
    /** Done by the loop, without being asked. */
    automatic: z.boolean(),
    /** The task list calls it blocked; the mark is taken away next. */
    marked: z.boolean(),
    /** Begin without the work that is kept. */
    fresh: z.boolean(),
    /** You answered its agent: its attempts go on where they were. */
    continues: z.optional(z.literal(true)),
  }),
  z.object({
    type: z.literal('work_landed'),
    taskId: z.string(),
    /** On your branch; `null`: it stands in your checkout, or there was nothing to commit. */
    commit: z.nullable(z.string()),
    /** Files that it changed. */
    paths: z.number(),
    /** Of `[git] branch_strategy`; absent: the one that is checked out. */
    branch: z.optional(z.string()),
  }),
  /** What was verified, and waits. */
  z.object({ type: z.literal('commit_skipped'), run: z.string(), ...SkippedCommit.shape }),
  z.object({ type: z.literal('feedback_added'), entry: FeedbackEntry }),
  z.object({ type: z.literal('feedback_cleared'), source: z.enum(['loop', 'person', 'all']) }),
  /** The oldest events went to a file below `.ralph/`; the totals stay. */
  z.object({ type: z.literal('events_archived'), count: z.number(), archive: z.string() }),
  z.object({ type: z.literal('agent_reinstated'), agent: z.string() }),
  z.object({
    type: z.literal('rollback_finished'),
    ...Workplace.shape,
    ...z.omit(OpenRollback, { isKept: true }).shape,
    /** Paths that were put back. */
    paths: z.array(z.string()),
    /** Tasks that were done after the checkpoint, and are open again. */
    reopened: z.array(z.string()),
    /** Feedback, limits and gates of the checkpoint, which hold again for the task; `taskId: null` leaves them alone. */
    feedback: z.array(FeedbackEntry),
    throttle: z.nullable(Throttle),
    baseline: z.nullable(GateBaseline),
  }),
  /**
   * What the attempts at a task changed is kept: it ended undone, its copy is needed, or a rollback replaces it next.
   * `setAside: null`: that was nothing.
   */
  z.object({
    type: z.literal('work_set_aside'),
    ...Workplace.shape,
    taskId: z.string(),
    setAside: z.nullable(SetAside),
    /** The rollback that replaces it; `null`: none does. */
    rollback: z.nullable(z.omit(OpenRollback, { isKept: true })),
    leftTree: z.string(),
    /** `moved`: the task continues at once, on something else. */
    why: z.enum(['ended', 'moved', 'replaced']),
  }),
  /** The next series begins with that work, or with a note on it where it doesn't apply any more. */
  z.object({
    type: z.literal('work_taken_up'),
    ...Workplace.shape,
    taskId: z.string(),
    checkpoint: z.string(),
    applied: z.boolean(),
    /** As it was before. */
    tree: z.string(),
    head,
    branch: z.nullable(z.string()),
    paths: z.array(z.string()),
    leftTree: z.string(),
  }),
  z.object({ type: z.literal('incident_opened'), incident: IncidentSummary }),
  /** You resolved an incident, or let the runs continue that a policy stopped, with a new budget (`incident: null`). */
  z.object({
    type: z.literal('stop_resolved'),
    reason: z.string(),
    incident: z.nullable(
      z.object({
        id: z.string(),
        option: ResumeOption,
        taskId: z.string(),
        /** Limits of `resume_with_limits`, until the task is done; `null` for the other options. */
        limits: z.nullable(Limits),
      }),
    ),
  }),
  /** A task, or an action of an agent, waits for your decision. */
  z.object({ type: z.literal('human_gate_opened'), request: GateRequest }),
  z.object({ type: z.literal('human_gate_decided'), decision: GateDecision }),
  /** Nobody decided in time. `became`: what follows for what waits. */
  z.object({
    type: z.literal('human_gate_timed_out'),
    request: z.string(),
    taskId: z.string(),
    became: z.enum(['denied', 'blocked', 'escalated']),
  }),
  /** An action that you approved happens now. */
  z.object({ type: z.literal('gated_action_allowed'), taskId: z.string(), request: z.string() }),
  /** A line of the audit log. */
  z.object({ type: z.literal('audit_logged'), line: AuditLine }),
  /** You were told of kinds of findings that are wrong too often. */
  z.object({
    type: z.literal('false_positives_told'),
    patterns: z.array(z.string()),
    /** Of those that came anew, a text each. */
    texts: z.array(z.string()),
  }),
  /** An entry that you added, confirmed anew or took out. */
  z.object({ type: z.literal('whitelist_changed'), entry: Whitelisted }),
  /** Events that belong to no iteration's record: a notification that did not get through. */
  z.object({
    type: z.literal('events_added'),
    events: z.array(InterventionEvent),
    /** One sentence about the events, for the screen; `null`: the command that caused them prints it. */
    summary: z.nullable(z.string()),
  }),
  /** The work in progress was saved and the hand-off written (`[policy.checkpoint]`). */
  z.object({
    type: z.literal('checkpoint_taken'),
    run: z.string(),
    why: z.enum(['tasks', 'time', 'stop']),
    /** The checkpoint that holds the work tree. */
    saved: z.string(),
    /** What the budget's window may spend, and spent until then. */
    limits: Cost,
    spent: Cost,
  }),
  /** The branch was pushed, or couldn't be. */
  z.object({
    type: z.literal('push_ended'),
    ...PushResult.shape,
    /** Something was pushed, or is wrong; else the remote had all of it already. */
    isNews: z.boolean(),
  }),
  /** A policy stopped the run; `event`: the one of a break. */
  z.object({ type: z.literal('policy_stopped'), stop: PolicyStop, event: z.nullable(InterventionEvent) }),
  z.object({ type: z.literal('lesson_dropped'), key: z.string() }),
  /** Agents drafted tasks, which wait for your yes; none: it had no result, and cost something. */
  z.object({
    type: z.literal('plan_drafted'),
    by: ProposedBy,
    tasks: z.array(PlannedTask),
    spend: z.array(Spend),
  }),
  /** You took a proposal, whose tasks are in the list by these ids, or dropped it. */
  z.object({
    type: z.literal('proposal_settled'),
    id: z.string(),
    outcome: z.enum(['accepted', 'dropped']),
    taskIds: z.array(z.string()),
  }),
  /** A view or document that was found edited or damaged, and what was done about it. */
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
  /** A journal that isn't verified was put aside, or one that ralph knew is lost; nothing that it said counts. */
  z.object({ type: z.literal('journal_unverified'), ...JournalUnverified.shape }),
  /** You accepted it; `done`: its tasks that were done, where this journal continues without it. */
  z.object({
    type: z.literal('journal_accepted'),
    done: z.array(z.object({ taskId: z.string(), doneBy: DoneBy })),
  }),
  /** First record of a new file: the fold of everything before it. `after`: the code of the record before. */
  z.object({ type: z.literal('journal_continued'), after: z.string(), state: State }),
] as const;

/** Record types that this version knows; others come from a newer one. */
export const JOURNAL_TYPES: readonly string[] = body.flatMap((one) => one.shape.type.def.values);

export const JournalBody = z.discriminatedUnion('type', [...body]);
export type JournalBody = z.infer<typeof JournalBody>;
export type JournalBodyOf<T extends JournalBody['type']> = Extract<JournalBody, { type: T }>;

/**
 * A line of the journal: the body with its number (1, 2, …, without gaps over all segments) and time (ISO 8601 UTC). In
 * the file it ends with `mac`, its code: the key's id, and an HMAC over the code before it and the line.
 */
export type JournalRecord = JournalBody & { readonly seq: number; readonly at: string };
export type JournalRecordOf<T extends JournalBody['type']> = Extract<JournalRecord, { type: T }>;
