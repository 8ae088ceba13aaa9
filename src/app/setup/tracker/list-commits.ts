import { isAbsolute, relative } from 'node:path';
import { commitText } from 'ralph-kit/commit-text';
import { own } from 'ralph-kit/own';
import {
  FOLDER_KIND,
  parseTracker,
  setTrackerStatuses,
  type TrackerReader,
  trackerReader,
} from 'ralph-task-lists';
import type { RememberedId, TrackedStatus } from 'ralph-task-lists/task';
import { explainMarks, isDoneHere, isTakenBack, markName, type Statuses } from '../../../decide/index.ts';
import type { FileHistory, HistoryQuery, Store, Tracker } from '../../../domain/ports.ts';
import type { TakenBack } from '../../../domain/records/marks.ts';
import type { State } from '../../../domain/records/state.ts';
import type { Task } from '../../../domain/task.ts';
import { systemClock } from '../../../io/clock.ts';
import type { FileSettings, FoundTracker } from './find-tracker.ts';
import { changedFiles } from './list-text.ts';

/** Where to read the history of a list. */
export type HistoryPlace = {
  /** Absolute path of the repository's top folder. */
  readonly root: string;
  readonly store: Store;
  /** Returns the versions of a file in commits; absent: commits explain no marks. */
  readonly history?: (query: HistoryQuery) => Promise<FileHistory | null>;
};

/** A task list that exists and was read. */
export type Found = FoundTracker & { readonly ok: true };

export function readerOf(
  text: string,
  { name, isFolder, settings }: Found,
  { kind }: FileSettings,
): Promise<TrackerReader> {
  return trackerReader(text, name, isFolder ? FOLDER_KIND : kind, settings);
}

/** Returns the list's file; for a folder, the files that change if these tasks get another status. */
export function filesOf(
  found: Found,
  ids: readonly string[],
  remembered: readonly RememberedId[],
  other: TrackedStatus = 'open',
): string[] {
  if (!found.isFolder) return [found.path];
  const { text, name, reader } = found;
  const before = setTrackerStatuses(text, name, reader, remembered, ids, other);
  return changedFiles(found.path, before, found.text).map(({ path }) => path);
}

/** Returns the marks that commits explain. Starts git, so it is only called if a commit could explain one. */
export async function explainedByCommits(
  options: HistoryPlace,
  config: FileSettings,
  list: Found,
  tasks: readonly Task[],
): ReturnType<Tracker['explain']> {
  const { store } = options;
  const found = await historyOf({ options, config, list }, store.state.heads.known);
  if (found === null) return [];
  const explained = explainMarks(tasks.map(markName), {
    head: marksOf(found.head),
    since: marksOf(found.since),
    versions: found.versions.map(({ commit, author, tasks, parents }) => ({
      commit,
      author,
      marks: marksOf(tasks),
      parents: parents.map(marksOf),
    })),
  });
  const at = systemClock().now();
  return tasks.flatMap((task) => {
    const from = explained.get(markName(task));
    if (from === undefined) return [];
    return [{ taskId: task.id, doneBy: { kind: 'commit', ...from, title: task.title, at } }];
  });
}

/**
 * Returns tasks whose mark was removed without a commit. Starts git only for done or blocked tasks without a mark, in a
 * list that changed since ralph accepted it or lacked the mark then.
 */
export async function marksTakenBack(
  options: HistoryPlace,
  config: FileSettings,
  found: Found,
  { tasks, holdsBlocked }: { readonly tasks: readonly Task[]; readonly holdsBlocked: boolean },
): Promise<readonly TakenBack[]> {
  const { state } = options.store;
  const isAccepted = found.sha256 === state.trackerSha256;
  const back: TakenBack[] = [];
  const read = new Map<string, ReturnType<typeof historyOf>>();
  for (const { id: taskId, title, status } of tasks) {
    const taskState = own(state.tasks, taskId);
    if (taskState === undefined || status === 'done' || status === 'blocked') continue;
    if (taskState.unmarked) continue;
    const isDone = isDoneHere({ title }, taskState);
    if (!isDone && (taskState.blocked === null || !holdsBlocked)) continue;
    if (isAccepted && !state.takenBack.includes(taskId)) continue;
    const mark = isDone ? 'done' : 'blocked';
    const [path = found.path] = filesOf(found, [taskId], state.rememberedIds, 'done');
    const key = `${path}\0${taskState.settledAt}`;
    const reading =
      read.get(key) ?? historyOf({ options, config, list: { ...found, path } }, taskState.settledAt);
    read.set(key, reading);
    const history = await reading;
    if (history === null) continue;
    const head = statusesOf(history.head);
    const versions = history.versions.map(({ tasks, parents }) => ({
      statuses: statusesOf(tasks),
      parents: parents.map(statusesOf),
    }));
    if (isTakenBack({ taskId, mark }, status, { head, versions })) back.push({ taskId, mark });
  }
  return back;
}

