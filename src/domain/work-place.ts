import { shellQuote } from 'ralph-kit/shell-quote';
import type { RunSummary } from './records/run-summary.ts';
import { openIterations, type State, taskStateOf } from './records/state.ts';
import type { Task } from './task.ts';

/**
 * Where work is that isn't on your branch, with the command that gets it. `lands`: it is verified and will land;
 * `kept`: it is unverified.
 */
export type WorkPlace =
  | { readonly kind: 'lands'; readonly command: string }
  /** The work isn't in your checkout. `paths`: changed paths, as far as recorded. */
  | { readonly kind: 'kept'; readonly command: string; readonly paths: readonly string[] }
  | { readonly kind: 'none' };

/** Returns where a task's work is. Every report, screen, page and message uses this function. */
export function workPlaceOf(state: State, taskId: string): WorkPlace {
  const task = taskStateOf(state, taskId);
  if (task.doneBy !== null) {
    const waiting = state.runs.flatMap((run) => waitingResults(state, run));
    const command = waiting.findLast((one) => one.taskId === taskId)?.command;
    const isLanding = state.workplaces.some(
      ({ phase }) => phase?.name === 'landing' && phase.taskId === taskId,
    );
    if (command !== undefined || isLanding) return { kind: 'lands', command: command ?? landCommand(taskId) };
  }
  const { series, setAside } = task;
  const command = takeCommand(taskId);
  if (series !== null && series.work.length > 0) return { kind: 'kept', command, paths: series.work };
  // A running or killed attempt has work in the copy, but no record yet.
  const isOpen = openIterations(state).some((one) => one.taskId === taskId);
  if (setAside === null) return isOpen ? { kind: 'kept', command, paths: [] } : { kind: 'none' };
  return { kind: 'kept', command, paths: setAside.paths };
}

/**
 * Returns the place as a sentence without full stop, so that the command at its end can be pasted; `null`: there is no
 * work.
 */
export function workText(place: WorkPlace): string | null {
  if (place.kind === 'none') return null;
  return place.kind === 'kept' ? keptText(place.command) : `Its work is verified: ${place.command}`;
}

/**
 * Returns a sentence about unverified work, however its attempt ended.
 * @param command As returned by `takeCommand`.
 */
export function keptText(command: string): string {
  return `Its work is kept: ${command}`;
}

/**
 * Returns the `ralph take` command for a shell.
 * @param attempt Number in the current series, from 1; absent: the newest work.
 */
export function takeCommand(taskId: string, attempt?: number): string {
  return taskCommand(attempt === undefined ? 'take' : `take --attempt ${attempt}`, taskId);
}

export function landCommand(taskId: string): string {
  return taskCommand('land', taskId);
}

export function releaseCommand(taskId: string): string {
  return taskCommand('queue hold', taskId, '--off');
}

/**
 * Returns a shell command about a task, whatever its id.
 * @param options Words that follow the id, already quoted.
 */
export function taskCommand(name: string, taskId: string, ...options: readonly string[]): string {
  const id = shellQuote(taskId);
  // The command would take an id that begins with a dash for an option.
  const words = taskId.startsWith('-') ? [...options, '--', id] : [id, ...options];
  return ['ralph', name, ...words].join(' ');
}

type Waiting = RunSummary['skippedCommits'][number];

/**
 * Returns the results that wait, as of the last landing. Results that you released since are reported as landing next.
 */
function waitingResults(
  state: State,
  { skippedCommits }: Pick<RunSummary, 'skippedCommits'>,
): readonly Waiting[] {
  return skippedCommits.map((one) => {
    const isReleased =
      one.heldBy !== undefined &&
      !taskStateOf(state, one.taskId).held &&
      !taskStateOf(state, one.heldBy).held;
    if (!isReleased) return one;
    return { ...one, reason: 'it lands with the next result.', command: landCommand(one.taskId) };
  });
}

/** Returns the name for older work of a task: the task's id, `@`, and the checkpoint's number. */
export function olderName(taskId: string, checkpoint: string): string {
  return `${taskId}@${checkpoint.slice('kept/'.length)}`;
}

/** Returns the command that brings older work of a task into your checkout. */
export function olderTakeCommand(taskId: string, { checkpoint }: { readonly checkpoint: string }): string {
  return takeCommand(olderName(taskId, checkpoint));
}

/** A verified result that isn't on your branch, why, and the command that helps. */
export type WaitingResult = {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly next: string;
};

/** Returns verified results that wait, oldest first. */
export function resultsThatWait(
  state: State,
  tasks: readonly Pick<Task, 'id' | 'status' | 'title'>[],
): readonly WaitingResult[] {
  const all = state.runs.flatMap((run) => waitingResults(state, run));
  return [...new Map(all.map((one) => [one.taskId, one])).values()].flatMap(({ taskId, reason, command }) => {
    const task = tasks.find(({ id }) => id === taskId);
    return task?.status === 'done' ? [{ id: taskId, title: task.title, why: reason, next: command }] : [];
  });
}
