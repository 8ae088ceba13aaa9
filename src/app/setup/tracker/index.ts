import { isAbsolute, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  commitsMayExplain,
  explainMarks,
  isTakenBack,
  markName,
  type Statuses,
} from '../../../decide/index.ts';
import type { Config } from '../../../domain/config.ts';
import {
  type FileHistory,
  type HistoryQuery,
  type Store,
  StoreError,
  type Tracker,
} from '../../../domain/ports.ts';
import type { Explained, TakenBack } from '../../../domain/records/marks.ts';
import { isService, type RememberedId, type Task, type TrackedStatus } from '../../../domain/task.ts';
import { systemClock } from '../../../io/clock.ts';
import { writeFileAtomic } from '../../../io/files/atomic-file.ts';
import { ownWrite } from '../../../io/files/watch-files.ts';
import { sha256 } from '../../../io/ids.ts';
import { own } from '../../../lib/own.ts';
import {
  addPlan,
  editTrackerText,
  isDoneHere,
  type ParsedTracker,
  parseTracker,
  readOnce,
  setTrackerStatus,
  setTrackerStatuses,
  type TrackerReader,
  trackerReader,
} from '../../../tasks/index.ts';
import {
  errorCode,
  type FileSettings,
  type FoundTracker,
  findTracker,
  otherTrackers,
} from './find-tracker.ts';
import { openGithubTracker } from './github-tracker.ts';
import { changedFiles } from './list-text.ts';
import { openTicketTracker } from './ticket-tracker.ts';

export type TrackerOptions = {
  /** Absolute folder of the repository. */
  readonly root: string;
  readonly store: Store;
  readonly config: Config['tracker'];
  /** What commits hold of a file; absent: no commit explains a mark. */
  readonly history?: (query: HistoryQuery) => Promise<FileHistory | null>;
};

/** The tracker that the configuration names: a file, read anew at each call, or the issues of a service. */
export function openTracker(options: TrackerOptions): Tracker {
  const { root, store, config } = options;
  const { kind } = config;
  if (kind === 'github') return openGithubTracker(root, store, config, () => systemClock().now());
  if (isService(kind)) return openTicketTracker(kind, store, config);
  return openFileTracker(options, { ...config, kind });
}

