import { counted } from 'ralph-kit/counted';
import { match } from 'ralph-kit/match';
import { isService, programOf } from 'ralph-task-lists';
import type { Store } from '../../../domain/ports.ts';
import type { State } from '../../../domain/records/state.ts';
import { overlaid } from '../../../loop/index.ts';
import { commitHistory } from '../../setup/tracker/commit-history.ts';
import { openTracker } from '../../setup/tracker/index.ts';
import { withNamesChecked } from '../../setup/tracker/named-tracker.ts';
import { openList } from '../../setup/tracker/service-tracker.ts';
import { check, error, findProgram, ok, warning } from '../check.ts';
import type { Scene } from '../scene.ts';
import { isStartable, type ListProblem, listProblems, noTasks, problemFindings } from './task-list.ts';

/** Maximum number of tasks that one line names. */
const NAMED = 10;

type TrackerFacts =
  | {
      readonly kind: 'service';
      readonly id: string;
      /** Name of the list; `null`: the list can't be opened. */
      readonly name: string | null;
      /** Program that is needed and not found; `null`: there is none. */
      readonly missing: string | null;
      /** Why the list can't be opened; empty: it can. */
      readonly problem: string;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly next: string | null }
  | {
      readonly kind: 'read';
      readonly name: string;
      readonly format: string;
      readonly counts: Readonly<Record<string, number>>;
      readonly total: number;
      /** Ids of tasks that are ticked but unverified. */
      readonly unverified: readonly string[];
      /** Files that look like a task list and appeared after the first run. */
      readonly others: readonly string[];
      readonly problems: readonly ListProblem[];
      /** Whether a run has a task to start. */
      readonly canStart: boolean;
    };

/** Checks the task list as a run would read it. Issues aren't fetched, because the doctor uses no network. */
export const tasksCheck = check<TrackerFacts | null>({
  gather: readTracker,
  judge: (tracker) => {
    if (tracker === null) return [];
    return match(tracker, 'kind', {
      service: ({ id, name, missing, problem }) => {
        if (missing !== null) {
          const install = `Install ${missing}, then: ${missing} auth login`;
          return [error(id, `${missing} was not found`, '[tracker] kind needs it', install)];
        }
        if (name === null) return [error(id, 'tasks', problem, 'ralph tasks, once that is set')];
        return [ok(id, name, 'not fetched here; ralph tasks does')];
      },
      failed: (tracker) => [
        error('tasks.read', 'tasks', tracker.message, tracker.next ?? 'ralph init, or set [tracker] path.'),
      ],
      read: (tracker) => readFindings(tracker),
    });
  },
});

async function readTracker(scene: Scene): Promise<TrackerFacts | null> {
  const { root, config, configFiles, state } = scene;
  if (configFiles.problems.length > 0) return null;
  const { kind } = config.tracker;
  if (isService(kind)) {
    const program = programOf(kind);
    const opened = openList(kind, root, config.tracker);
    return {
      kind: 'service',
      id: `tasks.${kind}`,
      name: opened.ok ? opened.value.name : null,
      missing: program !== null && findProgram(program, root) === null ? program : null,
      problem: opened.ok ? '' : opened.message,
    };
  }
  const store = readOnlyStore(state);
  const tracker = withNamesChecked(
    openTracker({ root, store, config: config.tracker, history: commitHistory(root) }),
    config,
  );
  const loaded = await tracker.load();
  if (!loaded.ok) return { kind: 'failed', message: loaded.message, next: loaded.next ?? null };
  const { name, format } = loaded;
  const tasks = overlaid(loaded, state);
  const ticked = tasks.filter(({ status }) => status === 'unverified');
  // A ticked task that the next command accepts automatically, because a commit explains it, is counted as done.
  const explained = await tracker.explain(ticked, ticked.length === 0 || scene.running);
  const accepted = new Set(explained.map(({ taskId }) => taskId));
  for (const task of tasks) if (accepted.has(task.id)) task.status = 'done';
  const counts: Record<string, number> = {};
  for (const { status } of tasks) counts[status] = (counts[status] ?? 0) + 1;
  return {
    kind: 'read',
    name,
    format,
    counts,
    total: tasks.length,
    unverified: ticked.map(({ id }) => id).filter((id) => !accepted.has(id)),
    others:
      state.tracker === null
        ? []
        : (await tracker.others()).filter((other) => !state.tracker?.others.includes(other)),
    problems: listProblems(loaded, tasks),
    canStart: tasks.some(isStartable),
  };
}

function readFindings({ name, format, total, counts, ...wrong }: TrackerFacts & { kind: 'read' }) {
  const instead = `ralph works with ${name}; [tracker] path switches.`;
  const accept = 'If they are done: ralph tasks accept --all';
  const ids = wrong.unverified;
  const ticked = `${counted(ids.length, 'task')} ticked, not verified`;
  const statuses = Object.entries(counts).map(([status, count]) => `${count} ${status.replace('_', ' ')}`);
  return [
    total === 0 ? noTasks(name, wrong.problems) : ok('tasks.read', name, `${format}: ${statuses.join(', ')}`),
    ...(ids.length === 0
      ? []
      : [warning('tasks.unverified', ticked, ids.slice(0, NAMED).join(', '), accept)]),
    ...wrong.others.map((other) => warning('tasks.other', other, 'looks like a task list, too', instead)),
    ...(total === 0 ? [] : problemFindings(wrong.problems, wrong.canStart)),
  ];
}

/** Returns a store that records nothing, because reading a task list would otherwise record its ids. */
function readOnlyStore(state: State): Store {
  const nothing = (): never => {
    throw new Error('doctor does not write');
  };
  return {
    state,
    refresh: () => state,
    commit: () => state,
    follow: nothing,
    unlocked: nothing,
    acceptJournal: nothing,
    writeViews: nothing,
    iterationFolder: nothing,
    writeDocument: nothing,
    openLog: nothing,
    keepPatch: nothing,
    readDocument: () => null,
    keepWords: nothing,
    wholeWords: (entries) => entries,
    keepPrompt: nothing,
    forgetPrompt: nothing,
  };
}
