import type { LoopContext } from './context.ts';
import { endRollback } from './perform/roll-back.ts';

/**
 * Attempts that a dead loop left open in this work tree are recorded as interrupted; they don't count as failed.
 *
 * @returns whether there was one.
 */
export async function recoverInterrupted({ ports, workplace }: LoopContext): Promise<boolean> {
  let found = false;
  for (const { worker, worktree, openIteration } of ports.store.refresh().workplaces) {
    if (openIteration === null || worktree !== workplace.worktree) continue;
    found = true;
    const { run, iteration, taskId, startedAt } = openIteration;
    const reason = 'the loop ended without finishing it';
    const { head } = await ports.git.refs();
    const agentTips = [...(await ports.git.tipsSince(startedAt))];
    const place = { worker, worktree, run, iteration, taskId };
    ports.store.commit(() => [{ type: 'iteration_interrupted', ...place, reason, head, agentTips }]);
    ports.emit({
      kind: 'warning',
      message: `Iteration ${iteration} (${taskId}) of run ${run} was cut off. It counts as no failed attempt; what it wrote is in the tree.`,
    });
  }
  return found;
}

/** Rollbacks that a dead loop left half done in this work tree are finished; why one can't be, else `null`. */
export async function finishRollbacks({ ports, workplace }: LoopContext): Promise<string | null> {
  for (const { worker, worktree, openRollback } of ports.store.state.workplaces) {
    if (openRollback === null || worktree !== workplace.worktree) continue;
    const back = await endRollback({ ports, workplace: { worker, worktree } });
    if (back?.kind === 'failed') return back.message;
    if (back?.kind === 'refused') ports.emit({ kind: 'warning', message: back.reason });
    if (back?.kind !== 'done') continue;
    ports.emit({
      kind: 'warning',
      message: `The rollback to checkpoint ${openRollback.checkpoint} was cut off and is ended now. What it replaced is kept as ${back.kept.join(', ')}.`,
    });
  }
  return null;
}
