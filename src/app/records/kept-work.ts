import { join } from 'node:path';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import { isOutsideCause } from '../../domain/verdict.ts';
import { takeCommand } from '../../domain/work-place.ts';
import { readRecords } from '../../io/store/index.ts';
import { type Failure, failure } from '../result.ts';
import { placeOf } from '../setup/state-home.ts';
import type { Workspace } from '../setup/workspace.ts';

/** Attempts of the current series of a task, by the numbers that the screen shows: those that something outside ended have none. */
export function countedAttempts(state: State, taskId: string) {
  const { attempts, history } = taskStateOf(state, taskId);
  const series = attempts.length > 0 ? attempts : (history.at(-1)?.attempts ?? []);
  return series.filter(({ verdict }) => !isOutsideCause(verdict));
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
    if (record.type === 'work_set_aside' && record.setAside.checkpoint === id)
      found = { taskId: record.taskId, iteration: newest.get(record.taskId) ?? 0 };
  }
  if (found === null) return null;
  const { taskId, iteration } = found;
  const isNewest = taskStateOf(store.state, taskId).setAside?.checkpoint === id;
  const at = countedAttempts(store.state, taskId).findIndex((one) => one.iteration === iteration);
  const command = isNewest || at === -1 ? takeCommand(taskId) : takeCommand(taskId, at + 1);
  return failure(`${id} is ${taskId}'s work.`, command);
}
