import { isBlocked, unblockRecords } from '../../decide/index.ts';
import { openRequestsOf } from '../../domain/human/state.ts';
import { StoreError } from '../../domain/ports.ts';
import type { Unblocking } from '../../domain/records/blocked.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { releaseCommand } from '../../domain/work-place.ts';
import { systemClock } from '../../io/clock.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { loadTasks, reconcileTracker } from '../../loop/index.ts';
import { waitingForBlocked } from '../../respond/blocked/index.ts';
import { taskFinder } from '../../tasks/index.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import {
  type BlockedTask,
  blockedTasks,
  type ChosenTasks,
  filtered,
  namesOf,
} from '../setup/blocked-tasks.ts';
import { readTiming, timingWarnings } from '../setup/unblock-timing.ts';
import { inTaskList, type ProjectInput, runningHere, type TaskList } from '../setup/workspace.ts';

export type UnblockInput = ProjectInput & {
  /** Ids or 1-based numbers. */
  readonly tasks: readonly string[];
  readonly filter: string | null;
  /** Seconds or a duration, as typed. */
  readonly timeout: string | null;
  readonly timeoutMultiplier: string | null;
  readonly reason: string | null;
  /** Without the work that is kept. */
  readonly fresh: boolean;
};

export type UnblockResult = DataOf<typeof unblock>;

/** What the history says where you gave no reason. */
const NO_REASON = 'unblocked by hand';

/** `ralph unblock`: gives blocked and waiting tasks a fresh series of attempts. All of them, or none where one cannot be. */
export async function unblock(input: UnblockInput) {
  const timing = readTiming('unblock', input);
  if (!timing.ok) return timing;
  return inTaskList(input, async (list) => {
    const chosen = choose(list, input);
    if (!chosen.ok) return chosen;
    const warnings: string[] = [];
    const reason = input.reason?.trim() || NO_REASON;
    const unblockings = chosen.chosen.map(({ task, facts }): Unblocking => {
      const timeoutSeconds = timing.timeoutFor(facts.blocked?.attempts ?? []);
      warnings.push(...timingWarnings(facts, timeoutSeconds, input.timeoutMultiplier));
      return { taskId: task.id, strategy: null, reason, timeoutSeconds, guidance: null };
    });
    const failed = record(list, unblockings, input.fresh);
    if (failed !== null) return failed;
    const mark = await takeMarksAway(list, warnings);
    list.project.store.writeViews();
    const unblocked = chosen.chosen.map(({ task, facts, reason: blockReason }, index) => ({
      id: task.id,
      title: task.title,
      block_reason: blockReason,
      attempts: facts.blocked?.attempts.length ?? 0,
      timeout_seconds: unblockings[index]?.timeoutSeconds ?? null,
    }));
    return success({ unblocked, reason, mark, warnings });
  });
}

function choose(list: TaskList, { tasks: names, filter }: UnblockInput): ChosenTasks | Failure {
  const blocked = blockedTasks(list, { waiting: true });
  if (filter !== null && names.length > 0) {
    return failure('Name tasks or give a filter, not both.', 'ralph unblock --help');
  }
  if (filter !== null) return filtered(blocked, filter, list);
  if (names.length === 0) {
    return failure(
      `Which task? Name one, or several with --filter. ${namesOf(blocked)}`,
      'ralph blocked --suggest',
    );
  }
  const ids = list.tasks.map(({ id }) => id);
  const find = taskFinder(ids);
  const chosen = new Map<string, BlockedTask>();
  const problems: string[] = [];
  for (const name of names) {
    const id = find(name);
    const found = blocked.find(({ task }) => task.id === id);
    const [request] = id === null ? [] : openRequestsOf(list.project.store.state.human, id);
    if (id === null) problems.push(`There is no task ${name}.${didYouMean(name, ids)}`);
    else if (request !== undefined)
      problems.push(`${id} waits for your decision: ralph approvals decide ${request.id}.`);
    else if (found === undefined) problems.push(notBlocked(list, id));
    else chosen.set(id, found);
  }
  if (problems.length === 0) return { ok: true, chosen: [...chosen.values()] };
  return failure(`${problems.join(' ')} Nothing was changed. ${namesOf(blocked)}`, 'ralph blocked --suggest');
}

function notBlocked({ project, tasks }: TaskList, id: string): string {
  if (taskStateOf(project.store.state, id).held)
    return `${id} isn't blocked; you hold it back: ${releaseCommand(id)}.`;
  const waits = waitingForBlocked(tasks).find((one) => one.id === id);
  if (waits !== undefined) return `${id} isn't blocked itself; it waits for ${waits.waitsFor.join(', ')}.`;
  const status = tasks.find((task) => task.id === id)?.status ?? 'open';
  return `${id} isn't blocked (it is ${status.replace('_', ' ')}).`;
}

/** In one transaction; another process may have been faster. */
function record(
  { project, tracker }: TaskList,
  unblockings: readonly Unblocking[],
  fresh: boolean,
): Failure | null {
  const listed = tracker.tasks;
  let gone: readonly string[] = [];
  project.store.commit((state) => {
    gone = unblockings.map(({ taskId }) => taskId).filter((id) => !isBlocked(state, listed, id));
    if (gone.length > 0) return [];
    return unblockRecords(unblockings, { listed, automatic: false, fresh, now: systemClock().now() });
  });
  if (gone.length === 0) return null;
  return failure(`${gone.join(', ')}: not blocked any more. Nothing was changed.`, 'ralph blocked');
}

/**
 * Takes the marks out of the task list. While a run is active that is left to it: what is written into the list while an
 * agent works could not be distinguished from the agent's own changes.
 */
export async function takeMarksAway(
  { project, tracker }: TaskList,
  warnings: string[],
): Promise<'taken_away' | 'left_to_the_run' | 'none'> {
  const marked = tracker.tasks.filter(({ id, status }) => status === 'blocked' && isStale(project, id));
  if (marked.length === 0) return 'none';
  if (tracker.paths.length === 0) {
    warnings.push(
      `The label stays on ${marked.map(({ id }) => id).join(', ')}; ralph ignores it from now on.`,
    );
    return 'none';
  }
  if (runningHere(project) !== null) return 'left_to_the_run';
  try {
    const loaded = await loadTasks({ ports: project });
    if (loaded.ok) await reconcileTracker({ ports: project, config: project.config }, loaded.tracker, false);
    return loaded.ok ? 'taken_away' : 'left_to_the_run';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    warnings.push(`The mark is still in ${tracker.name}; ralph ignores it: ${error.message}`);
    return 'left_to_the_run';
  }
}

function isStale({ store }: TaskList['project'], id: string): boolean {
  return Object.hasOwn(store.state.tasks, id) && store.state.tasks[id]?.staleMark === 'blocked';
}
