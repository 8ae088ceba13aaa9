import { outlastsRun } from '../domain/back-off.ts';
import type { JournalBodyOf, JournalRecord } from '../domain/journal.ts';
import { type State, taskStateOf } from '../domain/state.ts';
import { unreachable } from '../lib/unreachable.ts';
import { MAX_EVENTS, MAX_FEEDBACK, MAX_RUNS, MAX_SERIES } from './bounds.ts';
import { type Draft, get, openDraft, put } from './draft.ts';
import { addEvents } from './fold-events.ts';
import {
  foldIncidentOpened,
  foldIncidentResolved,
  foldRollbackFinished,
  foldRollbackRefused,
} from './fold-incidents.ts';
import { NO_INTERVENTIONS } from './fold-interventions.ts';
import { foldIterationFinished, foldIterationStarted } from './fold-iteration.ts';

/** The state after one more record; the state given is left as it is. */
export function applyRecord(state: State, record: JournalRecord): State {
  return foldRecords(state, [record]);
}

/** The state after these records, in their order. Folding in parts gives the same as folding at once. */
export function foldRecords(state: State, records: readonly JournalRecord[]): State {
  if (records.length === 0) return state;
  let draft = openDraft(state);
  for (const record of records) {
    draft = record.type === 'state_snapshot' ? openDraft(record.state) : draft;
    fold(draft, record);
    draft.seq = record.seq;
    dropOldest(draft.runs, MAX_RUNS);
    // What an import brings waits for the archive; ralph's own events are there long before they are so many.
    if (record.type !== 'imported' && record.type !== 'state_snapshot') dropOldest(draft.events, MAX_EVENTS);
    dropOldest(draft.feedback, MAX_FEEDBACK);
  }
  return draft;
}

function dropOldest(items: unknown[], keep: number): void {
  if (items.length > keep) items.splice(0, items.length - keep);
}

function fold(draft: Draft, record: JournalRecord): void {
  switch (record.type) {
    case 'run_started':
      foldRunStarted(draft, record, record.at);
      break;
    case 'run_finished':
      foldRunFinished(draft, record, record.at);
      break;
    case 'iteration_started':
      foldIterationStarted(draft, record);
      break;
    case 'iteration_finished':
      foldIterationFinished(draft, record, record.at);
      break;
    case 'iteration_interrupted':
      if (draft.openIteration?.iteration === record.iteration) draft.openIteration = null;
      break;
    case 'baseline_taken':
      draft.baseline = record.baseline;
      break;
    case 'ids_remembered':
      draft.rememberedIds = record.ids;
      break;
    case 'tracker_accepted':
      draft.trackerSha256 = record.sha256;
      for (const id of record.reopened) put(draft.tasks, id, { ...taskStateOf(draft, id), doneBy: null });
      foldMarkTaken(draft, record.opened);
      break;
    case 'task_unblocked':
      foldUnblocked(draft, record, record.at);
      break;
    case 'task_committed':
      foldCommitted(draft, record);
      break;
    case 'feedback_added':
      foldFeedbackAdded(draft, record);
      break;
    case 'feedback_cleared':
      draft.feedback = draft.feedback.filter(({ source }) => ![source, 'all'].includes(record.source));
      break;
    case 'events_reset':
      // The totals stay: they count what ever happened.
      draft.events = [];
      break;
    case 'events_archived':
      draft.events.splice(0, record.count);
      break;
    case 'agent_reinstated':
      foldReinstated(draft, record);
      break;
    case 'imported':
      foldImported(draft, record);
      break;
    case 'rollback_started': {
      const { checkpoint, tree, kept, taskId } = record;
      draft.openRollback = { checkpoint, tree, kept, taskId };
      break;
    }
    case 'rollback_finished':
      foldRollbackFinished(draft, record);
      break;
    case 'rollback_refused':
      foldRollbackRefused(draft, record);
      break;
    case 'incident_opened':
      foldIncidentOpened(draft, record);
      break;
    case 'incident_resolved':
      foldIncidentChoice(draft, record, record.at);
      break;
    case 'events_added':
      addEvents(draft, record.events);
      break;
    case 'document_repaired':
    case 'state_snapshot':
      break;
    default:
      unreachable(record);
  }
}

/** What you chose after an emergency stop; some choices give the task a fresh series of attempts. */
function foldIncidentChoice(draft: Draft, record: JournalBodyOf<'incident_resolved'>, at: string): void {
  if (record.option === 'resume_with_limits' || record.option === 'rollback_and_retry') {
    const unblocked = { timeoutSeconds: null, strategy: null, automatic: false, marked: true };
    const { taskId } = record;
    foldUnblocked(draft, { type: 'task_unblocked', taskId, reason: resumed(record), ...unblocked }, at);
  }
  foldIncidentResolved(draft, record, at);
}

function foldRunStarted(draft: Draft, record: JournalBodyOf<'run_started'>, at: string): void {
  const { run, agent, mode, pid, host } = record;
  const counts = { iterations: 0, done: [], blocked: [], costUsd: 0, tokens: 0, interventions: 0 };
  const end = { endedAt: null, ending: null, exitCode: null };
  draft.runs.push({ run, startedAt: at, agent, mode, pid, host, ...end, ...counts });
  // Another run should continue: the count of idle iterations begins anew.
  draft.idleIterations = 0;
  // And what was wrong with an agent may be fixed.
  for (const [name, profile] of Object.entries(draft.profiles)) {
    if (profile.unavailable === null || outlastsRun(profile.unavailable, at)) continue;
    put(draft.profiles, name, { ...profile, unavailable: null });
  }
}

