import { type PolicyStop, spentUntil } from '../../domain/policy.ts';
import type { Task } from '../../domain/task.ts';
import type { LoopContext } from '../context.ts';
import { budgetLimits } from '../policy-facts.ts';
import { commitMarks } from './commit-marks.ts';
import { writeHandOff } from './hand-off.ts';
import { publish } from './publish.ts';

type Why = {
  readonly why: 'tasks' | 'time' | 'stop';
  /** A policy's reason to stop the run; `null`: the run continues. */
  readonly stop: PolicyStop | null;
};

/** Saves unfinished work outside of your branch. Verified work is already committed (`[git] commit`). */
export async function takeCheckpoint(
  context: LoopContext,
  tasks: readonly Task[],
  { why, stop }: Why,
): Promise<void> {
  const { ports, run } = context;
  const { git, work, store, clock } = ports;
  const { tree } = await work.git.snapshot();
  const saved = await git.keep(tree, `policy checkpoint of ${run}`, 'saved');
  const spent = spentUntil(store.state.policy.budget, clock.now());
  store.commit(() => [
    { type: 'checkpoint_taken', run, why, saved, spent, limits: budgetLimits(context.config) },
  ]);
  await context.turns.exclusive(() => commitMarks(context));
  // The end of a run pushes in any case.
  if (why !== 'stop') await publish(context, { tasks, end: null });
  writeHandOff(context, tasks, stop);
}
