import { resolve } from 'node:path';
import type { ConvertFormat } from 'ralph-kit/convert-formats';
import { accessCommand, whyUnwritable } from 'ralph-kit/files/access-command';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { lstatOrNull } from 'ralph-kit/files/plain-file';
import { shellQuote } from 'ralph-kit/shell-quote';
import { snakeKeys } from 'ralph-kit/snake-keys';
import { firstFew } from 'ralph-kit/text';
import { convertTasks, taskFinder } from 'ralph-task-lists';
import type { NewTask, TrackerEdit } from 'ralph-task-lists/task';
import { attemptNumber } from '../../decide/index.ts';
import { isReportedDone, openIterations, type State, taskStateOf } from '../../domain/records/state.ts';
import { noTaskText, type Task } from '../../domain/task.ts';
import { systemClock } from '../../io/clock.ts';
import { acceptByYou, overlaid, showStatus } from '../../loop/index.ts';

import { listProblems } from '../doctor/checks/task-list.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { timeoutFields } from '../setup/timeout-of.ts';
import {
  continueIn,
  inTaskList,
  type ProjectInput,
  runLockHolder,
  type TaskList,
} from '../setup/workspace.ts';

export type TasksResult = DataOf<typeof tasks>;

export function tasks(input: ProjectInput) {
  return inTaskList(input, ({ project, tracker, tasks: list }) =>
    success({
      tracker: tracker.name,
      problems: listProblems(tracker, list),
      tasks: list.map((task) => {
        const state = taskStateOf(project.store.state, task.id);
        const { blocked } = state;
        return {
          id: task.id,
          title: task.title,
          status: task.status,
          problem: task.problem,
          done_by: task.status === 'done' ? snakeKeys(state.doneBy) : null,
          kind: task.kind,
          priority: task.priority,
          depends_on: task.dependsOn,
          acceptance: task.acceptance,
          ...timeoutFields(project, task),
          attempts: attemptNumber(state) - 1,
          blocked: blocked === null ? null : { reason: blocked.reason, detail: blocked.detail },
        };
      }),
    }),
  );
}

export type AcceptInput = ProjectInput & {
  /** Ids or numbers (from 1) of tasks. */
  readonly names: readonly string[];
  readonly all: boolean;
};

export type AcceptResult = DataOf<typeof acceptTasks>;

/**
 * Accepts tasks that are ticked but unverified, tasks that an agent reported as already done, and named tasks that
 * ralph tried. Accepts none if one of them isn't acceptable.
 */
export function acceptTasks(input: AcceptInput) {
  return inTaskList(input, async (list) => {
    const { store, tracker } = list.project;
    const running = runLockHolder(list.project) !== null;
    const waitsForYou = (task: Task) =>
      task.status === 'unverified' || isReportedDone(taskStateOf(store.state, task.id));
    const unverified = list.tasks.filter(waitsForYou);
    if (input.all && input.names.length > 0) {
      return failure('Name tasks, or accept all with --all.', 'ralph tasks accept --all');
    }
    if (!input.all && input.names.length === 0) {
      const ids = unverified.map(({ id }) => shellQuote(id));
      if (ids.length === 0) return failure('No task waits to be accepted.', 'ralph tasks');
      return failure(`Which tasks? Not verified: ${firstFew(ids, 10)}.`, `ralph tasks accept ${ids[0]}`);
    }
    const named = input.all ? { ok: true as const, tasks: unverified } : namedTasks(list, input.names);
    if (!named.ok) return named;
    const atWork = running ? openIterations(store.state).map(({ taskId }) => taskId) : [];
    const busy = named.tasks.find(({ id }) => atWork.includes(id));
    if (busy !== undefined)
      return failure(`An attempt at ${busy.id} is running. Nothing was changed.`, 'ralph stop');
    const other = named.tasks.filter(
      (task) => !waitsForYou(task) && (task.status === 'done' || !wasTried(store.state, task.id)),
    );
    if (other.length > 0) {
      return failure(
        `${other.map(notAcceptable).join(' ')} Only a task that is ticked and not verified, or that ralph tried, can be accepted. Nothing was changed.`,
        'ralph tasks',
      );
    }
    const ports = { store, clock: systemClock(), tracker };
    await acceptByYou(ports, named.tasks, running);
    store.writeViews();
    return success({ accepted: named.tasks.map(({ id, title }) => ({ id, title })) });
  });
}

