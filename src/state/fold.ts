import { NO_REVIEWS, summaryOf } from 'ralph-actions/forms/record';
import { own } from 'ralph-kit/own';
import { type PlannedTask, PROPOSALS_KEPT, type Proposal } from '../domain/plan.ts';
import { addCost, NO_COST } from '../domain/policy.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import type {
  JournalBody,
  JournalBodyOf,
  JournalRecord,
  JournalRecordOf,
} from '../domain/records/journal.ts';
import { controlOf, type RunControl, type RunRequest } from '../domain/records/run-control.ts';
import {
  CUT_OFF_KEPT,
  EMPTY_TASK_STATE,
  OUTPUTS_KEPT,
  type State,
  taskStateOf,
  workplaceStateOf,
} from '../domain/records/state.ts';
import type { Unavailable } from '../domain/service.ts';
import { costOf, NOTHING_SPENT, spentOf } from '../domain/spend.ts';
import {
  addEvents,
  type Draft,
  MAX_EVENTS,
  MAX_FEEDBACK,
  MAX_RUNS,
  openDraft,
  setOwn,
  updateWorkplace,
} from './draft.ts';
import {
  dropRequestsOf,
  endManual,
  foldActionAllowed,
  foldAuditLogged,
  foldGateDecided,
  foldGateOpened,
  foldGateTimedOut,
  foldWhitelistChanged,
} from './fold-human.ts';
import {
  addSpendCells,
  endLanding,
  foldIterationEnd,
  foldIterationFinished,
  foldIterationStarted,
  foldPhaseEntered,
  withItem,
} from './fold-iteration.ts';
import {
  foldCheckpointTaken,
  foldInterruptedCost,
  foldLessonDropped,
  foldLostCost,
  foldPolicyResumed,
  foldPolicyRunFinished,
  foldPolicyRunStarted,
  foldPolicyStopped,
} from './fold-policy.ts';
import { foldSeriesChanged, foldTreesLost, foldWorkSetAside, foldWorkTakenUp } from './fold-series.ts';
import {
  foldIncidentOpened,
  foldIncidentResolved,
  foldRollbackFinished,
  foldUnblocked,
  reopen,
  settleIncidentsOf,
} from './fold-unblocked.ts';
import { foldWorkLanded } from './fold-work.ts';

/** Name under which costs of planning are kept if they aren't about one task. */
const PLANNING = 'plan';

/** Adds the costs of planning, which uses the same budget as work. */
function foldPlanDrafted(draft: Draft, { by, tasks, spend, at }: JournalRecordOf<'plan_drafted'>): void {
  const { budget } = draft.policy;
  const spent = addCost(budget.spent, { ...NO_COST, ...costOf(spentOf(spend)) });
  draft.policy = { ...draft.policy, budget: { ...budget, spent } };
  addSpendCells(draft, by.kind === 'plan' ? PLANNING : by.taskId, [{ agent: by.agent, spend }]);
  propose(draft, { at, by, tasks });
}

/** Adds proposed tasks. A proposal that the next attempt repeats isn't added again. */
function foldProposed(draft: Draft, record: JournalRecordOf<'iteration_finished'>): void {
  const { run, iteration, taskId, attempt, proposed, at } = record;
  const known = new Set(draft.proposals.flatMap(({ tasks }) => tasks.map(({ title }) => title)));
  const by = { kind: 'attempt', agent: attempt.agent, run, iteration, taskId } as const;
  propose(draft, { at, by, tasks: proposed.filter(({ title }) => !known.has(title)) });
}

function propose(draft: Draft, given: Omit<Proposal, 'id'> & { tasks: readonly PlannedTask[] }): void {
  if (given.tasks.length === 0) return;
  draft.counters.proposal += 1;
  const proposal = { ...given, tasks: [...given.tasks], id: `P-${draft.counters.proposal}` };
  draft.proposals = [...draft.proposals, proposal].slice(-PROPOSALS_KEPT);
}

