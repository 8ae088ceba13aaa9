import { RECOVERIES_KEPT, type Recovery } from '../domain/human/recovery.ts';
import type { JournalBodyOf } from '../domain/records/journal.ts';
import { taskStateOf } from '../domain/records/state.ts';
import { type Draft, put } from './draft.ts';

/** The recovery of a task as an attempt left it. */
export function foldRecovery(
  draft: Draft,
  { taskId, recovering }: Pick<JournalBodyOf<'iteration_finished'>, 'taskId' | 'recovering'>,
): void {
  if (recovering === null) return;
  keep(draft, recovering);
  const task = taskStateOf(draft, taskId);
  put(draft.tasks, taskId, { ...task, recovering: recovering.ended === null ? recovering : null });
}

/** The task gets a fresh series of attempts, so what was tried in the last one ends with it. */
export function foldRecoveryReset(draft: Draft, taskId: string, at: string): void {
  const { recovering } = taskStateOf(draft, taskId);
  if (recovering === null) return;
  keep(draft, { ...recovering, ended: { how: 'reset', at } });
  put(draft.tasks, taskId, { ...taskStateOf(draft, taskId), recovering: null });
}

function keep(draft: Draft, recovery: Recovery): void {
  const number = Number(recovery.id.slice('RS-'.length));
  draft.counters.recovery = Math.max(draft.counters.recovery, number);
  const others = draft.recoveries.filter(({ id }) => id !== recovery.id);
  draft.recoveries = [...others, recovery].slice(-RECOVERIES_KEPT);
}
