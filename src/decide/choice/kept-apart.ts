import { own } from 'ralph-kit/own';
import { isAtOrBelow } from 'ralph-kit/paths';
import { expectedPathsOf } from 'ralph-kit/scope/expected-paths';
import type { ChoiceFacts, Held } from '../../domain/records/choice.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';

/** Number of conflicts of a task's results after which it works alone, on the newest state. */
const MOST_CONFLICTS = 3;

export type Workpiece = {
  readonly taskId: string;
  /** Paths and globs that a task may change, relative to the top of the repository; empty: unknown. */
  readonly paths: readonly string[];
  readonly isAlone: boolean;
};

export function workpieceOf({ id, expectedPaths }: Task, state: State): Workpiece {
  const { series, setAside, attempts } = taskStateOf(state, id);
  const earlier = series?.work ?? setAside?.paths ?? [];
  const conflicts = attempts.filter(({ verdict }) => verdict === 'conflict').length;
  const { listed = [] } = expectedPathsOf({ expectedPaths }) ?? {};
  return { taskId: id, paths: [...listed, ...earlier], isAlone: conflicts >= MOST_CONFLICTS };
}

/**
 * Returns tasks that can't run beside the running ones: both may change the same files, or one of the two has to work
 * alone.
 * @param late Ids of tasks that have waited long enough for files.
 */
export function keptApart(
  tasks: readonly Workpiece[],
  working: readonly Workpiece[],
  late: ReadonlySet<string>,
): Held[] {
  const atWork = new Set(working.map(({ taskId }) => taskId));
  return tasks.flatMap(({ taskId: id, paths, isAlone }) => {
    if (atWork.has(id)) return [];
    const alone = working.find((one) => isAlone || one.isAlone);
    if (alone !== undefined) return [{ id, by: alone.taskId, paths: [] }];
    if (late.has(id)) return [];
    for (const one of working) {
      const shared = paths.filter((path) => one.paths.some((other) => mayMeet(path, other)));
      if (shared.length > 0) return [{ id, by: one.taskId, paths: shared }];
    }
    return [];
  });
}

/** Milliseconds that a task waits for files that another one may change. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** Returns when a waiting task starts in any case, ISO 8601 UTC; `null`: the task isn't waiting. */
export function startsAnyway({ keptApart: since }: Pick<State, 'keptApart'>, taskId: string): string | null {
  const began = own(since, taskId);
  return began === undefined ? null : new Date(Date.parse(began) + LONGEST_WAIT_MS).toISOString();
}

export function heldApart(
  working: readonly string[],
  tasks: readonly Task[],
  state: State,
  now: string,
): Held[] {
  if (working.length === 0) return [];
  const pieces = (all: readonly Task[]) => all.map((task) => workpieceOf(task, state));
  const open = tasks.filter(({ status }) => status === 'open' || status === 'in_progress');
  const late = open.filter(({ id }) => {
    const at = startsAnyway(state, id);
    return at !== null && Date.parse(now) >= Date.parse(at);
  });
  const atWork = tasks.filter(({ id }) => working.includes(id));
  return keptApart(pieces(open), pieces(atWork), new Set(late.map(({ id }) => id)));
}

/** Returns ids of tasks that can't start now, because they are running or have to wait for running ones. */
export function idsApart({ working, held }: ChoiceFacts['workers']): ReadonlySet<string> {
  return new Set([...working, ...held.map(({ id }) => id)]);
}

/**
 * Returns whether two paths or globs may match the same file. Only the folders before the first glob character are
 * compared.
 */
function mayMeet(one: string, other: string): boolean {
  const [a, b] = [fixedPart(one), fixedPart(other)];
  if (a === b) return true;
  const holds = (path: string, folder: string) => folder === '' || isAtOrBelow(path, folder);
  return (isGlob(one) && holds(b, a)) || (isGlob(other) && holds(a, b));
}

function isGlob(path: string): boolean {
  return /[*?[{]|\/$/.test(path);
}

function fixedPart(path: string): string {
  const at = path.search(/[*?[{]/);
  const fixed = at === -1 ? path : path.slice(0, path.lastIndexOf('/', at) + 1);
  return fixed.replace(/^\.\//, '').replace(/\/$/, '');
}
