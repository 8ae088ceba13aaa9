import { fenced } from 'ralph-kit/markdown';
import { firstFew, quotedNames, tail } from 'ralph-kit/text';
import type { CommandRun } from '../../domain/command-run.ts';
import { OUTPUT_SHOWN } from '../../domain/command-runs.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';
import { showStatus } from '../settle-marks.ts';
import { reopenTask } from './reopen-task.ts';

type Place = Pick<LoopContext, 'ports'>;

/**
 * Reverts the landed result since which gates fail. If a commit of yours broke them, that is only reported.
 * @param red Runs of the failing gates
 */
export async function takeBack(
  context: Place,
  taskId: string,
  since: IterationFacts['redSince'],
  red: readonly CommandRun[],
): Promise<void> {
  const fails = `${quotedNames(red.map(({ name }) => name))} fails`;
  const outputs = red.map(({ outputTail }) => tail(outputTail, OUTPUT_SHOWN));
  if (since !== null) await revertResult(context, since, fails, outputs);
  else
    context.ports.store.commit([
      { type: 'warned', message: `Your branch is red without ${taskId}: ${fails}.` },
    ]);
}

/** Finishes a recorded revert of a task's newest result, if the loop died during it. */
export async function finishTakeBack(context: Place): Promise<void> {
  const { line, store } = context.ports;
  const { armed } = store.state.policy;
  if (armed?.kind !== 'red_after_landing' || taskStateOf(store.state, armed.taskId).doneBy === null) return;
  const results = (await line.current())?.results ?? [];
  const last = results.findLast(({ taskId }) => taskId === armed.taskId);
  if (last !== undefined) await revertResult(context, last, 'a gate fails', [armed.reason]);
}

/**
 * Reverts a result.
 * @param fails Clause with the failing gates, such as `"test" fails`.
 */
async function revertResult(
  { ports }: Place,
  { taskId, number }: { readonly taskId: string; readonly number: number },
  fails: string,
  outputs: readonly string[],
): Promise<void> {
  const { line, store, clock } = ports;
  const warn = (message: string) => void store.commit([{ type: 'warned', message }]);
  const back = await line.revert([taskId], number);
  if (back.kind === 'waits') {
    const { reason, paths } = back.waiting;
    const named = paths.length === 0 ? '' : ` (${firstFew(paths)})`;
    return warn(`${fails} since ${taskId} landed, and that couldn't be reverted: ${reason}${named}.`);
  }
  const reason = `${fails} on your branch since it landed, so it was reverted`;
  const entry = {
    ...({ at: clock.now(), taskId, iteration: null, kind: 'guidance', source: 'suggestion' } as const),
    text: [
      `Your earlier work on this task landed, and ${fails} since then, so it was reverted. Do the task again so that all gates pass.`,
      ...outputs.map((output) => fenced(output)),
    ].join('\n\n'),
  };
  await reopenTask(ports, { taskId, number }, reason);
  store.commit(() => [{ type: 'feedback_added', entry }]);
  for (const message of await showStatus(ports, [taskId], 'open')) warn(message);
}