function openFileTracker(options: TrackerOptions, config: FileSettings): Tracker {
  const { root, store } = options;
  const once = readOnce();
  const find = async (): Promise<FoundTracker> => {
    const found = await findTracker(root, config, store.state);
    return found.ok ? { ...found, reader: once(found.reader) } : found;
  };
  return {
    load: async () => {
      const found = await find();
      if (!found.ok) return found;
      const parsed = rememberIds(found, store);
      if (!parsed.ok) return parsed;
      const { format, tasks, problems, lineOf, holdsBlocked } = parsed;
      const { name, path, sha256 } = found;
      const source = { kind: config.kind, path: name };
      return {
        ...{ ok: true, format, name, paths: [path], holdsBlocked, holdsDone: true },
        ...{ source, sha256, tasks, problems, lineOf },
        takenBack: await marksTakenBack(options, config, found, parsed),
      };
    },
    setStatus: async (taskId, status) => {
      const found = await find();
      if (!found.ok) throw new StoreError(found.message);
      const { text, name, reader } = found;
      const { rememberedIds } = store.state;
      const known = own(store.state.tasks, taskId);
      const isRenamed = (title: string) =>
        status === 'done' && known?.doneBy != null && !isDoneHere({ title }, known);
      const edited = setTrackerStatus(text, name, reader, rememberedIds, taskId, status, isRenamed);
      if (!edited.ok) throw new StoreError(edited.message);
      const opened = status === 'open' ? taskId : null;
      if (edited.text === text && status !== 'open') return;
      write(found, edited.text);
      const digest = sha256(edited.text);
      store.commit(({ takenBack: before }) => {
        const takenBack = before.filter((id) => id !== taskId);
        return [{ type: 'tracker_accepted', sha256: digest, reopened: [], opened, takenBack }];
      });
    },
    // Whoever follows a file sees it change.
    comment: async () => undefined,
    edit: async (edit) => {
      const found = await find();
      if (!found.ok) throw new StoreError(found.message);
      const { name, text, reader } = found;
      const { rememberedIds } = store.state;
      const edited = editTrackerText(text, name, reader, rememberedIds, edit);
      if (!edited.ok) throw new StoreError(edited.message);
      write(found, edited.text);
      // A task that is known by its title keeps its id under another one.
      const ids = rememberedIds.map((one) =>
        edit.kind === 'retitle' && one.id === edit.taskId ? { ...one, title: edit.title } : one,
      );
      store.commit(() => [{ type: 'tracker_accepted', sha256: sha256(edited.text), ids, ...NOTHING_ELSE }]);
    },
    addPlan: async (plan, only) => {
      const found = await find();
      if (!found.ok) throw new StoreError(found.message);
      const { name, text, reader } = found;
      const added = addPlan(text, name, reader, store.state.rememberedIds, plan);
      if (!added.ok) throw new StoreError(added.message);
      if (only === 'try') return added.ids;
      write(found, added.text);
      store.commit(() => [
        {
          ...({ type: 'tracker_accepted', sha256: sha256(added.text), ...NOTHING_ELSE } as const),
          ids: [...added.remembered],
        },
      ]);
      return added.ids;
    },
    marks: async (ids) => {
      const found = await find();
      if (!found.ok) return [];
      const { rememberedIds } = store.state;
      const edit = async (text: string) =>
        setTrackerStatuses(text, found.name, await readerOf(text, found, config), rememberedIds, ids, 'done');
      return filesOf(found, ids, rememberedIds).map((path) => ({ path, edit }));
    },
    explain: async (tasks, running) => {
      if (running || !config.trust_commits || !commitsMayExplain(store.state)) return [];
      const found = await find();
      if (!found.ok) return [];
      const ids = tasks.map(({ id }) => id);
      const explained: Explained[] = [];
      for (const path of filesOf(found, ids, store.state.rememberedIds))
        explained.push(...(await explainedByCommits(options, config, { ...found, path }, tasks)));
      return explained;
    },
    others: async () => {
      const found = await find();
      return found.ok ? otherTrackers(root, config, found.path, store.state) : [];
    },
  };
}

type Found = FoundTracker & { readonly ok: true };

function readerOf(
  text: string,
  { name, isFolder }: Found,
  { kind, label }: FileSettings,
): Promise<TrackerReader> {
  return trackerReader(text, name, isFolder ? 'backlog' : kind, label);
}

