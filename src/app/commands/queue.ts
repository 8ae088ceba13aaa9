import { snakeKeys } from 'ralph-kit/snake-keys';
import { agentAvailability, queueOf } from '../../decide/index.ts';
import { controlOf } from '../../domain/records/run-control.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { systemClock } from '../../io/clock.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inTaskList, type ProjectInput, type TaskList } from '../setup/workspace.ts';
import { activeIn } from './running/control-run.ts';
import { namedTasks } from './tasks.ts';

export type QueueResult = DataOf<typeof queue>;

export function queue(input: ProjectInput) {
  return inTaskList(input, (list) => {
    const places = placesIn(list);
    return success({
      run: activeIn(list.project)?.run ?? null,
      queue: places.map((one) => snakeKeys(one)),
      /** Number of tasks that are on your branch, or that you accepted. */
      done: list.tasks.length - places.length,
    });
  });
}

export function placesIn({ project, tasks }: TaskList) {
  const { store, workplace, config } = project;
  const { state } = store;
  const { worktree } = workplace;
  const active = activeIn(project);
  const run = state.runs.findLast((one) => one.run === active?.run);
  const now = systemClock().now();
  return queueOf({
    state,
    tasks,
    worktree,
    now,
    run:
      active === null
        ? null
        : {
            workers: run?.workers ?? 1,
            control: controlOf(state, active.run),
            availability: {
              agents: [
                ...agentAvailability(state, [run?.agent ?? config.loop.agent, ...config.loop.fallback]),
              ],
              now,
              maxWaitSeconds: config.loop.max_wait,
              runUntil: null,
            },
          },
  });
}

export type HoldInput = ProjectInput & {
  /** Id or number (from 1) of a task. */
  readonly task: string;
  readonly off: boolean;
};

export type HoldResult = DataOf<typeof hold>;

/** Holds a task back: it isn't started, and its result doesn't land, until you release it. */
export function hold({ task: name, off, ...input }: HoldInput) {
  return inTaskList(input, (list) => {
    const found = placeOf(list, name);
    if (!found.ok) return found;
    const { id, title, place } = found;
    const { store } = list.project;
    const already = taskStateOf(store.state, id).held === !off;
    if (!off && place === null) return failure(`${id} is done, and nothing of it waits.`, 'ralph queue');
    if (off && already) return failure(`${id} isn't held back.`, 'ralph queue');
    if (!already)
      store.commit(() => [{ type: 'queue_changed', taskIds: [id], change: off ? 'released' : 'held' }]);
    store.writeViews();
    const running = activeIn(list.project) !== null;
    return success({ id, title, held: !off, already, was: place?.kind ?? null, running });
  });
}

export type FirstResult = DataOf<typeof first>;

/** Puts a task before all others, whatever their priority. Tasks that it depends on still come first. */
export function first({ task: name, off, ...input }: HoldInput) {
  return inTaskList(input, (list) => {
    const found = placeOf(list, name);
    if (!found.ok) return found;
    const { id, title, place } = found;
    const { store } = list.project;
    const isFirst = store.state.first.includes(id);
    if (off && !isFirst) return failure(`${id} wasn't put first.`, 'ralph queue');
    if (!off && (place === null || place.kind === 'verified' || place.kind === 'landing'))
      return failure(`${id} is done.`, 'ralph queue');
    if (!off && place?.kind === 'blocked')
      return failure(`${id} is blocked, so it can't go first.`, `ralph queue retry ${id}`);
    store.commit(() => [{ type: 'queue_changed', taskIds: [id], change: off ? 'put_back' : 'put_first' }]);
    store.writeViews();
    const after = list.tasks.find((one) => one.id === id)?.dependsOn ?? [];
    const open = after.filter((one) => list.tasks.some(({ id, status }) => id === one && status !== 'done'));
    return success({ id, title, first: !off, waits_for: open, was: place?.kind ?? null });
  });
}

/** Finds a task and its place in the queue; `place: null` means that the task is done. */
function placeOf(list: TaskList, name: string) {
  const named = namedTasks(list, [name]);
  if (!named.ok) return named;
  const [{ id, title } = { id: name, title: name }] = named.tasks;
  return { ok: true as const, id, title, place: placesIn(list).find(({ taskId }) => taskId === id) ?? null };
}
