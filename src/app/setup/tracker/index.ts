import { isDeepStrictEqual } from 'node:util';
import { accessCommand } from 'ralph-kit/files/access-command';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { whyUnreadable } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { own } from 'ralph-kit/own';
import {
  addPlan,
  editTrackerText,
  idsAfter,
  isSameTask,
  isService,
  type ParsedTracker,
  parseTracker,
  readOnce,
  setTrackerStatus,
  setTrackerStatuses,
} from 'ralph-task-lists';
import type { TaskIdentity, TrackerEdit } from 'ralph-task-lists/task';
import { commitsMayExplain, isDoneHere } from '../../../decide/index.ts';
import type { Config } from '../../../domain/config.ts';
import type { Entry } from '../../../domain/entry.ts';
import { type Store, StoreError, type Tracker } from '../../../domain/ports.ts';
import type { Explained } from '../../../domain/records/marks.ts';
import { taskStateOf } from '../../../domain/records/state.ts';
import type { Task } from '../../../domain/task.ts';
import { olderTakeCommand } from '../../../domain/work-place.ts';
import { systemClock } from '../../../io/clock.ts';
import { ownWrite } from '../../../io/watch-files.ts';
import { type FileSettings, type FoundTracker, findTracker, otherTrackers } from './find-tracker.ts';
import { leftAlone } from './left-alone.ts';
import {
  explainedByCommits,
  type Found,
  filesOf,
  type HistoryPlace,
  marksTakenBack,
  readerOf,
  tickCommits,
} from './list-commits.ts';
import { changedFiles } from './list-text.ts';
import { openServiceTracker, unlessRefused } from './service-tracker.ts';

export type TrackerOptions = HistoryPlace & { readonly config: Config['tracker'] };