function foldRunFinished(draft: Draft, record: JournalBodyOf<'run_finished'>, at: string): void {
  const index = draft.runs.findLastIndex((run) => run.run === record.run);
  const run = draft.runs[index];
  if (run === undefined) return;
  draft.runs[index] = { ...run, endedAt: at, ending: record.ending, exitCode: record.exitCode };
}

function foldUnblocked(draft: Draft, record: JournalBodyOf<'task_unblocked'>, at: string): void {
  const task = taskStateOf(draft, record.taskId);
  const series = {
    at,
    reason: record.reason,
    blockReason: task.blocked?.reason ?? null,
    attempts: task.attempts,
    strategy: record.strategy,
    automatic: record.automatic,
  };
  const { total, automatic } = task.unblocks;
  put(draft.tasks, record.taskId, {
    ...task,
    attempts: [],
    inProgress: false,
    blocked: null,
    parked: false,
    ...NO_INTERVENTIONS,
    history: [...task.history, series].slice(-MAX_SERIES),
    unblocks: { total: total + 1, automatic: automatic + (record.automatic ? 1 : 0) },
    staleMark: task.staleMark || record.marked,
    timeoutSeconds: record.timeoutSeconds ?? task.timeoutSeconds,
  });
}

function resumed({ incident, option, reason }: JournalBodyOf<'incident_resolved'>): string {
  return `ralph resume ${incident} --option ${option}${reason === '' ? '' : `: ${reason}`}`;
}

/** The blocked mark of this task is out of the task list. */
function foldMarkTaken(draft: Draft, taskId: string | null): void {
  const task = taskId === null ? undefined : get(draft.tasks, taskId);
  if (taskId === null || task?.staleMark !== true) return;
  put(draft.tasks, taskId, { ...task, staleMark: false });
}

/** A commit holds the whole file, so the paths are settled for every task that changed them. */
function foldCommitted(draft: Draft, record: JournalBodyOf<'task_committed'>): void {
  const committed = new Set(record.paths);
  for (const [id, task] of Object.entries(draft.tasks)) {
    if (!task.uncommittedPaths.some((path) => committed.has(path))) continue;
    const uncommittedPaths = task.uncommittedPaths.filter((path) => !committed.has(path));
    put(draft.tasks, id, { ...task, uncommittedPaths });
  }
}

function foldFeedbackAdded(draft: Draft, record: JournalBodyOf<'feedback_added'>): void {
  const { entry } = record;
  const known = draft.feedback.some(
    (other) => other.taskId === entry.taskId && other.source === entry.source && other.text === entry.text,
  );
  if (!known) draft.feedback.push(entry);
}

/** After a review the agent starts with a clean window: else its next attempt would suspend it again. */
function foldReinstated(draft: Draft, record: JournalBodyOf<'agent_reinstated'>): void {
  const profile = get(draft.profiles, record.agent);
  if (profile === undefined) return;
  put(draft.profiles, record.agent, {
    ...profile,
    suspended: null,
    thresholdExceeded: false,
    window: [],
    unavailable: null,
  });
}

/** What an import brings is laid over what is there. Its events count anew unless its totals count them already. */
function foldImported(draft: Draft, record: JournalBodyOf<'imported'>): void {
  const { state } = record;
  if (state !== null) {
    for (const [id, task] of Object.entries(state.tasks)) put(draft.tasks, id, task);
    for (const [agent, profile] of Object.entries(state.profiles)) put(draft.profiles, agent, profile);
    draft.counters.iteration = Math.max(draft.counters.iteration, state.counters.iteration);
    draft.counters.event = Math.max(draft.counters.event, state.counters.event);
    if (state.rememberedIds.length > 0) draft.rememberedIds = state.rememberedIds;
    for (const run of state.runs) {
      const index = draft.runs.findIndex((other) => other.run === run.run);
      if (index === -1) draft.runs.push(run);
      else draft.runs[index] = run;
    }
    if (state.seq === 0) draft.feedback = [...draft.feedback, ...state.feedback];
    else takeOver(draft, state);
  }
  const known = new Set(draft.events.map((event) => event.id));
  addEvents(
    draft,
    record.events.filter((event) => !known.has(event.id)),
  );
  // Totals of documents that this program wrote count the events that are no longer listed, too.
  const totals = state?.eventTotals;
  if (totals !== undefined && totals.count > draft.eventTotals.count) {
    draft.eventTotals = {
      count: totals.count,
      byType: { ...totals.byType },
      bySeverity: { ...totals.bySeverity },
    };
  }
}

/** A state of this program holds all there was; another program's is added to what is there. */
function takeOver(draft: Draft, state: State): void {
  draft.counters.incident = Math.max(draft.counters.incident, state.counters.incident);
  draft.feedback = [...state.feedback];
  draft.openIteration = state.openIteration ?? draft.openIteration;
  draft.openRollback = state.openRollback;
  draft.baseline = state.baseline ?? draft.baseline;
  draft.trackerSha256 = state.trackerSha256 ?? draft.trackerSha256;
  draft.idleIterations = state.idleIterations;
  draft.interventionStats = state.interventionStats;
  draft.leftTree = state.leftTree;
  draft.checkpoints = state.checkpoints;
  draft.incidents = state.incidents;
  draft.usageTotals = state.usageTotals;
}
