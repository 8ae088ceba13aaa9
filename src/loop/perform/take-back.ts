import { StoreError } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { fenced } from '../../lib/markdown.ts';
import { firstFew, quotedNames } from '../../lib/text.ts';
import type { LoopContext } from '../context.ts';

/** Reverts the result since which the line is red, and reopens its task; what you committed is yours, and only said. */
export async function takeBack(
  { ports: { line, store, tracker, clock, emit } }: LoopContext,
  { task, redLine }: Pick<IterationFacts, 'task' | 'redLine'>,
): Promise<void> {
  if (redLine === null) return;
  const { result, gates } = redLine;
  const fails = `${quotedNames(gates.map(({ gate }) => gate))} fails`;
  const warn = (message: string) => emit({ kind: 'warning', message });
  if (result === null) return warn(`Your branch is red without ${task.id}: ${fails}.`);
  const { taskId, number } = result;
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
      `Your earlier work on this task landed, and ${fails} since then, so it was reverted. Do the task again so that these pass.`,
      ...gates.map(({ output }) => fenced(output)),
    ].join('\n\n'),
  };
  store.commit(() => [
    { type: 'task_reopened', taskIds: [taskId], reason },
    { type: 'feedback_added', entry },
  ]);
  try {
    await tracker.setStatus(taskId, 'open');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    warn(`${taskId} could not be opened again in the task list: ${error.message}`);
  }
  warn(`${taskId} is open again: ${reason}.`);
}
