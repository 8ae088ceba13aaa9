import { RECOVERIES_KEPT, type Recovery } from '../domain/human/recovery.ts';
import type {
  Assessment,
  InterventionCell,
  InterventionRecord,
  InterventionStats,
} from '../domain/intervention.ts';
import type { JournalBodyOf } from '../domain/records/journal.ts';
import {
  CHECKPOINTS_KEPT,
  INTERVENTIONS_KEPT,
  type TaskState,
  taskStateOf,
  workplaceStateOf,
} from '../domain/records/state.ts';
import { type Draft, setOwn, updateWorkplace } from './draft.ts';

type Finished = JournalBodyOf<'iteration_finished'>;

/** Values with which a new series of attempts starts. Limits that you set after an incident stay. */
export const NO_INTERVENTIONS = {
  interventions: [],
  interventionCount: 0,
  reinforce: [],
  throttle: null,
  parkedBecause: null,
  recovery: [],
} satisfies Partial<TaskState>;

export function interventionsAfter(task: TaskState, record: Finished): Partial<TaskState> {
  if (record.taskStatus === 'done') return { ...NO_INTERVENTIONS, restriction: null };
  const { interventions, assessed, reinforce, throttle, parkedBecause, recovery } = record;
  const earlier = task.interventions.map((one) => ({ ...one, ...outcomeOf(one, assessed) }));
  return {
    interventions: [...earlier, ...interventions].slice(-INTERVENTIONS_KEPT),
    interventionCount: task.interventionCount + interventions.length,
    reinforce,
    throttle,
    parkedBecause,
    recovery,
  };
}

function outcomeOf(
  one: InterventionRecord,
  assessed: readonly Assessment[],
): Pick<InterventionRecord, 'outcome'> {
  const found = assessed.find(
    ({ type, issue, iteration }) => type === one.type && issue === one.issue && iteration === one.iteration,
  );
  return { outcome: found?.outcome ?? one.outcome };
}

export function countInterventions(draft: Draft, record: Finished): void {
  const { interventions, assessed, attempt } = record;
  let stats = draft.interventionStats;
  for (const { type, issue, severity, outcome, escalated } of interventions.filter(isDone)) {
    stats = {
      cells: counted(stats, { agent: attempt.agent, issue, type }, (cell) => ({
        applied: cell.applied + 1,
        escalated: cell.escalated + (escalated ? 1 : 0),
        noFurtherAttempt: cell.noFurtherAttempt + (outcome === 'no_further_attempt' ? 1 : 0),
      })),
      bySeverity: { ...stats.bySeverity, [severity]: (stats.bySeverity[severity] ?? 0) + 1 },
    };
  }
  for (const { type, issue, iteration, outcome } of assessed) {
    // The corrected agent may be another than the one whose attempt showed the outcome.
    const earlier = draft.tasks[record.taskId]?.interventions ?? [];
    const answered = earlier.find(
      (one) => one.iteration === iteration && one.type === type && one.issue === issue,
    );
    if (answered !== undefined && !isDone(answered)) continue;
    const agent = answered?.agent ?? attempt.agent;
    stats = {
      ...stats,
      cells: counted(stats, { agent, issue, type }, (cell) => ({
        helped: cell.helped + (outcome === 'helped' ? 1 : 0),
        notHelped: cell.notHelped + (outcome === 'not_helped' ? 1 : 0),
        noFurtherAttempt: cell.noFurtherAttempt + (outcome === 'no_further_attempt' ? 1 : 0),
      })),
    };
  }
  draft.interventionStats = stats;
}

/** Returns whether an intervention was carried out. One that came too soon counts for the task, but wasn't. */
export function isDone({ leftOut }: InterventionRecord): boolean {
  return leftOut !== true;
}

function counted(
  { cells }: InterventionStats,
  key: Pick<InterventionCell, 'agent' | 'issue' | 'type'>,
  change: (cell: InterventionCell) => Partial<InterventionCell>,
): InterventionCell[] {
  const index = cells.findIndex(
    ({ agent, issue, type }) => agent === key.agent && issue === key.issue && type === key.type,
  );
  const empty = { ...key, applied: 0, helped: 0, notHelped: 0, noFurtherAttempt: 0, escalated: 0 };
  const cell = cells[index] ?? empty;
  const next = { ...cell, ...change(cell) };
  return index === -1 ? [...cells, next] : cells.with(index, next);
}

export function foldCheckpoint(draft: Draft, record: JournalBodyOf<'iteration_started'>): void {
  const { checkpoint } = record;
  const earlier = workplaceStateOf(draft, record).checkpoints;
  updateWorkplace(draft, record, { checkpoints: [...earlier, checkpoint].slice(-CHECKPOINTS_KEPT) });
}

export function foldRecovery(
  draft: Draft,
  { taskId, recovering }: Pick<JournalBodyOf<'iteration_finished'>, 'taskId' | 'recovering'>,
): void {
  if (recovering === null) return;
  keep(draft, recovering);
  const task = taskStateOf(draft, taskId);
  setOwn(draft.tasks, taskId, { ...task, recovering: recovering.ended === null ? recovering : null });
}

/** Ends the recovery of the last series, because a new one starts. */
export function foldRecoveryReset(draft: Draft, taskId: string, at: string): void {
  const { recovering } = taskStateOf(draft, taskId);
  if (recovering === null) return;
  keep(draft, { ...recovering, ended: { how: 'reset', at } });
  setOwn(draft.tasks, taskId, { ...taskStateOf(draft, taskId), recovering: null });
}

function keep(draft: Draft, recovery: Recovery): void {
  const number = Number(recovery.id.slice('RS-'.length));
  draft.counters.recovery = Math.max(draft.counters.recovery, number);
  const others = draft.recoveries.filter(({ id }) => id !== recovery.id);
  draft.recoveries = [...others, recovery].slice(-RECOVERIES_KEPT);
}