function wasTried(state: State, taskId: string): boolean {
  const { blocked, history, ...task } = taskStateOf(state, taskId);
  return blocked !== null || [task, ...history].some(({ attempts }) => attempts.length > 0);
}

function notAcceptable({ id, status }: Task): string {
  return status === 'done' ? `${id} is done already.` : `${id} isn't ticked (${status.replace('_', ' ')}).`;
}

export type EditInput = ProjectInput & {
  readonly change:
    | { readonly kind: 'add'; readonly task: NewTask }
    | { readonly kind: 'retitle'; readonly name: string; readonly title: string }
    | { readonly kind: 'remove'; readonly names: readonly string[] };
};

export type EditResult = DataOf<typeof editTasks>;

/** Edits the task list through ralph, so that the edit counts at once and is possible during a run. */
export function editTasks({ change, ...input }: EditInput) {
  return inTaskList({ ...input, owner: 'list' }, async (list) => {
    const { tracker, store } = list.project;
    const planned = plannedEdits(list, change);
    if (!planned.ok) return planned;
    const remarks = await tracker.edit(planned.edits);
    const loaded = await tracker.load();
    if (!loaded.ok) return failure(loaded.message, loaded.next ?? 'ralph doctor');
    store.writeViews();
    const ids = change.kind === 'add' ? [loaded.tasks.at(-1)?.id ?? ''] : planned.ids;
    // An edit may cause problems elsewhere, such as a dependency on a removed task.
    const known = new Set(listProblems(list.tracker, list.tasks).map(({ message }) => message));
    const problems = listProblems(loaded, overlaid(loaded, store.state))
      // An edit moves lines, so that only the messages are compared.
      .filter(({ message }) => !known.has(message))
      .map(({ place, message }) => `${place}: ${message}`);
    const needs = new Map(list.tasks.map(({ id, dependsOn }) => [id, dependsOn]));
    // A removed task takes the dependencies on it along.
    const freed = loaded.tasks.flatMap(({ id, dependsOn }) => {
      // A reference that couldn't be removed stays as the list spells it.
      const left = dependsOn.map((one) => one.toLowerCase());
      const from = (needs.get(id) ?? []).filter(
        (one) => ids.includes(one) && !left.includes(one.toLowerCase()),
      );
      return change.kind === 'remove' && from.length > 0 ? [{ id, from }] : [];
    });
    const titlesIn = (tasks: readonly Task[]) => new Map(tasks.map(({ id, title }) => [id, title]));
    const [before, now] = [titlesIn(list.tasks), titlesIn(loaded.tasks)];
    return success({
      change: change.kind,
      tracker: list.tracker.name,
      running: runLockHolder(list.project) !== null,
      problems: [...problems, ...remarks],
      freed,
      tasks: ids.map((id) => {
        const was = before.get(id) ?? null;
        return { id, title: now.get(id) ?? was ?? '', was };
      }),
    });
  });
}

function plannedEdits(
  list: TaskList,
  change: EditInput['change'],
): { readonly ok: true; readonly edits: readonly TrackerEdit[]; readonly ids: readonly string[] } | Failure {
  if (change.kind === 'add') {
    const depends = namedTasks(list, change.task.dependsOn);
    if (!depends.ok) return depends;
    const task = { ...change.task, dependsOn: depends.tasks.map(({ id }) => id) };
    return problemOf(change.task.title) ?? { ok: true, edits: [{ kind: 'add', task }], ids: [] };
  }
  const named = namedTasks(list, change.kind === 'retitle' ? [change.name] : change.names);
  if (!named.ok) return named;
  const ids = named.tasks.map(({ id }) => id);
  if (change.kind === 'remove')
    return { ok: true, edits: ids.map((taskId) => ({ kind: 'remove', taskId })), ids };
  const { title } = change;
  return (
    problemOf(title) ?? { ok: true, edits: ids.map((taskId) => ({ kind: 'retitle', taskId, title })), ids }
  );
}