/**
 * Returns by task the commits that brought unexplained done marks, in the form for `leftText`. Uncommitted marks are
 * left out. Starts git only if there is an unexplained mark.
 */
export async function tickCommits(
  options: HistoryPlace,
  config: FileSettings,
  found: Found,
  tasks: readonly Task[],
): Promise<ReadonlyMap<string, string>> {
  const { root, store, history } = options;
  const { tasks: known, imports, rememberedIds, runs } = store.state;
  const ticked = tasks.filter(
    (task) =>
      task.status === 'done' &&
      !imports &&
      !isDoneHere(task, own(known, task.id)) &&
      own(known, task.id)?.staleMark !== 'done',
  );
  const commits = new Map<string, string>();
  if (ticked.length === 0 || history === undefined || isAbsolute(found.name)) return commits;
  const ids = ticked.map(({ id }) => id);
  for (const path of filesOf(found, ids, rememberedIds)) {
    const name = found.isFolder ? relative(root, path) : found.name;
    const file = await history({ path: name, since: null });
    const marksIn = async (text: string | null) =>
      marksOf(await tasksIn(text, name, { list: found, config, rememberedIds }));
    const held = await marksIn(file?.head ?? null);
    let searched = ticked.filter((task) => held.has(markName(task)));
    // The newest version is read first: wanted commits are rarely old, and a long history takes seconds to read.
    for (const version of file?.versions.toReversed() ?? []) {
      if (searched.length === 0) break;
      const marks = await marksIn(version.text);
      const before = await Promise.all(version.parents.map(marksIn));
      const brought = searched.filter(
        (task) => marks.has(markName(task)) && !before.some((parent) => parent.has(markName(task))),
      );
      for (const { id } of brought) commits.set(id, tickText(version, runs));
      searched = searched.filter((task) => !brought.includes(task));
    }
  }
  return commits;
}

function tickText(version: FileHistory['versions'][number], runs: State['runs']) {
  const { at } = version;
  // Git keeps whole seconds.
  const during = runs.findLast(
    ({ startedAt, endedAt }) =>
      at + 999 >= Date.parse(startedAt) && (endedAt === null || at <= Date.parse(endedAt)),
  );
  const when = during === undefined ? '' : `, while ${during.run} was active`;
  return `${commitText(version)}${when}`;
}

function marksOf(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.filter(({ status }) => status === 'done').map(markName));
}

type ListForm = {
  readonly list: Found;
  readonly config: FileSettings;
  readonly rememberedIds: readonly RememberedId[];
};

/** Returns the tasks in a commit's text; none if it can't be read with the current format, or `text` is `null`. */
async function tasksIn(
  text: string | null,
  name: string,
  { list, config, rememberedIds }: ListForm,
): Promise<readonly Task[]> {
  if (text === null) return [];
  const parsed = parseTracker(text, name, await readerOf(text, list, config), rememberedIds);
  return parsed.ok ? parsed.tasks : [];
}

function statusesOf(tasks: readonly Task[]): Statuses {
  return new Map(tasks.map(({ id, status }) => [id, status]));
}

/** Returns the tasks in each version of a file's history; `null`: the history is unknown, or no commit has the file. */
async function historyOf(
  { options, config, list }: { options: HistoryPlace; config: FileSettings; list: Found },
  since: string | null,
) {
  const { root, store, history } = options;
  const name = list.isFolder ? relative(root, list.path) : list.name;
  // A file outside of the repository is in none of its commits.
  if (history === undefined || since === null || isAbsolute(list.name)) return null;
  const found = await history({ path: name, since });
  if (found === null) return null;
  const { rememberedIds } = store.state;
  const tasksOf = (text: string | null) => tasksIn(text, name, { list, config, rememberedIds });
  return {
    head: await tasksOf(found.head),
    since: await tasksOf(found.since),
    versions: await Promise.all(
      found.versions.map(async ({ commit, author, text, parents }) => ({
        commit,
        author,
        tasks: await tasksOf(text),
        parents: await Promise.all(parents.map(tasksOf)),
      })),
    ),
  };
}
