import { join } from 'node:path';
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

/** The answer to the id of a checkpoint that holds the work of a task, which has the task's name; `null`: it is none of these. */
export function byTaskName(
  { root, stateHome, gitDir, commonDir, store }: Workspace,
  id: string,
): Failure | null {
  if (!/^kept\/\d+$/.test(id)) return null;
  const newest = new Map<string, number>();
  let found: { readonly taskId: string; readonly iteration: number } | null = null;
  for (const record of readRecords(
    join(root, '.ralph'),
    stateHome,
    placeOf({ gitDir, commonDir }),
    () => false,
  )) {
    if (record.type === 'iteration_started') newest.set(record.taskId, record.iteration);
    if (record.type === 'work_set_aside' && record.setAside?.checkpoint === id)
      found = { taskId: record.taskId, iteration: newest.get(record.taskId) ?? 0 };
  }
  if (found === null) return null;
  const { taskId, iteration } = found;
  const isNewest = taskStateOf(store.state, taskId).setAside?.checkpoint === id;
  const numbers = [...iterationsByNumber(store.state, taskId)];
  const [number] = numbers.find(([, one]) => one === iteration) ?? [];
  return failure(`${id} is ${taskId}'s work.`, takeCommand(taskId, isNewest ? undefined : number));
}