function foldProposalSettled(draft: Draft, { id }: JournalRecordOf<'proposal_settled'>): void {
  draft.proposals = draft.proposals.filter((one) => one.id !== id);
}

/** Returns the state after the records; the given state isn't changed. Folding in parts gives the same result. */
export function foldRecords(state: State, records: readonly JournalRecord[]): State {
  if (records.length === 0) return state;
  let draft = openDraft(state);
  for (const record of records) {
    draft = record.type === 'journal_continued' ? openDraft(record.state) : draft;
    // Events come first, because outcomes of interventions are written into them.
    addEvents(draft, eventsOf(record));
    fold(draft, record);
    draft.seq = record.seq;
    dropOldest(draft.runs, MAX_RUNS);
    // Imported events wait for the archive; ralph's own are archived long before they are this many.
    if (record.type !== 'imported' && record.type !== 'journal_continued')
      dropOldest(draft.events, MAX_EVENTS);
    dropOldest(draft.feedback, MAX_FEEDBACK);
  }
  return draft;
}

function dropOldest(items: unknown[], keep: number): void {
  if (items.length > keep) items.splice(0, items.length - keep);
}

/** Forgets a task whose id now belongs to another task. The earlier task's work stays kept under its own name. */
function foldReplaced(draft: Draft, taskId: string, at: string): void {
  settleIncidentsOf(draft, taskId, at, 'another task has its id');
  dropRequestsOf(draft, taskId);
  draft.first = draft.first.filter((id) => id !== taskId);
  draft.feedback = draft.feedback.filter((entry) => entry.taskId !== taskId);
  setOwn(draft.tasks, taskId, { ...EMPTY_TASK_STATE, replacedAt: at });
}

