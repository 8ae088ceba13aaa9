import { INCIDENTS_KEPT } from '../domain/incident.ts';
import type { JournalBodyOf, JournalRecordOf } from '../domain/records/journal.ts';
import { type TaskState, taskStateOf, workplaceStateOf } from '../domain/records/state.ts';
import { type Draft, put, putAtWorkplace } from './draft.ts';
import { NO_INTERVENTIONS } from './fold-interventions.ts';
import { foldSeriesForgotten, foldSeriesRolledBack } from './fold-series.ts';

export function foldIncidentOpened(draft: Draft, { incident }: JournalBodyOf<'incident_opened'>): void {
  draft.incidents = [...draft.incidents, incident].slice(-INCIDENTS_KEPT);
  const number = Number(/^INC-(\d+)$/.exec(incident.id)?.[1] ?? 0);
  draft.counters.incident = Math.max(draft.counters.incident, number);
  if (incident.scope === 'run') return;
  const task = taskStateOf(draft, incident.taskId);
  put(draft.tasks, incident.taskId, { ...task, parkedBecause: `${incident.id}: ${incident.summary}` });
}

/** The incidents at which this task waited are resolved with what you did about the task. */
export function settleIncidentsOf(draft: Draft, taskId: string, at: string, reason: string): void {
  draft.incidents = draft.incidents.map((one) =>
    one.resolved !== null || one.scope === 'run' || one.taskId !== taskId
      ? one
      : { ...one, resolved: { at, option: 'manual_intervention', reason } },
  );
}

/** What you chose, and what it means for the task. */
export function foldIncidentResolved(draft: Draft, record: JournalRecordOf<'incident_resolved'>): void {
  const { incident, option, reason, taskId, limits, at } = record;
  draft.incidents = draft.incidents.map((one) =>
    one.id === incident ? { ...one, resolved: { at, option, reason } } : one,
  );
  const task = taskStateOf(draft, taskId);
  const command = `ralph resume ${incident} --option ${option}`;
  const said = reason === '' ? command : `${command}: ${reason}`;
  const next = (): Partial<TaskState> => {
    switch (option) {
      case 'resume_with_limits':
        return limits === null ? {} : { restriction: { incident, limits } };
      case 'rollback_and_retry':
        return {};
      case 'manual_intervention':
        return { decisions: { ...task.decisions, manual: incident } };
      case 'abort':
        return {
          blocked: {
            reason: 'human_rejected',
            detail: `Given up with ${said}`,
            at,
            run: task.attempts.at(-1)?.run ?? '',
            iteration: task.attempts.at(-1)?.iteration ?? 0,
            attempts: task.attempts,
            outputTail: '',
            failedGateTail: '',
          },
          inProgress: false,
          parked: false,
          restriction: null,
        };
    }
  };
  put(draft.tasks, taskId, { ...task, ...NO_INTERVENTIONS, ...next() });
}

export function foldRollbackFinished(draft: Draft, record: JournalBodyOf<'rollback_finished'>): void {
  const { checkpoint, tree, taskId, reopened, feedback, throttle } = record;
  for (const id of reopened) put(draft.tasks, id, { ...taskStateOf(draft, id), doneBy: null });
  // What came after the checkpoint is another line of work now.
  const { checkpoints } = workplaceStateOf(draft, record);
  const position = checkpoints.findIndex(({ id }) => id === checkpoint);
  putAtWorkplace(draft, record, {
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
  put(draft.tasks, taskId, {
    ...task,
    // A fresh session, and nothing to measure growth against.
    attempts: task.attempts.map((attempt) => ({ ...attempt, session: null, resources: null })),
    throttle,
  });
  draft.feedback = [
    ...draft.feedback.filter((entry) => entry.taskId !== taskId || entry.source !== 'loop'),
    ...feedback,
  ];
}
