import { pathsOf } from '../domain/change-set.ts';
import {
  hasEndedUndone,
  isSameWorkplace,
  type OpenRollback,
  type State,
  type TaskState,
  taskStateOf,
  type WorkplaceState,
} from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { unreachable } from '../lib/unreachable.ts';
import { chargeFor } from './charge-cut-off.ts';
import type { LoopContext } from './context.ts';
import { putBackWork, uncommittedAt } from './iteration/put-back-work.ts';
import { endRollback } from './perform/roll-back.ts';
import { endSetAside, setAsideWork } from './perform/set-aside.ts';
import { endTakeUp } from './perform/take-up.ts';

/**
 * A repository that was cloned anew, or whose git threw away what nobody names any more, doesn't hold what earlier
 * attempts left in it: work begins from the tree as it is.
 */
export async function forgetLostTrees({ ports }: Pick<LoopContext, 'ports'>): Promise<void> {
  const { store, git, emit } = ports;
  const trees = await git.missingTrees(treesOf(store.refresh()));
  if (trees.length === 0) return;
  store.commit(() => [{ type: 'trees_lost', trees: [...trees] }]);
  emit({
    kind: 'warning',
    message:
      'This repository no longer holds what earlier attempts left in it, as after a fresh clone. Tasks continue from the tree as it is.',
  });
}

/** The trees that the state names. */
function treesOf({ workplaces, tasks }: State): string[] {
  const left = workplaces.flatMap(({ leftTree, verified, openRollback, checkpoints }) => [
    ...[leftTree, verified?.tree, openRollback?.tree],
    ...checkpoints.map(({ tree }) => tree),
  ]);
  const worked = Object.values(tasks).flatMap(({ series, setAside }) => {
    return [series?.tree, setAside?.base, setAside?.tree];
  });
  return [...new Set([...left, ...worked].filter((tree) => tree !== null && tree !== undefined))];
}

/**
 * Attempts that a dead loop left open in this work tree are recorded as interrupted; they don't count as failed.
 *
 * @returns whether there was one.
 */
export async function recoverInterrupted(context: LoopContext): Promise<boolean> {
  const { ports, workplace } = context;
  let found = false;
  for (const { worker, worktree, openIteration, checkpoints } of ports.store.refresh().workplaces) {
    if (openIteration === null || worktree !== workplace.worktree) continue;
    found = true;
    const { run, iteration, taskId, startedAt } = openIteration;
    const reason = 'the loop ended without finishing it';
    const { head } = await ports.git.refs();
    const agentTips = [...(await ports.git.tipsSince(startedAt))];
    const place = { worker, worktree, run, iteration, taskId };
    const cost = chargeFor(context, openIteration);
    await putBackSince(ports, checkpoints, openIteration);
    const changed = await changedSince(ports, checkpoints, iteration);
    ports.store.commit(() => [
      { type: 'iteration_interrupted', ...place, reason, cost, head, agentTips, ...changed },
    ]);
    ports.emit({
      kind: 'warning',
      message: `Iteration ${iteration} (${taskId}) of run ${run} was cut off. It counts as no failed attempt; what it wrote is in the tree.`,
    });
  }
  return found;
}

/** Uncommitted work of yours that an attempt undid whose end wasn't seen. */
async function putBackSince(
  ports: LoopContext['ports'],
  checkpoints: WorkplaceState['checkpoints'],
  { iteration, taskId }: NonNullable<WorkplaceState['openIteration']>,
): Promise<void> {
  const tree = checkpoints.find((one) => one.iteration === iteration)?.tree;
  const { series } = taskStateOf(ports.store.state, taskId);
  const now = await ports.git.snapshot();
  if (tree === undefined || series === null || tree === now.tree) return;
  const before = { ...now, tree };
  const yours = await uncommittedAt({ ports }, before, series, new Map());
  const changed = pathsOf(await ports.git.diff(before, now));
  await putBackWork({ ports }, { task: null, by: 'agent', yours, now, changed });
}

/** What changed since an attempt began whose end wasn't seen. */
async function changedSince(
  { git }: LoopContext['ports'],
  checkpoints: WorkplaceState['checkpoints'],
  iteration: number,
) {
  const after = await git.snapshot();
  const tree = checkpoints.find((one) => one.iteration === iteration)?.tree ?? after.tree;
  const changes = tree === after.tree ? null : await git.diff({ ...after, tree }, after);
  return {
    changedPaths: changes === null ? [] : pathsOf(changes),
    yours: [],
    commits: [],
    leftTree: after.tree,
  };
}

/**
 * What a dead loop left half done in the tree is finished: rollbacks, and work of ended tasks that is to be set aside or
 * applied; why that can't be, else `null`.
 */
export async function finishRestores(context: LoopContext): Promise<string | null> {
  const { ports, workplace } = context;
  const { store } = ports;
  for (const { worker, worktree, openRollback } of store.state.workplaces) {
    if (openRollback === null || worktree !== workplace.worktree) continue;
    const place = { ports, workplace: { worker, worktree } };
    const message = await finishRestore(place, openRollback);
    if (message !== null) return message;
  }
  return setAsideWhere(context, (_, task) => hasEndedUndone(task));
}

/** Work of tasks that you took out of the list would never end: it goes out of the tree, too; why it can't, else `null`. */
export async function setRemovedAside(
  context: LoopContext,
  tasks: readonly Pick<Task, 'id'>[],
): Promise<string | null> {
  const listed = new Set(tasks.map(({ id }) => id));
  return setAsideWhere(context, (id) => !listed.has(id));
}

/** Takes the work of these tasks out of the tree, where it is to go (`[loop] on_failure`); why it can't, else `null`. */
async function setAsideWhere(
  context: LoopContext,
  isOver: (id: string, task: TaskState) => boolean,
): Promise<string | null> {
  const { ports, workplace, config } = context;
  if (config.loop.on_failure === 'keep') return null;
  for (const [id, task] of Object.entries(ports.store.state.tasks)) {
    if (task.series === null || !isSameWorkplace(task.series, workplace) || !isOver(id, task)) continue;
    const ended = await setAsideWork(context, id);
    if (ended.kind === 'failed') return ended.message;
  }
  return null;
}

type Place = Pick<LoopContext, 'ports' | 'workplace'>;

async function finishRestore(place: Place, open: OpenRollback): Promise<string | null> {
  switch (open.purpose) {
    case 'rollback':
      return finishRollback(place, open);
    case 'set_aside':
      return problemOf(await endSetAside(place, open));
    case 'take_up':
      return problemOf(await endTakeUp(place, open));
    default:
      return unreachable(open.purpose);
  }
}

async function finishRollback(place: Place, { checkpoint }: OpenRollback): Promise<string | null> {
  const { emit } = place.ports;
  const back = await endRollback(place);
  if (back?.kind === 'failed') return back.message;
  if (back?.kind === 'refused') emit({ kind: 'warning', message: back.reason });
  if (back?.kind === 'done')
    emit({
      kind: 'warning',
      message: `The rollback to checkpoint ${checkpoint} was cut off and is ended now. What it replaced is kept as ${back.kept.join(', ')}.`,
    });
  return null;
}

type Ended = Awaited<ReturnType<typeof endSetAside>> | Awaited<ReturnType<typeof endTakeUp>>;

function problemOf(ended: Ended): string | null {
  return ended.kind === 'failed' ? ended.message : null;
}