const FOLDS: { readonly [T in JournalRecord['type']]: (draft: Draft, record: JournalRecordOf<T>) => void } = {
  run_started: foldRunStarted,
  run_finished: foldRunFinished,
  run_requested: (draft, { run, request, worker, at }) => {
    const control = controlOf(draft, run);
    draft.control =
      worker === null
        ? { run, ...withRequest(control, request, at) }
        : { run, ...control, stoppedWorkers: withItem(control.stoppedWorkers, worker) };
  },
  phase_entered: foldPhaseEntered,
  attempt_lost: foldLostCost,
  queue_changed: (draft, { taskIds, change, at }) => {
    if (change === 'kept_apart') draft.keptApart = { ...draft.keptApart };
    for (const id of taskIds) changePlace(draft, id, change, at);
  },
  iteration_started: foldIterationStarted,
  iteration_finished: (draft, record) => {
    foldIterationFinished(draft, record);
    foldProposed(draft, record);
  },
  iteration_interrupted: (draft, record) => {
    foldInterruptedCost(draft, record);
    foldIterationEnd(draft, record);
    foldSeriesChanged(draft, record, false);
    const task = taskStateOf(draft, record.taskId);
    setOwn(draft.tasks, record.taskId, {
      ...task,
      cutOff: [...task.cutOff, record.iteration].slice(-CUT_OFF_KEPT),
    });
    draft.heads = { known: record.head };
  },
  trees_lost: foldTreesLost,
  baseline_taken: (draft, { baseline, armed }) => {
    draft.baseline = baseline;
    if (armed !== null) draft.policy = { ...draft.policy, armed };
  },
  outputs_seen: (draft, { paths }) => {
    draft.outputs = [...new Set([...draft.outputs, ...paths])].slice(-OUTPUTS_KEPT);
  },
  // The task list is now as accepted. `opened`: task whose stale mark was removed.
  tracker_accepted: (draft, record) => {
    const { sha256, ids, reopened, opened, marked, takenBack } = record;
    draft.trackerSha256 = sha256 ?? draft.trackerSha256;
    draft.rememberedIds = ids ?? draft.rememberedIds;
    draft.takenBack = takenBack ?? draft.takenBack;
    for (const id of reopened) setOwn(draft.tasks, id, { ...taskStateOf(draft, id), doneBy: null });
    for (const id of record.replaced ?? []) foldReplaced(draft, id, record.at);
    for (const [id, identity] of Object.entries(record.identities ?? {}))
      setOwn(draft.tasks, id, { ...taskStateOf(draft, id), identity });
    const task = opened === null ? undefined : own(draft.tasks, opened);
    if (opened !== null && task !== undefined) setOwn(draft.tasks, opened, { ...task, staleMark: null });
    if (marked !== undefined) setOwn(draft.tasks, marked, { ...taskStateOf(draft, marked), unmarked: false });
  },
  // The consequences of all attempts at the task are over.
  tasks_accepted: (draft, { tasks, at }) => {
    for (const { taskId, doneBy } of tasks) {
      draft.first = draft.first.filter((id) => id !== taskId);
      settleIncidentsOf(draft, taskId, at, 'accepted as done');
      dropRequestsOf(draft, taskId);
      const { history } = taskStateOf(draft, taskId);
      setOwn(draft.tasks, taskId, { ...EMPTY_TASK_STATE, history, doneBy, settledAt: draft.heads.known });
    }
  },
  tasks_reopened: (draft, { tasks, setAside }) => {
    for (const { taskId, iteration } of tasks) {
      const work = setAside === undefined ? {} : { setAside, takesUp: false };
      const task = { ...taskStateOf(draft, taskId), ...work, doneBy: null, staleMark: 'done' as const };
      endLanding(draft, taskId);
      setOwn(draft.tasks, taskId, iteration === null ? task : { ...task, cutOff: [iteration] });
    }
  },
  tracker_fixed: (draft, { kind, path, others }) => {
    draft.tracker = { kind, path, others };
  },
  task_unblocked: (draft, record) => {
    foldUnblocked(draft, record);
    if (!record.automatic) endManual(draft, record.taskId);
    settleIncidentsOf(draft, record.taskId, record.at, `ralph unblock: ${record.reason}`);
  },
  work_landed: (draft, record) => {
    endLanding(draft, record.taskId);
    draft.runs = draft.runs.map((run) => {
      const skippedCommits = run.skippedCommits.filter(({ taskId }) => taskId !== record.taskId);
      return skippedCommits.length === run.skippedCommits.length ? run : { ...run, skippedCommits };
    });
    foldWorkLanded(draft, record);
  },
  commit_skipped: (draft, record) => {
    const { run, taskId, reason, command, heldBy } = record;
    endLanding(draft, taskId);
    draft.runs = draft.runs.map((one) => {
      if (one.run !== run) return one;
      const others = one.skippedCommits.filter((other) => other.taskId !== taskId);
      return {
        ...one,
        skippedCommits: [...others, { taskId, reason, command, ...(heldBy === undefined ? {} : { heldBy }) }],
      };
    });
  },
  feedback_added: (draft, record) => {
    const { entry } = record;
    const known = draft.feedback.some(
      (other) => other.taskId === entry.taskId && other.source === entry.source && other.text === entry.text,
    );
    if (!known) draft.feedback.push(entry);
  },
  feedback_cleared: (draft, { source }) => {
    // Clearing your feedback also clears feedback from sources other than the loop.
    const goes = (by: string) => source === 'all' || (source === 'loop') === (by === 'loop');
    draft.feedback = draft.feedback.filter((entry) => !goes(entry.source));
  },
  // Totals count all events that ever happened, so they stay.
  events_archived: (draft, { count }) => {
    draft.events.splice(0, count);
  },
  // A reinstated agent starts with an empty window; otherwise its next attempt would suspend it again.
  agent_reinstated: (draft, record) => {
    const profile = own(draft.profiles, record.agent);
    if (profile === undefined) return;
    setOwn(draft.profiles, record.agent, {
      ...profile,
      suspended: null,
      thresholdExceeded: false,
      window: [],
      unavailable: null,
    });
  },
  imported: foldImported,
  rollback_finished: foldRollbackFinished,
  work_set_aside: foldWorkSetAside,
  work_taken_up: foldWorkTakenUp,
  incident_opened: foldIncidentOpened,
  stop_resolved: (draft, record) => {
    if (record.incident === null) foldPolicyResumed(draft);
    else foldIncidentResolved(draft, record, record.incident);
  },
  human_gate_opened: foldGateOpened,
  human_gate_decided: (draft, record) => foldGateDecided(draft, record, reopen),
  human_gate_timed_out: foldGateTimedOut,
  gated_action_allowed: foldActionAllowed,
  audit_logged: foldAuditLogged,
  false_positives_told: (draft, { patterns }) => {
    draft.human = { ...draft.human, told: patterns };
  },
  whitelist_changed: foldWhitelistChanged,
  events_added: () => undefined,
  checkpoint_taken: foldCheckpointTaken,
  push_ended: (draft, { run, remote, branch, commit, pullRequest, problem }) => {
    draft.push = { run, remote, branch, commit, pullRequest, problem };
  },
  policy_stopped: foldPolicyStopped,
  lesson_dropped: foldLessonDropped,
  plan_drafted: foldPlanDrafted,
  proposal_settled: foldProposalSettled,
  document_repaired: () => undefined,
  // Records that don't count may come from agents: they no longer explain any commit or mark.
  journal_unverified: (draft, record) => {
    const { reason, records, done, path } = record;
    draft.journalUnverified = { reason, records, done, path };
    draft.imports = false;
    draft.heads = { known: null };
  },
  // Tasks that were done since the journal became unverified keep their newer entry.
  journal_accepted: (draft, { done }) => {
    draft.journalUnverified = null;
    for (const { taskId, doneBy } of done) {
      const task = taskStateOf(draft, taskId);
      if (task.doneBy === null) setOwn(draft.tasks, taskId, { ...task, doneBy });
    }
  },
  journal_continued: () => undefined,
};

