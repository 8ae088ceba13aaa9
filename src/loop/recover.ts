import { pathsOf } from '../domain/change-set.ts';
import { hasEndedUndone, type State, type WorkplaceState } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { chargeFor } from './charge-cut-off.ts';
import type { LoopContext } from './context.ts';
import { keepWork } from './perform/keep-work.ts';
import { endRollback } from './perform/roll-back.ts';

/**
 * Drops facts about trees that a fresh clone or git's garbage collection removed. Work then starts from the current
 * tree.
 */
export async function forgetLostTrees({ ports }: Pick<LoopContext, 'ports'>): Promise<void> {
  const { store, git } = ports;
  const trees = await git.missingTrees(treesOf(store.refresh()));
  if (trees.length === 0) return;
  store.commit(() => [{ type: 'trees_lost', trees: [...trees] }]);
}

function treesOf({ workplaces, tasks }: State): string[] {
  const left = workplaces.flatMap(({ leftTree, openRollback, checkpoints }) => [
    ...[leftTree, openRollback?.tree],
    ...checkpoints.map(({ tree }) => tree),
  ]);
  const worked = Object.values(tasks).flatMap(({ series, setAside }) => {
    return [series?.tree, setAside?.base, setAside?.tree];
  });
  return [...new Set([...left, ...worked].filter((tree) => tree !== null && tree !== undefined))];
}

/**
 * Records attempts that a dead loop left open. They don't count as failed, and their work stays in the copy for the
 * next attempt.
 * @returns whether there was one
 */
export async function recoverInterrupted(context: LoopContext): Promise<boolean> {
  const { ports, workplace } = context;
  let found = false;
  for (const { worker, worktree, openIteration, checkpoints } of ports.store.refresh().workplaces) {
    if (openIteration === null || worktree !== workplace.worktree) continue;
    found = true;
    const { run, iteration, taskId } = openIteration;
    const reason = 'the loop ended without finishing it';
    const { head } = await ports.git.refs();
    const place = { worker, worktree, run, iteration, taskId };
    const cost = chargeFor(context, openIteration);
    const work = ports.git.work(worker);
    const changed = await changedSince(work, checkpoints, { iteration, taskId });
    ports.store.commit(() => [{ type: 'iteration_interrupted', ...place, reason, cost, head, ...changed }]);
  }
  return found;
}

async function changedSince(
  work: LoopContext['ports']['work'],
  checkpoints: WorkplaceState['checkpoints'],
  { iteration, taskId }: { readonly iteration: number; readonly taskId: string },
) {
  const tree = checkpoints.find((one) => one.iteration === iteration)?.tree ?? null;
  if (work.base()?.taskId !== taskId) return { changedPaths: [], leftTree: tree };
  const after = await work.git.snapshot();
  if (tree === null || tree === after.tree) return { changedPaths: [], leftTree: after.tree };
  const changes = await work.git.diff({ ...after, tree }, after);
  return { changedPaths: pathsOf(changes), leftTree: after.tree };
}

/** Keeps prepared results whose verdict is on record, and drops all others. */
export async function keepPrepared({
  ports: { store, line },
}: {
  readonly ports: Pick<LoopContext['ports'], 'store' | 'line'>;
}): Promise<void> {
  const { tasks } = store.refresh();
  await line.keepPrepared((taskId) => tasks[taskId]?.doneBy?.kind === 'verdict');
}

export async function finishLeft(context: LoopContext): Promise<void> {
  const { ports, workplace } = context;
  const { store, git } = ports;
  for (const { worker, worktree, openRollback: open } of store.state.workplaces) {
    if (open === null || worktree !== workplace.worktree) continue;
    const place = { ports: { ...ports, work: git.work(worker) }, workplace: { worker, worktree } };
    const finished = await endRollback({ ...context, ...place });
    if (finished !== null)
      store.commit([{ type: 'warned', message: 'A rollback was cut off and is finished now.' }]);
  }
  for (const [id, task] of Object.entries(store.state.tasks))
    if (hasEndedUndone(task)) await keepWork(context, id, 'ended');
}

/** Keeps the work of tasks that you removed from the list, because their series would never end otherwise. */
export async function keepRemoved(context: LoopContext, tasks: readonly Pick<Task, 'id'>[]): Promise<void> {
  const listed = new Set(tasks.map(({ id }) => id));
  for (const [id, { series }] of Object.entries(context.ports.store.state.tasks))
    if (series !== null && !listed.has(id)) await keepWork(context, id, 'ended');
}