/** The file of a list; of a folder those that another status of these tasks changes. */
function filesOf(
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

/** Starts git: called only where a mark could be explained by a commit. */
async function explainedByCommits(
  options: TrackerOptions,
  config: FileSettings,
  list: Found,
  tasks: readonly Task[],
): ReturnType<Tracker['explain']> {
  const { store } = options;
  const found = await historyOf({ options, config, list }, store.state.heads.known);
  if (found === null) return [];
  const marksOf = (listed: readonly Task[]) =>
    new Set(listed.filter(({ status }) => status === 'done').map(markName));
  const explained = explainMarks(tasks.map(markName), {
    head: marksOf(found.head),
    since: marksOf(found.since),
    versions: found.versions.map(({ commit, author, tasks, parents }) => ({
      ...{ commit, author, marks: marksOf(tasks), parents: parents.map(marksOf) },
    })),
  });
  const at = systemClock().now();
  return tasks.flatMap((task) => {
    const from = explained.get(markName(task));
    if (from === undefined) return [];
    return [{ taskId: task.id, doneBy: { kind: 'commit', ...from, title: task.title, at } }];
  });
}

/** Starts git only where a task is done or blocked and its mark is missing from a list that isn't as ralph left it, or was when it did. */
async function marksTakenBack(
  options: TrackerOptions,
  config: FileSettings,
  found: Found,
  { tasks, holdsBlocked }: { readonly tasks: readonly Task[]; readonly holdsBlocked: boolean },
): Promise<readonly TakenBack[]> {
  const { state } = options.store;
  const isAccepted = found.sha256 === state.trackerSha256;
  const back: TakenBack[] = [];
  const read = new Map<string, ReturnType<typeof historyOf>>();
  for (const { id: taskId, title, status } of tasks) {
    const known = own(state.tasks, taskId);
    if (known === undefined || status === 'done' || status === 'blocked') continue;
    const isDone = isDoneHere({ title }, known);
    if (!isDone && (known.blocked === null || !holdsBlocked)) continue;
    if (isAccepted && !state.takenBack.includes(taskId)) continue;
    const mark = isDone ? 'done' : 'blocked';
    const [path = found.path] = filesOf(found, [taskId], state.rememberedIds, 'done');
    const key = `${path}\0${known.settledAt}`;
    const reading =
      read.get(key) ?? historyOf({ options, config, list: { ...found, path } }, known.settledAt);
    read.set(key, reading);
    const history = await reading;
    if (history === null) continue;
    const head = statusesOf(history.head);
    const versions = history.versions.map(({ tasks, parents }) => ({
      ...{ statuses: statusesOf(tasks), parents: parents.map(statusesOf) },
    }));
    if (isTakenBack({ taskId, mark }, status, { head, versions })) back.push({ taskId, mark });
  }
  return back;
}

function statusesOf(tasks: readonly Task[]): Statuses {
  return new Map(tasks.map(({ id, status }) => [id, status]));
}

/** The tasks that commits hold of a file, `FileHistory`; `null`: that isn't known, or the file is in none. */
async function historyOf(
  { options, config, list }: { options: TrackerOptions; config: FileSettings; list: Found },
  since: string | null,
) {
  const { root, store, history } = options;
  const name = list.isFolder ? relative(root, list.path) : list.name;
  // A file outside of the repository is in no commit.
  if (history === undefined || since === null || isAbsolute(list.name)) return null;
  const found = await history({ path: name, since });
  if (found === null) return null;
  const { rememberedIds } = store.state;
  const tasksOf = async (text: string | null): Promise<readonly Task[]> => {
    if (text === null) return [];
    const parsed = parseTracker(text, name, await readerOf(text, list, config), rememberedIds);
    return parsed.ok ? parsed.tasks : [];
  };
  return {
    head: await tasksOf(found.head),
    since: await tasksOf(found.since),
    versions: await Promise.all(
      found.versions.map(async ({ commit, author, text, parents }) => ({
        ...{ commit, author, tasks: await tasksOf(text) },
        parents: await Promise.all(parents.map(tasksOf)),
      })),
    ),
  };
}

const NOTHING_ELSE = { reopened: [], opened: null, takenBack: null };

/** Parses with the newest memory of ids, and commits that memory when the file has changed it. */
function rememberIds(found: Found, store: Store): ParsedTracker {
  const { text, name, reader } = found;
  const parse = (known: Store['state']['rememberedIds']) => parseTracker(text, name, reader, known);
  let parsed = parse(store.state.rememberedIds);
  if (!parsed.ok || isDeepStrictEqual(parsed.remembered, store.state.rememberedIds)) return parsed;
  store.commit((state) => {
    parsed = parse(state.rememberedIds);
    if (!parsed.ok || isDeepStrictEqual(parsed.remembered, state.rememberedIds)) return [];
    return [{ type: 'tracker_accepted', sha256: null, ids: parsed.remembered, ...NOTHING_ELSE }];
  });
  return parsed;
}

/** Writes what another text has otherwise: the file, or those of a folder. */
function write(found: Found, after: string): void {
  const { name, text: before } = found;
  try {
    for (const { path, text } of changedFiles(found.path, before, after)) {
      // The journal takes the new text up next, and forces the name to the disk with its own record.
      ownWrite([found.path], () => writeFileAtomic(path, text, { durability: 'content' }));
    }
  } catch (error) {
    throw new StoreError(
      `${name} cannot be written (${errorCode(error)}): check its permissions and the disk, then run again`,
    );
  }
}