function changePlace(
  draft: Draft,
  taskId: string,
  change: JournalBodyOf<'queue_changed'>['change'],
  at: string,
): void {
  const others = draft.first.filter((id) => id !== taskId);
  switch (change) {
    case 'held':
    case 'released':
      setOwn(draft.tasks, taskId, { ...taskStateOf(draft, taskId), held: change === 'held' });
      return;
    case 'put_first':
    case 'put_back':
      draft.first = change === 'put_first' ? [taskId, ...others] : others;
      return;
    case 'kept_apart':
      if (!Object.hasOwn(draft.keptApart, taskId)) setOwn(draft.keptApart, taskId, at);
  }
}

function fold<T extends JournalRecord['type']>(draft: Draft, record: JournalRecordOf<T>): void {
  const change: (draft: Draft, record: JournalRecordOf<T>) => void = FOLDS[record.type as T];
  change(draft, record);
}

function foldRunStarted(draft: Draft, record: JournalRecordOf<'run_started'>): void {
  const { run, agent, mode, workers, startedAt, pid, host, unchecked, at } = record;
  foldPolicyRunStarted(draft, at);
  const counts = { iterations: 0, ...NOTHING_SPENT, interventions: 0, reviews: summaryOf(NO_REVIEWS) };
  const lists = {
    done: [],
    blocked: [],
    work: [],
    skippedCommits: [],
    away: [],
    retried: [],
    workflow: null,
    prover: null,
  };
  const end = { activeAt: at, endedAt: null, ending: null, exitCode: null };
  draft.runs.push({
    run,
    startedAt,
    agent,
    mode,
    workers,
    pid,
    host,
    unchecked,
    ...end,
    ...counts,
    ...lists,
  });
  draft.heads = { known: record.head };
  draft.imports = false;
  draft.keptApart = {};
  // Phases of a run that was killed are cleared.
  for (const one of draft.workplaces) if (one.phase !== null) updateWorkplace(draft, one, { phase: null });
  draft.idleIterations = 0;
  draft.outage = null;
  // An agent's trouble may be fixed by now.
  for (const [name, profile] of Object.entries(draft.profiles)) {
    if (profile.unavailable === null || outlastsRun(profile.unavailable, at)) continue;
    setOwn(draft.profiles, name, { ...profile, unavailable: null });
  }
}

