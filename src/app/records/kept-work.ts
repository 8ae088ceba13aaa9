import type { SetAside } from '../../domain/change-set.ts';
import type { CheckpointEntry } from '../../domain/ports.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import { isOutsideCause } from '../../domain/verdict.ts';
import { olderName, takeCommand } from '../../domain/work-place.ts';
import { readRecords } from '../../store/index.ts';
import { type Failure, failure } from '../result.ts';
import type { Workspace } from '../setup/workspace.ts';

/** Returns the newest iteration of each attempt of a task's current series, by the attempt's number from 1. */
export function iterationsByNumber(state: State, taskId: string): ReadonlyMap<number, number> {
  const { attempts, history } = taskStateOf(state, taskId);
  const series = attempts.length > 0 ? attempts : (history.at(-1)?.attempts ?? []);
  const numbers = new Map<number, number>();
  let number = 1;
  for (const { verdict, iteration } of series) {
    numbers.set(number, iteration);
    // An attempt that a cause outside the work ended is repeated with the same number.
    if (!isOutsideCause(verdict)) number += 1;
  }
  return numbers;
}

type Kept = { readonly taskId: string; readonly iteration: number; readonly work: SetAside };

/** Returns a checkpoint's saved work, and the newest iteration of its task by then; `null`: there is no such work. */
function keptIn({ folder, stateHome, place }: Workspace, checkpoint: string): Kept | null {
  if (!/^kept\/\d+$/.test(checkpoint)) return null;
  const newest = new Map<string, number>();
  let found: Kept | null = null;
  for (const record of readRecords(folder, stateHome, place, () => false)) {
    if (record.type === 'iteration_started') newest.set(record.taskId, record.iteration);
    if (record.type === 'work_set_aside' && record.setAside?.checkpoint === checkpoint) {
      const { taskId, setAside: work } = record;
      found = { taskId, iteration: newest.get(taskId) ?? 0, work };
    }
  }
  return found;
}

/**
 * Returns a failure that names a task to use instead of a checkpoint's id; `null`: the checkpoint isn't a task's work.
 */
export function taskWorkFailure(workspace: Workspace, id: string): Failure | null {
  const kept = keptIn(workspace, id);
  if (kept === null) return null;
  const { taskId, iteration } = kept;
  const { state } = workspace.store;
  const [number] = [...iterationsByNumber(state, taskId)].find(([, one]) => one === iteration) ?? [];
  const isNewest = taskStateOf(state, taskId).setAside?.checkpoint === id;
  const command =
    isNewest || number !== undefined
      ? takeCommand(taskId, isNewest ? undefined : number)
      : takeCommand(olderName(taskId, id));
  return failure(`${id} is ${taskId}'s work.`, command);
}

/** Returns work by a name from `olderName`, such as `T-1@2`; `null`: there is none. */
export function olderWork(workspace: Workspace, name: string): SetAside | null {
  const [, taskId, number] = /^(.+)@(\d+)$/.exec(name) ?? [];
  const kept = number === undefined ? null : keptIn(workspace, `kept/${number}`);
  return kept === null || kept.taskId !== taskId ? null : kept.work;
}

const WORK_NOTE = /^work of (.+)$/;

/**
 * Returns the id of a checkpoint on screen. For a task's newest saved work, that is the task's id; for older work, with
 * a number.
 */
export function shownId(entry: CheckpointEntry, all: readonly CheckpointEntry[], state: State): string {
  const { id, kept, note } = entry;
  const task = kept && id.startsWith('kept/') ? WORK_NOTE.exec(note)?.[1] : undefined;
  if (task === undefined) return id;
  const numberOf = (one: CheckpointEntry) => Number(one.id.slice('kept/'.length));
  const isNewest = all.every((one) => !(one.note === note && numberOf(one) > numberOf(entry)));
  const { replacedAt } = taskStateOf(state, task);
  // Work that was kept before the id was reused belongs to the earlier task.
  const isOfAnother = replacedAt !== null && Date.parse(entry.at) <= Date.parse(replacedAt);
  return isNewest && !isOfAnother ? task : olderName(task, id);
}
