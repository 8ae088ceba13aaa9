import { isAbsolute, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { commitsMayExplain, explainMarks, type Marks, markName } from '../../../decide/index.ts';
import type { Config } from '../../../domain/config.ts';
import {
  type FileHistory,
  type HistoryQuery,
  type Store,
  StoreError,
  type Tracker,
} from '../../../domain/ports.ts';
import type { Explained } from '../../../domain/records/marks.ts';
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
      store.commit(() => [{ type: 'tracker_accepted', sha256: digest, reopened: [], opened }]);
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
      store.commit(() => [
        { type: 'ids_remembered', ids },
        { type: 'tracker_accepted', sha256: sha256(edited.text), reopened: [], opened: null },
      ]);
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
        { type: 'ids_remembered', ids: [...added.remembered] },
        { type: 'tracker_accepted', sha256: sha256(added.text), reopened: [], opened: null },
      ]);
      return added.ids;
    },
    marks: async (ids) => {
      const found = await find();
      if (!found.ok) return [];
      const { rememberedIds } = store.state;
      const edit = async (text: string) =>
        withStatus(
          ids,
          'done',
          { ...found, text, reader: await readerOf(text, found, config) },
          rememberedIds,
        );
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

/** The text with this status for tasks, as far as it holds them. */
function withStatus(
  ids: readonly string[],
  status: TrackedStatus,
  { text, name, reader }: Found,
  remembered: readonly RememberedId[],
): string {
  return ids.reduce((now, id) => {
    const edited = setTrackerStatus(now, name, reader, remembered, id, status);
    return edited.ok ? edited.text : now;
  }, text);
}

/** The file of a list; of a folder those that say of these tasks that they are done. */
function filesOf(found: Found, ids: readonly string[], remembered: readonly RememberedId[]): string[] {
  if (!found.isFolder) return [found.path];
  const before = withStatus(ids, 'open', found, remembered);
  return changedFiles(found.path, before, found.text).map(({ path }) => path);
}

/** Starts git: called only where a mark could be explained by a commit. */
async function explainedByCommits(
  { root, store, history }: TrackerOptions,
  config: FileSettings,
  list: Found,
  tasks: readonly Task[],
): ReturnType<Tracker['explain']> {
  const { heads, rememberedIds } = store.state;
  const name = list.isFolder ? relative(root, list.path) : list.name;
  // A file outside of the repository is in no commit.
  if (history === undefined || heads.known === null || isAbsolute(list.name)) return [];
  const found = await history({ path: name, since: heads.known });
  if (found === null) return [];
  const marksOf = async (text: string | null): Promise<Marks> => {
    if (text === null) return new Set();
    const parsed = parseTracker(text, name, await readerOf(text, list, config), rememberedIds);
    return new Set(parsed.ok ? parsed.tasks.filter(({ status }) => status === 'done').map(markName) : []);
  };
  const marksOfAll = (texts: readonly string[]) => Promise.all(texts.map(marksOf));
  const explained = explainMarks(tasks.map(markName), {
    head: await marksOf(found.head),
    since: await marksOf(found.since),
    versions: await Promise.all(
      found.versions.map(async ({ commit, author, text, parents }) => ({
        ...{ commit, author },
        ...{ marks: await marksOf(text), parents: await marksOfAll(parents) },
      })),
    ),
  });
  const at = systemClock().now();
  return tasks.flatMap((task) => {
    const from = explained.get(markName(task));
    if (from === undefined) return [];
    return [{ taskId: task.id, doneBy: { kind: 'commit', ...from, title: task.title, at } }];
  });
}

/** Parses with the newest memory of ids, and commits that memory when the file has changed it. */
function rememberIds(found: Found, store: Store): ParsedTracker {
  const { text, name, reader } = found;
  const parse = (known: Store['state']['rememberedIds']) => parseTracker(text, name, reader, known);
  let parsed = parse(store.state.rememberedIds);
  if (!parsed.ok || isDeepStrictEqual(parsed.remembered, store.state.rememberedIds)) return parsed;
  store.commit((state) => {
    parsed = parse(state.rememberedIds);
    if (!parsed.ok || isDeepStrictEqual(parsed.remembered, state.rememberedIds)) return [];
    return [{ type: 'ids_remembered', ids: parsed.remembered }];
  });
  return parsed;
}

/** Writes what another text has otherwise: the file, or those of a folder. */
function write(found: Found, after: string): void {
  const { name, text: before } = found;
  try {
    for (const { path, text } of changedFiles(found.path, before, after)) {
      // The journal takes the new text up next, and forces the name to the disk with its own record.
      ownWrite(found.path, () => writeFileAtomic(path, text, { durability: 'content' }));
    }
  } catch (error) {
    throw new StoreError(
      `${name} cannot be written (${errorCode(error)}): check its permissions and the disk, then run again`,
    );
  }
}
