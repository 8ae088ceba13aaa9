import type { LoopContext } from './context.ts';
import { endRollback } from './perform/roll-back.ts';

/** An attempt that a dead loop left open is recorded as interrupted; it counts as no failed attempt. */
export function recoverInterrupted({ ports }: LoopContext): void {
  const open = ports.store.refresh().openIteration;
  if (open === null) return;
  ports.store.commit(() => [
    {
      type: 'iteration_interrupted',
      run: open.run,
      iteration: open.iteration,
      taskId: open.taskId,
      reason: 'the loop ended without finishing it',
    },
  ]);
  ports.emit({
    kind: 'warning',
    message: `Iteration ${open.iteration} (${open.taskId}) of run ${open.run} was cut off. It counts as no failed attempt; what it wrote is in the tree.`,
  });
}

/** A rollback that a dead loop left half done is finished; why it can't be, else `null`. */
export async function finishRollback({ ports }: LoopContext): Promise<string | null> {
  const checkpoint = ports.store.state.openRollback?.checkpoint;
  const back = await endRollback(ports);
  if (back === null) return null;
  if (back.ok === false) return back.message;
  if (back.ok === 'refused') {
    ports.emit({ kind: 'warning', message: back.reason });
    return null;
  }
  ports.emit({
    kind: 'warning',
    message: `The rollback to checkpoint ${checkpoint} was cut off and is ended now. What it replaced is kept as ${back.kept.join(', ')}.`,
  });
  return null;
}
