import type { JournalBodyOf, JournalRecordOf } from '../domain/records/journal.ts';
import { taskStateOf } from '../domain/records/state.ts';
import { MAX_SERIES } from './bounds.ts';
import { type Draft, put } from './draft.ts';
import type { Reopen } from './fold-human.ts';
import { foldIncidentResolved } from './fold-incidents.ts';
import { NO_INTERVENTIONS } from './fold-interventions.ts';
import { foldRecoveryReset } from './fold-recovery.ts';

/** A task gets a fresh series of attempts. */
export function foldUnblocked(
  draft: Draft,
  record: Omit<JournalRecordOf<'task_unblocked'>, 'type' | 'seq'>,
): void {
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
  put(draft.tasks, record.taskId, {
    ...task,
    attempts: [],
    inProgress: false,
    blocked: null,
    parked: false,
    ...NO_INTERVENTIONS,
    history: [...task.history, series].slice(-MAX_SERIES),
    unblocks: { total: total + 1, automatic: automatic + (record.automatic ? 1 : 0) },
    setAside: record.fresh ? null : task.setAside,
    staleMark: record.marked ? 'blocked' : task.staleMark,
    workflow: null,
    prover: null,
    timeoutSeconds: record.timeoutSeconds ?? task.timeoutSeconds,
  });
}

function resumed({ incident, option, reason }: JournalBodyOf<'incident_resolved'>): string {
  return `ralph resume ${incident} --option ${option}${reason === '' ? '' : `: ${reason}`}`;
}

/** The same after a decision at a human gate. */
export const reopen: Reopen = (draft, taskId, { at, reason, fresh }) => {
  const unblocked = { timeoutSeconds: null, strategy: null, automatic: false, marked: false };
  foldUnblocked(draft, { taskId, at, reason, ...unblocked, fresh });
};

/** What you chose after an emergency stop; some choices give the task a fresh series of attempts. */
export function foldIncidentChoice(draft: Draft, record: JournalRecordOf<'incident_resolved'>): void {
  if (record.option !== 'abort') {
    const unblocked = { timeoutSeconds: null, strategy: null, automatic: false, marked: true };
    const fresh = record.option === 'rollback_and_retry';
    const { taskId, at } = record;
    foldUnblocked(draft, { taskId, at, reason: resumed(record), ...unblocked, fresh });
  }
  foldIncidentResolved(draft, record);
}