function foldRunFinished(draft: Draft, record: JournalRecordOf<'run_finished'>): void {
  draft.heads = { known: record.head };
  const index = draft.runs.findLastIndex((run) => run.run === record.run);
  const run = draft.runs[index];
  if (run === undefined) return;
  const { at, ending, exitCode } = record;
  foldPolicyRunFinished(draft, at, ending);
  draft.runs[index] = { ...run, activeAt: at, endedAt: at, ending, exitCode };
}

/** Merges an import into the state. Its events are counted, unless its totals include them. */
function foldImported(draft: Draft, record: JournalBodyOf<'imported'>): void {
  const { state } = record;
  if (state !== null) {
    for (const [id, task] of Object.entries(state.tasks)) setOwn(draft.tasks, id, task);
    for (const [agent, profile] of Object.entries(state.profiles)) setOwn(draft.profiles, agent, profile);
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
  // Totals of this program's documents include events that are no longer listed.
  const totals = state?.eventTotals;
  if (totals !== undefined && totals.count > draft.eventTotals.count) {
    draft.eventTotals = {
      count: totals.count,
      byType: { ...totals.byType },
      bySeverity: { ...totals.bySeverity },
    };
  }
}

/**
 * Takes over an imported state. One of this program is complete, so it replaces known values; one of another program is
 * added to them.
 */
function takeOver(draft: Draft, state: State): void {
  draft.counters.incident = Math.max(draft.counters.incident, state.counters.incident);
  draft.feedback = [...state.feedback];
  for (const workplace of state.workplaces) {
    const openIteration = workplace.openIteration ?? workplaceStateOf(draft, workplace).openIteration;
    updateWorkplace(draft, workplace, { ...workplace, openIteration });
  }
  draft.baseline = state.baseline ?? draft.baseline;
  draft.trackerSha256 = state.trackerSha256 ?? draft.trackerSha256;
  draft.takenBack = [...state.takenBack];
  draft.tracker = state.tracker ?? draft.tracker;
  draft.imports &&= state.imports;
  draft.idleIterations = state.idleIterations;
  draft.interventionStats = state.interventionStats;
  draft.incidents = state.incidents;
  draft.lastAttempt = state.lastAttempt;
  draft.spend = { ...state.spend };
  draft.policy = state.policy;
  draft.push = state.push;
}

/**
 * Returns whether the agent's trouble continues in the next run. Only a limit with a known end does; other causes are
 * tried again.
 */
export function outlastsRun({ until, resetKnown }: Unavailable, startedAt: string): boolean {
  return resetKnown && until !== null && Date.parse(until) > Date.parse(startedAt);
}

export function withRequest(before: RunControl, request: RunRequest, at: string): RunControl {
  switch (request) {
    case 'stop':
      return { ...before, stop: before.stop ?? 'after_attempt' };
    case 'stop_now':
      return { ...before, stop: 'now' };
    case 'pause':
      return { ...before, pausedAt: before.pausedAt ?? at };
    case 'continue':
      return { ...before, pausedAt: null };
  }
}

/**
 * Returns the events that a record adds. Those of an import aren't included, because `fold.ts` merges them with the
 * known ones.
 */
function eventsOf(entry: JournalBody): readonly InterventionEvent[] {
  switch (entry.type) {
    case 'iteration_finished':
    case 'events_added':
      return entry.events;
    case 'policy_stopped':
      return entry.event === null ? [] : [entry.event];
    default:
      return [];
  }
}
