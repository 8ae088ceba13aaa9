import type { OpenedIncident } from '../../decide/index.ts';
import { runsRedOnLine } from '../../domain/command-runs.ts';
import { StoreError } from '../../domain/ports.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import { hasEndedUndone, taskStateOf } from '../../domain/records/state.ts';
import { type Task, withoutText } from '../../domain/task.ts';
import { isNewlySilent, silentText } from '../../tell/index.ts';
import type { LoopContext } from '../context.ts';
import { showStatus } from '../settle-marks.ts';
import { keepWork } from './keep-work.ts';
import { landWork, type Prepared } from './land-work.ts';
import { publish } from './publish.ts';
import { endRollback } from './roll-back.ts';
import { takeBack } from './take-back.ts';

type Decided = {
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  readonly prepared: Prepared;
  /** The recorded emergency stop; `null`: none. */
  readonly incident: OpenedIncident | null;
  /** Absolute path of the iteration's folder. */
  readonly folder: string;
};

export async function perform(context: LoopContext, decided: Decided): Promise<void> {
  const { facts, decisions, prepared, folder } = decided;
  const { task } = facts;
  await endRollback(context);
  const red = runsRedOnLine(facts);
  if (red.length > 0) await context.turns.exclusive(() => takeBack(context, task.id, facts.redSince, red));
  await endUndone(context, task.id);
  if (decisions.taskStatus === 'done')
    await context.turns.exclusive(() => landWork(context, facts, { prepared, folder }));
  await markTask(context, task, decisions.taskStatus);
  const { attempts } = taskStateOf(context.ports.store.state, task.id);
  const silent = isNewlySilent(attempts) ? silentText(attempts) : null;
  if (silent !== null) context.ports.store.commit([{ type: 'warned', message: `${task.id}: ${silent}` }]);
  if (decided.incident !== null) writeIncident(context, decided.incident);
  if (decisions.taskStatus === 'done' && context.config.git.push === 'on_done')
    await publish(context, { tasks: [task], end: null });
}

/** A list that can't show the status is a warning, and the run continues. */
async function markTask({ ports }: LoopContext, task: Task, status: Task['status']): Promise<void> {
  if (status !== 'done' && status !== 'blocked') return;
  const refused = await showStatus(ports, [task.id], status);
  const without = status === 'done' && refused.length === 0 ? withoutText(task) : null;
  const warnings = without === null ? refused : [`${task.id} is done ${without}.`];
  for (const message of warnings) ports.store.commit([{ type: 'warned', message }]);
}

/**
 * Keeps the work of a task that ended undone. `ralph diff` shows the work, and the task's next attempt starts with it.
 */
async function endUndone(context: LoopContext, taskId: string): Promise<void> {
  if (hasEndedUndone(taskStateOf(context.ports.store.state, taskId)))
    await keepWork(context, taskId, 'ended');
}

/** The emergency stop is recorded and in force without its report, too. */
function writeIncident(
  { ports: { store } }: LoopContext,
  { incident: { id }, report }: OpenedIncident,
): void {
  try {
    store.writeDocument(`incidents/${id}.json`, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    store.commit([{ type: 'warned', message: `The report of ${id} could not be written: ${error.message}` }]);
  }
}
