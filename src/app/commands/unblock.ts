import { shellQuote } from 'ralph-kit/shell-quote';
import { taskFinder } from 'ralph-task-lists';
import { isBlocked, unblockRecords } from '../../decide/index.ts';
import { openRequestsOf } from '../../domain/human/state.ts';
import { StoreError } from '../../domain/ports.ts';
import type { Unblocking } from '../../domain/records/blocked.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { noTaskText } from '../../domain/task.ts';
import { releaseCommand, taskCommand } from '../../domain/work-place.ts';
import { systemClock } from '../../io/clock.ts';
import { loadTasks, reconcileTracker } from '../../loop/index.ts';
import { waitingForBlocked } from '../../respond/blocked/index.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import {
  type BlockedTask,
  blockedTasks,
  type ChosenTasks,
  filtered,
  namesOf,
} from '../setup/blocked-tasks.ts';
import { readTiming, timingWarnings } from '../setup/unblock-timing.ts';
import {
  continueIn,
  inTaskList,
  type ProjectInput,
  runLockHolder,
  type TaskList,
} from '../setup/workspace.ts';

export type UnblockInput = ProjectInput & {
  /** Ids or numbers (from 1) of tasks. */
  readonly tasks: readonly string[];
  readonly filter: string | null;
  /** Time limit as typed: seconds, or a duration such as 30m; `null`: none. */
  readonly timeout: string | null;
  readonly timeoutMultiplier: string | null;
  readonly reason: string | null;
  /** Whether the task starts without its saved work. */
  readonly fresh: boolean;
};

export type UnblockResult = DataOf<typeof unblock>;

/** Reason on record if you give none. */
const NO_REASON = 'unblocked by hand';

/** Gives blocked and waiting tasks a new series of attempts. If one of them can't be unblocked, none is. */
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
    const mark = await removeMarks(list, warnings);
    list.project.store.writeViews();
    const unblocked = chosen.chosen.map(({ task, facts, reason: blockReason }, index) => ({
      id: task.id,
      title: task.title,
      block_reason: blockReason,
      attempts: facts.blocked?.attempts.length ?? 0,
      timeout_seconds: unblockings[index]?.timeoutSeconds ?? null,
    }));
    return success({ unblocked, reason, mark, warnings, next: await continueIn(list.project) });
  });
}

function choose(list: TaskList, { tasks: names, filter }: UnblockInput): ChosenTasks | Failure {
  const blocked = blockedTasks(list, { waiting: true });
  if (filter !== null && names.length > 0) {
    return failure('Name tasks or give a filter, not both.', 'ralph unblock --help');
  }
  if (filter !== null) return filtered(blocked, filter, list);
  if (names.length === 0) {
    return blocked.length === 0
      ? failure('No task is blocked.', 'ralph status')
      : failure(`Which task? ${namesOf(blocked)}`, 'ralph blocked --suggest');
  }
  const ids = list.tasks.map(({ id }) => id);
  const find = taskFinder(ids);
  const chosen = new Map<string, BlockedTask>();
  const problems: Refused[] = [];
  for (const name of names) {
    const id = find(name);
    const blockedTask = blocked.find(({ task }) => task.id === id);
    const [request] = id === null ? [] : openRequestsOf(list.project.store.state.human, id);
    if (id === null) problems.push([noTaskText(name, ids, list.tracker.givenUp), 'ralph tasks']);
    else if (request !== undefined)
      problems.push([`${id} waits for your decision.`, `ralph approvals show ${request.id}`]);
    else if (blockedTask === undefined) problems.push(notBlocked(list, id));
    else chosen.set(id, blockedTask);
  }
  const [first] = problems;
  if (first === undefined) return { ok: true, chosen: [...chosen.values()] };
  return failure(`${problems.map(([why]) => why).join(' ')} Nothing was changed.`, first[1]);
}

/** Why a task can't be unblocked, and the command that leads on. */
type Refused = readonly [why: string, next: string];

function notBlocked({ project, tasks }: TaskList, id: string): Refused {
  if (taskStateOf(project.store.state, id).held)
    return [`${id} isn't blocked; you hold it back.`, releaseCommand(id)];
  const waits = waitingForBlocked(tasks).find((one) => one.id === id);
  if (waits !== undefined)
    return [
      `${id} isn't blocked itself; it waits for ${waits.waitsFor.join(', ')}.`,
      'ralph blocked --suggest',
    ];
  const status = tasks.find((task) => task.id === id)?.status ?? 'open';
  const next = status === 'open' ? `ralph run --task ${shellQuote(id)}` : taskCommand('explain', id);
  return [`${id} isn't blocked; it is ${status.replace('_', ' ')}.`, next];
}

/** Records all unblocks in one transaction. Fails if another process unblocked one of the tasks first. */
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

/** During a run, only the run removes marks, because an edit while an agent works looks like the agent's own. */
export async function removeMarks(
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
  if (runLockHolder(project) !== null) return 'left_to_the_run';
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