function problemOf(title: string): Failure | null {
  return title.trim() === '' || /[\r\n]/.test(title)
    ? failure('The title of a task is one line of text.', 'ralph tasks add --help')
    : null;
}

export type ConvertInput = ProjectInput & {
  readonly to: ConvertFormat;
  /** Path of the new file; `null`: the text is returned. */
  readonly out: string | null;
};

export type ConvertResult = DataOf<typeof convert>;

export function convert({ to, out, ...input }: ConvertInput) {
  return inTaskList({ ...input, owner: 'list', asWritten: true }, async ({ tracker, tasks: list }) => {
    // Tasks that are ticked but unverified stay ticked in the converted list.
    const listed = list.map((task) => ({
      ...task,
      status: task.status === 'unverified' ? ('done' as const) : task.status,
      left: null,
    }));
    const { text, lost } = await convertTasks(listed, to, tracker.extras());
    if (out !== null) {
      const path = resolve(input.cwd, out);
      if (lstatOrNull(path) !== null)
        return failure(`${out} is there already. Nothing was changed.`, 'ralph tasks convert --help');
      try {
        writeFileAtomic(path, text);
      } catch (error) {
        return failure(
          `${out} can't be written: ${whyUnwritable(path, error)}. Nothing was changed.`,
          accessCommand(path, 'write') ?? 'ralph doctor',
          1,
        );
      }
    }
    const problems = listProblems(tracker, list);
    return success({ tracker: tracker.name, to, out, tasks: list.length, problems, lost, text });
  });
}

export type ReopenInput = ProjectInput & {
  readonly names: readonly string[];
  readonly reason: string | null;
};

export type ReopenResult = DataOf<typeof reopenTasks>;

export function reopenTasks(input: ReopenInput) {
  return inTaskList(input, async (list) => {
    const named = namedTasks(list, input.names);
    if (!named.ok) return named;
    const other = named.tasks.filter(({ status }) => status !== 'done');
    if (other.length > 0) {
      const why = other.map(({ id, status }) => `${id} isn't done (${status.replace('_', ' ')}).`).join(' ');
      return failure(`${why} Nothing was changed.`, 'ralph tasks');
    }
    const { store } = list.project;
    const ids = named.tasks.map(({ id }) => id);
    const reason = input.reason?.trim() || 'reopened by hand';
    store.commit(() => [
      { type: 'tasks_reopened', tasks: ids.map((taskId) => ({ taskId, iteration: null })), reason },
    ]);
    const warnings: string[] = [];
    const mark = await takeMarksAway(list, ids, warnings);
    store.writeViews();
    return success({
      reopened: named.tasks.map(({ id, title }) => ({ id, title })),
      reason,
      mark,
      warnings,
      next: await continueIn(list.project),
    });
  });
}

/** During a run, only the run changes marks, because it guards the list against other writers. */
async function takeMarksAway(
  { project, tracker }: TaskList,
  ids: readonly string[],
  warnings: string[],
): Promise<'taken_away' | 'left_to_the_run' | 'none'> {
  if (tracker.paths.length === 0) {
    warnings.push(`Closed issues stay closed; ralph works on ${ids.join(', ')} anyway.`);
    return 'none';
  }
  if (runLockHolder(project) !== null) return 'left_to_the_run';
  const refused = await showStatus(project, ids, 'open');
  warnings.push(...refused.map((why) => `ralph works on it anyway. ${why}`));
  return refused.length === 0 ? 'taken_away' : 'left_to_the_run';
}

export function namedTasks(
  { tasks, tracker }: TaskList,
  names: readonly string[],
): { readonly ok: true; readonly tasks: readonly Task[] } | Failure {
  const ids = tasks.map(({ id }) => id);
  const find = taskFinder(ids);
  const unknown = names.filter((name) => find(name) === null);
  if (unknown.length > 0) {
    const why = unknown.map((name) => noTaskText(name, ids, tracker.givenUp));
    return failure(`${why.join(' ')} Nothing was changed.`, 'ralph tasks');
  }
  const wanted = new Set(names.map(find));
  return { ok: true, tasks: tasks.filter(({ id }) => wanted.has(id)) };
}
