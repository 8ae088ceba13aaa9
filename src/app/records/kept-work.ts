import { join } from 'node:path';
import type { SetAside } from '../../domain/change-set.ts';
import type { CheckpointEntry } from '../../domain/ports.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import { isOutsideCause } from '../../domain/verdict.ts';
import { takeCommand } from '../../domain/work-place.ts';
import { readRecords } from '../../io/store/index.ts';
import { type Failure, failure } from '../result.ts';
import { placeOf } from '../setup/state-home.ts';
import type { Workspace } from '../setup/workspace.ts';

/** Iterations of the current series of a task by the numbers of attempts that the screen shows: the newest of each, from 1. */
export function iterationsByNumber(state: State, taskId: string): ReadonlyMap<number, number> {
  const { attempts, history } = taskStateOf(state, taskId);
  const series = attempts.length > 0 ? attempts : (history.at(-1)?.attempts ?? []);
  const numbers = new Map<number, number>();
  let number = 1;
  for (const { verdict, iteration } of series) {
    numbers.set(number, iteration);
    // What something outside ended is made again under the same number.
    if (!isOutsideCause(verdict)) number += 1;
  }
  return numbers;
}

type Kept = { readonly taskId: string; readonly iteration: number; readonly work: SetAside };

/** The record of the work that a checkpoint holds; `iteration`: the newest of its task by then. `null`: it holds no such work. */
function keptIn({ root, stateHome, gitDir, commonDir }: Workspace, checkpoint: string): Kept | null {
  if (!/^kept\/\d+$/.test(checkpoint)) return null;
  const newest = new Map<string, number>();
  let found: Kept | null = null;
  for (const record of readRecords(
    join(root, '.ralph'),
    stateHome,
    placeOf({ gitDir, commonDir }),
    () => false,
  )) {
    if (record.type === 'iteration_started') newest.set(record.taskId, record.iteration);
    if (record.type === 'work_set_aside' && record.setAside?.checkpoint === checkpoint) {
      const { taskId, setAside: work } = record;
      found = { taskId, iteration: newest.get(taskId) ?? 0, work };
    }
  }
  return found;
}

/** The answer to the id of a checkpoint that holds the work of a task, which has the task's name; `null`: it is none of these. */
export function byTaskName(workspace: Workspace, id: string): Failure | null {
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

/** Work of a task that isn't its newest: the task, and the number of its checkpoint. */
function olderName(taskId: string, checkpoint: string): string {
  return `${taskId}@${checkpoint.slice('kept/'.length)}`;
}

/** The work that `olderName` names; `null`: it names none. */
export function olderWork(workspace: Workspace, name: string): SetAside | null {
  const [, taskId, number] = /^(.+)@(\d+)$/.exec(name) ?? [];
  const kept = number === undefined ? null : keptIn(workspace, `kept/${number}`);
  return kept === null || kept.taskId !== taskId ? null : kept.work;
}

/** The note that `keepWork` writes to a checkpoint. */
const WORK_NOTE = /^work of (.+)$/;

/** What the screen calls a checkpoint. The newest work of a task that is kept has the task's name, older work a number besides. */
export function shownId(entry: CheckpointEntry, all: readonly CheckpointEntry[]): string {
  const { id, kept, note } = entry;
  const task = kept && id.startsWith('kept/') ? WORK_NOTE.exec(note)?.[1] : undefined;
  if (task === undefined) return id;
  const numberOf = (one: CheckpointEntry) => Number(one.id.slice('kept/'.length));
  const isNewest = all.every((one) => !(one.note === note && numberOf(one) > numberOf(entry)));
  return isNewest ? task : olderName(task, id);
}