/** Opens the configured tracker: a file that each call reads anew, or the issues of a service. */
export function openTracker(options: TrackerOptions): Tracker {
  const { root, store, config } = options;
  const { kind } = config;
  if (isService(kind)) return openServiceTracker(kind, root, store, config);
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
      const { format, problems, lineOf, holdsBlocked, givenUp, extras } = parsed;
      const now = systemClock().now();
      const commits = await tickCommits(options, config, found, parsed.tasks);
      const tasks = parsed.tasks.map((task): Task => {
        const of = commits.get(task.id);
        return of === undefined
          ? leftAlone(task, config.skip_assigned, now)
          : { ...task, left: { kind: 'ticked', of } };
      });
      const { name, path, sha256 } = found;
      const source = { kind: config.kind, path: name };
      return {
        ok: true,
        format,
        name,
        paths: [path],
        holdsBlocked,
        holdsDone: true,
        source,
        sha256,
        tasks,
        problems,
        lineOf,
        extras,
        givenUp,
        replacing: parsed.replacing,
        takenBack: await marksTakenBack(options, config, found, parsed),
      };
    },
    show: unlessRefused(async (taskId, status) => {
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
      const isThere = edited.text === text && status !== 'open';
      if (isThere && known?.unmarked !== true) return;
      write(found, edited.text);
      const digest = isThere ? null : sha256(edited.text);
      const marked = status === 'open' ? {} : { marked: taskId };
      store.commit(({ takenBack: before }) => {
        const takenBack = before.filter((id) => id !== taskId);
        return [{ type: 'tracker_accepted', sha256: digest, reopened: [], opened, ...marked, takenBack }];
      });
    }),
    // Those who follow a file see its changes, so no comment is needed.
    comment: async () => undefined,
    edit: async (edits) => {
      const found = await find();
      if (!found.ok) throw new StoreError(found.message);
      const { name, reader } = found;
      let { text } = found;
      let ids = [...store.state.rememberedIds];
      const identities: Record<string, TaskIdentity> = {};
      const remarks: { readonly taskId: string; readonly text: string }[] = [];
      for (const edit of edits) {
        const edited = editTrackerText(text, name, reader, ids, edit);
        if (!edited.ok) throw new StoreError(refusalOf(edit, edits.length, edited.message));
        text = edited.text;
        remarks.push(...edited.remarks);
        if (edit.kind !== 'add') ids = idsAfter(ids, edit);
        const known = edit.kind === 'retitle' ? own(store.state.tasks, edit.taskId)?.identity : null;
        if (edit.kind === 'retitle' && known != null)
          identities[edit.taskId] = { ...known, title: edit.title };
      }
      write(found, text);
      const accepted = { type: 'tracker_accepted', sha256: sha256(text), ids, ...NOTHING_ELSE } as const;
      store.commit(() => [Object.keys(identities).length > 0 ? { ...accepted, identities } : accepted]);
      const removed = new Set(edits.map((edit) => (edit.kind === 'remove' ? edit.taskId : null)));
      return remarks.filter(({ taskId }) => !removed.has(taskId)).map((remark) => remark.text);
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

type Readable = Extract<ParsedTracker, { ok: true }>;
type Unreadable = Extract<ParsedTracker, { ok: false }>;

/** @param edits Number of edits that are made together. */
function refusalOf(edit: TrackerEdit, edits: number, message: string): string {
  return edits > 1 && edit.kind === 'remove'
    ? `${edit.taskId} can't be removed, so that none was: ${message}`
    : message;
}

const NOTHING_ELSE = { reopened: [], opened: null, takenBack: null };

/**
 * Compares the list's tasks with those on record, by id. `replaced`: ids that now belong to another task. `replacing`:
 * the same, while a copy still has work of the earlier task. `identities`: changed identities to record, without those
 * of `replacing`.
 */
function learnt(parsed: Readable, state: Store['state']) {
  const replaced: string[] = [];
  const replacing: string[] = [];
  const identities: Record<string, TaskIdentity> = {};
  for (const [id, now] of parsed.identities) {
    const known = own(state.tasks, id);
    if (known === undefined || isDeepStrictEqual(known.identity, now)) continue;
    const isOther = known.identity !== null && !isSameTask(known.identity, now);
    if (isOther && known.series !== null) {
      replacing.push(id);
      continue;
    }
    if (isOther) replaced.push(id);
    identities[id] = now;
  }
  return { replaced, replacing, identities };
}

/**
 * Reads the list with the newest remembered ids, and records changed ids and identities. If nothing can be written, as
 * in a box, the changes stay unrecorded until a ralph outside of the box reads the list.
 */
function rememberIds(
  found: Found,
  store: Store,
): (Readable & { readonly replacing: readonly string[] }) | Unreadable {
  const { text, name, reader } = found;
  const parse = (known: Store['state']['rememberedIds']) => parseTracker(text, name, reader, known);
  let parsed = parse(store.state.rememberedIds);
  if (!parsed.ok) return parsed;
  const hasSameIds = isDeepStrictEqual(parsed.remembered, store.state.rememberedIds);
  const { replacing, identities } = learnt(parsed, store.state);
  if (hasSameIds && Object.keys(identities).length === 0) return { ...parsed, replacing };
  try {
    store.commit((state) => {
      parsed = parse(state.rememberedIds);
      return parsed.ok ? entriesFor(parsed, state) : [];
    });
  } catch (error) {
    if (!hasSameIds || !(error instanceof StoreError)) throw error;
  }
  return parsed.ok ? { ...parsed, replacing: learnt(parsed, store.state).replacing } : parsed;
}

/** Returns entries that record the list's ids and identities; empty if nothing changed. */
function entriesFor(parsed: Readable, state: Store['state']): Entry[] {
  const { replaced, identities } = learnt(parsed, state);
  const ids = parsed.remembered;
  const isNew = Object.keys(identities).length > 0;
  if (!isNew && isDeepStrictEqual(ids, state.rememberedIds)) return [];
  return [
    {
      type: 'tracker_accepted',
      sha256: null,
      ids,
      ...NOTHING_ELSE,
      ...(replaced.length > 0 ? { replaced } : {}),
      ...(isNew ? { identities } : {}),
    },
    ...replaced.flatMap((id): Entry[] => {
      const { identity, attempts, blocked, setAside } = taskStateOf(state, id);
      if (attempts.length === 0 && blocked === null && setAside === null) return [];
      const work = setAside === null ? '' : ` The old one's work is kept: ${olderTakeCommand(id, setAside)}`;
      const message = `${id} is another task now; it was "${identity?.title ?? ''}". It begins anew.${work}`;
      return [{ type: 'warned', message }];
    }),
  ];
}

/** Writes a changed list: the file, or the changed files of a folder. */
function write(found: Found, after: string): void {
  const { name, text: before } = found;
  try {
    for (const { path, text } of changedFiles(found.path, before, after)) {
      // The journal records the new text next. Its own sync makes sure that the renamed file is on the disk.
      ownWrite([found.path], () => writeFileAtomic(path, text, { durability: 'content' }));
    }
  } catch (error) {
    throw new StoreError(`${name} cannot be written: ${whyUnreadable(error)}.`, {
      next: accessCommand(found.path, 'write'),
    });
  }
}
