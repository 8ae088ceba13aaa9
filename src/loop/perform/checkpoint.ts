import { redact } from 'ralph-kit/redact';
import { onOneLine, stripControl } from 'ralph-kit/text';
import { type PolicyStop, spentUntil } from '../../domain/policy.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { countTasks, type Task } from '../../domain/task.ts';
import { controlCenter } from '../../tell/index.ts';
import type { LoopContext } from '../context.ts';
import { budgetLimits } from '../policy-facts.ts';
import { commitMarks } from './commit-marks.ts';
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
  writeHandOff(context, tasks, { saved, spent, stop });
}

function writeHandOff(
  { ports, run, config, secrets }: LoopContext,
  tasks: readonly Task[],
  { saved, spent, stop }: { saved: string; spent: ReturnType<typeof spentUntil>; stop: PolicyStop | null },
): void {
  const { store, clock } = ports;
  const { state } = store;
  const runSummary = state.runs.findLast((one) => one.run === run);
  const named = (ids: readonly string[]) =>
    ids.map((id) => oneLineOf(tasks.find((task) => task.id === id) ?? { id, title: '' }));
  const where = (test: (task: Task) => boolean) => tasks.filter(test).map(oneLineOf);
  const text = controlCenter({
    at: clock.now(),
    run,
    spent,
    saved,
    stop,
    tasks: countTasks(tasks),
    done: named(runSummary?.done ?? []),
    blocked: where(({ status }) => status === 'blocked'),
    waiting: where(({ status }) => status === 'parked' || status === 'unverified'),
    current: where(({ id }) => taskStateOf(state, id).inProgress)[0] ?? null,
    limits: budgetLimits(config),
    quality: state.policy.quality,
    incidents: state.incidents,
  });
  store.writeDocument('control-center.md', redact(stripControl(text), secrets));
}

function oneLineOf({ id, title }: Pick<Task, 'id' | 'title'>): string {
  return onOneLine(`${id}: ${title}`);
}
