import { redact } from 'ralph-kit/redact';
import { onOneLine, stripControl } from 'ralph-kit/text';
import { type PolicyStop, spentUntil } from '../../domain/policy.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { countTasks, type Task } from '../../domain/task.ts';
import { controlCenter } from '../../tell/index.ts';
import type { LoopContext } from '../context.ts';
import { budgetLimits, continueNow } from '../policy-facts.ts';

type Place = Pick<LoopContext, 'config' | 'secrets'> & {
  readonly ports: Pick<LoopContext['ports'], 'store' | 'clock'>;
};

/**
 * Writes `.ralph/control-center.md` by the state and tasks as they are now, if a checkpoint was ever taken.
 * @param stop A policy's reason to stop the run that isn't on record yet; by default, the one on record
 */
export function writeHandOff(
  { ports: { store, clock }, config, secrets }: Place,
  tasks: readonly Task[],
  stop: PolicyStop | null = store.state.policy.stop,
): void {
  const state = { ...store.state, policy: { ...store.state.policy, stop } };
  const { checkpoint, quality, budget } = state.policy;
  const run = state.runs.at(-1);
  if (checkpoint.saved === null || run === undefined) return;
  const named = (ids: readonly string[]) =>
    ids.map((id) => oneLineOf(tasks.find((task) => task.id === id) ?? { id, title: '' }));
  const where = (test: (task: Task) => boolean) => tasks.filter(test).map(oneLineOf);
  const now = clock.now();
  const text = controlCenter({
    at: now,
    run: run.run,
    spent: spentUntil(budget, run.endedAt === null ? now : (budget.activeAt ?? now)),
    saved: checkpoint.saved,
    stop,
    tasks: countTasks(tasks),
    done: named(run.done),
    blocked: where(({ status }) => status === 'blocked'),
    waiting: where(({ status }) => status === 'parked' || status === 'unverified'),
    current: where(({ id }) => taskStateOf(state, id).inProgress)[0] ?? null,
    limits: budgetLimits(config),
    quality,
    continues: continueNow({ config, state, tasks, now }),
  });
  store.writeDocument('control-center.md', redact(stripControl(text), secrets));
}

function oneLineOf({ id, title }: Pick<Task, 'id' | 'title'>): string {
  return onOneLine(`${id}: ${title}`);
}
