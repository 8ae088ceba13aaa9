import { own } from 'ralph-kit/own';
import { INCIDENTS_KEPT, resumeCommand } from '../domain/incident.ts';
import type { JournalBodyOf, JournalRecordOf } from '../domain/records/journal.ts';
import { type TaskState, taskStateOf, workplaceStateOf } from '../domain/records/state.ts';
import { type Draft, MAX_SERIES, setOwn, updateWorkplace } from './draft.ts';
import { blockedByYou, type Reopen } from './fold-human.ts';
import { foldRecoveryReset, NO_INTERVENTIONS } from './fold-interventions.ts';
import { foldSeriesForgotten, foldSeriesRolledBack } from './fold-series.ts';

export function foldUnblocked(
  draft: Draft,
  record: Omit<JournalRecordOf<'task_unblocked'>, 'type' | 'seq'>,
): void {
  if (record.continues) {
    const task = taskStateOf(draft, record.taskId);
    setOwn(draft.tasks, record.taskId, { ...task, ...FREED, ...takenUp(draft, record, task) });
    return;
  }
  foldRecoveryReset(draft, record.taskId, record.at);
  const task = taskStateOf(draft, record.taskId);
  const series = {
    at: record.at,
    reason: record.reason,
    blockReason: task.blocked?.reason ?? null,
    attempts: task.attempts,
    strategy: record.strategy,
    automatic: record.automatic,
  };
  const { total, automatic } = task.unblocks;
  setOwn(draft.tasks, record.taskId, {
    ...task,
    ...FREED,
    attempts: [],
    ...NO_INTERVENTIONS,
    history: [...task.history, series].slice(-MAX_SERIES),
    unblocks: { total: total + 1, automatic: automatic + (record.automatic ? 1 : 0) },
    ...takenUp(draft, record, task),
    workflow: null,
    prover: null,
    timeoutSeconds: record.timeoutSeconds ?? task.timeoutSeconds,
  });
}

const FREED = { inProgress: false, blocked: null, parked: false } satisfies Partial<TaskState>;

/**
 * Returns a task at its new series: it starts with kept work unless you said `fresh`, and a mark to remove from the
 * list is remembered.
 */
function takenUp(
  draft: Draft,
  { taskId, fresh, marked }: Pick<JournalBodyOf<'task_unblocked'>, 'taskId' | 'fresh' | 'marked'>,
  { setAside, staleMark }: TaskState,
): Pick<TaskState, 'takesUp' | 'staleMark'> {
  const takesUp = setAside !== null && !fresh && !wasAborted(draft, taskId);
  return { takesUp, staleMark: marked ? 'blocked' : staleMark };
}

/** Returns whether you aborted at an incident. The task then starts without the stopped work, which stays kept. */
function wasAborted({ human, tasks }: Draft, taskId: string): boolean {
  const last = human.decided.findLast(({ request }) => request.facts.taskId === taskId);
  return last?.option === 'abort' && own(tasks, taskId)?.blocked?.reason === 'human_rejected';
}

const NO_OPTIONS = { timeoutSeconds: null, strategy: null, automatic: false };

export const reopen: Reopen = (draft, taskId, { at, reason, fresh }) => {
  const unblocked = { ...NO_OPTIONS, marked: false };
  foldUnblocked(draft, { taskId, at, reason, ...unblocked, fresh });
};

export function foldIncidentResolved(
  draft: Draft,
  { reason, at }: JournalRecordOf<'stop_resolved'>,
  resolved: NonNullable<JournalBodyOf<'stop_resolved'>['incident']>,
): void {
  const { id: incident, option, taskId, limits } = resolved;
  const command = `${resumeCommand(incident, option)}${reason === '' ? '' : `: ${reason}`}`;
  if (option !== 'abort') {
    const unblocked = { ...NO_OPTIONS, marked: true };
    foldUnblocked(draft, {
      taskId,
      at,
      reason: command,
      ...unblocked,
      fresh: option === 'rollback_and_retry',
    });
  }
  draft.incidents = draft.incidents.map((one) =>
    one.id === incident ? { ...one, resolved: { at, option, reason } } : one,
  );
  const task = taskStateOf(draft, taskId);
  const next = (): Partial<TaskState> => {
    switch (option) {
      case 'resume_with_limits':
        return limits === null ? {} : { restriction: { incident, limits } };
      case 'rollback_and_retry':
        return {};
      case 'manual_intervention':
        return { decisions: { ...task.decisions, manual: incident } };
      case 'abort': {
        const last = task.attempts.at(-1);
        return {
          ...blockedByYou(draft, task, {
            run: last?.run ?? '',
            iteration: last?.iteration ?? 0,
            at,
            detail: `Given up with ${command}`,
          }),
          restriction: null,
        };
      }
    }
  };
  setOwn(draft.tasks, taskId, { ...task, ...NO_INTERVENTIONS, ...next() });
}

export function foldIncidentOpened(draft: Draft, { incident }: JournalBodyOf<'incident_opened'>): void {
  draft.incidents = [...draft.incidents, incident].slice(-INCIDENTS_KEPT);
  const number = Number(/^INC-(\d+)$/.exec(incident.id)?.[1] ?? 0);
  draft.counters.incident = Math.max(draft.counters.incident, number);
  if (incident.scope === 'run') return;
  const task = taskStateOf(draft, incident.taskId);
  setOwn(draft.tasks, incident.taskId, { ...task, parkedBecause: `${incident.id}: ${incident.summary}` });
}

/** Resolves the incidents that a task waited for, because you acted on the task. */
export function settleIncidentsOf(draft: Draft, taskId: string, at: string, reason: string): void {
  draft.incidents = draft.incidents.map((one) =>
    one.resolved !== null || one.scope === 'run' || one.taskId !== taskId
      ? one
      : { ...one, resolved: { at, option: 'manual_intervention', reason } },
  );
}

export function foldRollbackFinished(draft: Draft, record: JournalBodyOf<'rollback_finished'>): void {
  const { checkpoint, tree, taskId, reopened, feedback, throttle } = record;
  for (const id of reopened) setOwn(draft.tasks, id, { ...taskStateOf(draft, id), doneBy: null });
  // Checkpoints after the restored one belong to another line of work.
  const { checkpoints } = workplaceStateOf(draft, record);
  const position = checkpoints.findIndex(({ id }) => id === checkpoint);
  updateWorkplace(draft, record, {
    openRollback: null,
    leftTree: tree,
    checkpoints: taskId === null ? [] : checkpoints.slice(0, Math.max(0, position)),
  });
  if (taskId === null) {
    foldSeriesForgotten(draft, record);
    return;
  }
  draft.baseline = record.baseline;
  foldSeriesRolledBack(draft, taskId, checkpoints[position]);
  const task = taskStateOf(draft, taskId);
  setOwn(draft.tasks, taskId, {
    ...task,
    // The next attempt gets a fresh session, and growth isn't measured against earlier attempts.
    attempts: task.attempts.map((attempt, index, { length }) => ({
      ...attempt,
      session: null,
      resources: null,
      ...(index === length - 1 ? { rolledBack: true as const } : {}),
    })),
    throttle,
  });
  draft.feedback = [
    ...draft.feedback.filter((entry) => entry.taskId !== taskId || entry.source !== 'loop'),
    ...feedback,
  ];
}
