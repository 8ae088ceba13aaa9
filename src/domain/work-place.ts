import { shellQuote } from '../lib/shell-quote.ts';
import type { RunSummary } from './records/run-summary.ts';
import { openIterations, type State, taskStateOf } from './records/state.ts';

/** Where the work of a task is that isn't on your branch, and the one command that gets it. */
export type WorkPlace =
  /** Verified; it waits. */
  | { readonly kind: 'lands'; readonly command: string }
  /** Nothing of it is in your checkout, whatever ended its attempts. `paths`: what it changes, as far as that is on record. */
  | { readonly kind: 'kept'; readonly command: string; readonly paths: readonly string[] }
  | { readonly kind: 'none' };

/** Where the work of a task is. Reports, the screen, the page and messages all go by this. */
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
  // An attempt that was cut off left what it did in the copy, and no record of it yet.
  const isOpen = openIterations(state).some((one) => one.taskId === taskId);
  if (setAside === null) return isOpen ? { kind: 'kept', command, paths: [] } : { kind: 'none' };
  return { kind: 'kept', command, paths: setAside.paths };
}

/** The same as a sentence without its full stop, so that the command can be pasted; `null`: there is no such work. */
export function workText(place: WorkPlace): string | null {
  if (place.kind === 'none') return null;
  return place.kind === 'kept' ? keptText(place.command) : `Its work is verified: ${place.command}`;
}

/** What is said of work that isn't verified, whatever ended its attempt. @param command `takeCommand` */
export function keptText(command: string): string {
  return `Its work is kept: ${command}`;
}

/** `ralph take` for a shell. @param attempt Its number within the current series, from 1; absent: the newest work. */
export function takeCommand(taskId: string, attempt?: number): string {
  return taskCommand(attempt === undefined ? 'take' : `take --attempt ${attempt}`, taskId);
}

/** The command that brings a verified result to your branch. */
export function landCommand(taskId: string): string {
  return taskCommand('land', taskId);
}

/** The command that lets a task continue that you hold back. */
export function releaseCommand(taskId: string): string {
  return taskCommand('queue hold', taskId, '--off');
}

/** A command about a task for a shell, whatever the id looks like. @param options words behind the id, quoted */
export function taskCommand(name: string, taskId: string, ...options: readonly string[]): string {
  const id = shellQuote(taskId);
  // An id that begins with a dash would be read as an option.
  const words = taskId.startsWith('-') ? [...options, '--', id] : [id, ...options];
  return ['ralph', name, ...words].join(' ');
}

type Waiting = RunSummary['skippedCommits'][number];

/** Verified results that wait, as they were when it was last tried to land them; what you released since lands next. */
export function waitingResults(
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
