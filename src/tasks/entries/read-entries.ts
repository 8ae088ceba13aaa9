import { EMPTY_TASK, NEW_TASK_FIELDS, type NewTask } from '../../domain/task.ts';
import { counted } from '../../lib/counted.ts';
import { isObject } from '../../lib/is-object.ts';
import { firstFew } from '../../lib/text.ts';
import { nextId } from '../assign-ids.ts';
import { isGivenUp, shown } from '../task-fields.ts';
import type { Draft, Reading, ReadProblem, Splice, Written } from '../tracker-format.ts';
import { keyFor, keysOf, readEntry, titleKey } from './read-entry.ts';
import {
  type KeyChange,
  planStatus,
  readStatus,
  readStyle,
  type StatusDefaults,
  type StatusStyle,
  type TaskEntry,
} from './status-plan.ts';

/** The keys of a file's outer object that may hold its tasks, the strongest first. */
export const LIST_KEYS = ['stories', 'userStories', 'user_stories', 'tasks'] as const;

type FoundList =
  | {
      readonly ok: true;
      /** The keys that lead to the list; none where the file is nothing but the list. */
      readonly keys: readonly string[];
      readonly items: readonly unknown[];
      /** The other lists of the file, by their tags, with the number of their tasks. */
      readonly others: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** The tag of task-master whose tasks are read where nothing else is said. */
const FIRST_TAG = 'master';

/**
 * The list of tasks in a file's data: bare, under one of `LIST_KEYS`, which may stand under `prd`, or under one of several tags, as
 * task-master has them.
 *
 * @param tag The one to take; empty: `master`, else the first that has tasks.
 */
export function findList(root: unknown, path: string, tag: string): FoundList {
  if (Array.isArray(root)) return { ok: true, keys: [], items: root, others: [] };
  const object = isObject(root) ? root : {};
  const plain = listIn(object) ?? listIn(object.prd, ['prd']);
  if (plain !== null) return { ok: true, ...plain, others: [] };
  const tagged = Object.keys(object).flatMap((key) => {
    const list = listIn(object[key], [key]);
    return list === null || list.keys.at(-1) !== 'tasks' ? [] : [{ key, ...list }];
  });
  const chosen =
    tag === ''
      ? (tagged.find(({ key, items }) => key === FIRST_TAG && items.length > 0) ??
        tagged.find(({ items }) => items.length > 0) ??
        tagged[0])
      : tagged.find(({ key }) => key === tag);
  if (chosen !== undefined) {
    const others = tagged.filter(({ key, items }) => key !== chosen.key && items.length > 0);
    const named = others.map(({ key, items }) => `${key} (${counted(items.length, 'task')})`);
    return { ok: true, keys: chosen.keys, items: chosen.items, others: named };
  }
  const keys = Object.keys(object).map(shown).join(', ');
  const found = isObject(root) ? `the keys ${keys || '(none)'}` : shown(root);
  const expected =
    tag === '' || tagged.length === 0
      ? 'expected a list under "tasks", "stories" or "userStories"'
      : `[tracker] label = ${shown(tag)} isn't one of its tags`;
  return { ok: false, message: `${path} has no task list: ${expected}, found ${found}` };
}

function listIn(value: unknown, keys: readonly string[] = []) {
  if (Array.isArray(value) && keys.length > 0 && keys[0] === 'prd') return { keys, items: value };
  if (!isObject(value)) return null;
  for (const key of LIST_KEYS) {
    const items = value[key];
    if (Array.isArray(items)) return { keys: [...keys, key], items };
  }
  return null;
}

/** The splices that change one task or the list, by places in it; `null` where that can't be done safely. */
export type EntryEditor = {
  /** `part`: the place of one of the task's parts, which is changed instead. */
  readonly keys: (place: number, changes: readonly KeyChange[], part?: number) => readonly Splice[] | null;
  readonly text: (place: number, key: string, value: string) => readonly Splice[] | null;
  readonly add: (entry: TaskEntry) => readonly Splice[] | null;
  readonly remove: (place: number) => readonly Splice[] | null;
};

/** Makes a reading of a list of tasks; `lineOf` gives the 1-based line of an item, or of the first of these keys of it. */
export function readEntries(
  format: string,
  { items, others }: { readonly items: readonly unknown[]; readonly others?: readonly string[] },
  defaults: StatusDefaults,
  lineOf: (place: number, keys: readonly string[]) => number | null,
  editor: EntryEditor,
): Reading {
  const drafts: Draft[] = [];
  const entries: TaskEntry[] = [];
  const places: number[] = [];
  const problems: ReadProblem[] = [];
  if (others !== undefined && others.length > 0) {
    const message = `other lists of this file aren't worked on: ${firstFew(others, 5)}; [tracker] label names the one to take`;
    problems.push({ line: null, message, of: null });
  }
  const givenUp: string[] = [];
  items.forEach((item, place) => {
    if (isObject(item) && isGivenUp(item.status)) {
      givenUp.push(readEntry(item, place + 1).draft.explicitId ?? String(place + 1));
      return;
    }
    const of = drafts.length;
    places.push(place);
    if (!isObject(item)) {
      const message = `task ${place + 1}: expected an object, found ${shown(item)}`;
      problems.push({ line: lineOf(place, []), message, of });
      drafts.push({ explicitId: null, task: { ...EMPTY_TASK, title: `Task ${place + 1}` } });
      entries.push({});
      return;
    }
    const { draft, problems: slips } = readEntry(item, place + 1);
    const name = draft.explicitId ?? String(place + 1);
    for (const { key, message } of slips)
      problems.push({ line: lineOf(place, [key]), message: `task ${name}: ${message}`, of });
    drafts.push(draft);
    entries.push(item);
  });
  if (givenUp.length > 0) {
    const message = `${counted(givenUp.length, 'task')} (${firstFew(givenUp, 8)}) given up by the list's own word aren't worked on`;
    problems.push({ line: null, message, of: null });
  }
  const style = readStyle(entries, defaults);
  return {
    format,
    drafts,
    problems,
    lineOf: (index, field) => lineOf(places[index] ?? index, field === null ? [] : keysOf(field)),
    holdsBlocked: style.blockedKey !== null && style.words.get('blocked') !== null,
    write: (index, status): Written => {
      const entry = entries[index] ?? {};
      const place = places[index] ?? index;
      const changes = planStatus(entry, style, status);
      if (changes === null) return { kind: 'not_held' };
      const own = editor.keys(place, changes);
      const parts = status === 'done' ? openParts(entry) : [];
      const ofParts = parts.map(({ at, part }) =>
        editor.keys(place, planStatus(part, style, 'done') ?? [], at),
      );
      return written(
        [own, ...ofParts].some((one) => one === null) ? null : [own, ...ofParts].flatMap((one) => one ?? []),
      );
    },
    edit: (edit) => {
      if (edit.kind === 'add') return written(editor.add(newEntry(entries, drafts, style, edit.task)));
      const place = places[edit.index] ?? edit.index;
      if (edit.kind === 'remove') return written(editor.remove(place));
      const key = titleKey(entries[edit.index] ?? {});
      return written(key === null ? null : editor.text(place, key, edit.title));
    },
  };
}

/** Parts of a task that say a status of their own which isn't done: they are done with it. */
function openParts({ subtasks }: TaskEntry): { readonly at: number; readonly part: TaskEntry }[] {
  if (!Array.isArray(subtasks)) return [];
  return subtasks.flatMap((part: unknown, at) =>
    isObject(part) &&
    typeof part.status === 'string' &&
    readStatus(part).status !== 'done' &&
    !isGivenUp(part.status)
      ? [{ at, part }]
      : [],
  );
}

function written(splices: readonly Splice[] | null): Written {
  return splices === null
    ? { kind: 'failed', message: 'it has no place of its own in the file' }
    : { kind: 'splices', splices };
}

/** A new task with the names of keys that the others have. */
function newEntry(
  entries: readonly TaskEntry[],
  drafts: readonly Draft[],
  style: StatusStyle,
  task: NewTask,
): TaskEntry {
  const { title, priority, dependsOn, acceptance } = task;
  const id = entries.length === 0 ? null : nextId(drafts.map(({ explicitId }) => explicitId));
  const isNumber = entries.some((entry) => typeof entry[keyFor(entries, 'id')] === 'number');
  return {
    ...(id === null ? {} : { [keyFor(entries, 'id')]: isNumber ? Number(id) : id }),
    [keyFor(entries, 'title')]: title,
    ...(priority === null ? {} : { [keyFor(entries, 'priority')]: priority }),
    ...(dependsOn.length === 0 ? {} : { [keyFor(entries, 'dependsOn')]: dependsOn }),
    ...(acceptance.length === 0 ? {} : { [keyFor(entries, 'acceptance')]: acceptance }),
    ...Object.fromEntries(
      NEW_TASK_FIELDS.filter((field) => (task[field]?.length ?? 0) > 0).map((field) => [
        keyFor(entries, field),
        task[field],
      ]),
    ),
    ...(style.keptKeys.has(style.doneKey)
      ? { [style.doneKey]: style.doneKey === 'status' ? (style.words.get('open') ?? 'open') : false }
      : {}),
  };
}

/** A file with nothing in it: no tasks, and a hint. */
export function emptyReading(format: string): Reading {
  return {
    format,
    drafts: [],
    problems: [{ line: null, message: 'the file is empty', of: null }],
    lineOf: () => null,
    holdsBlocked: false,
    write: () => ({ kind: 'not_held' }),
    edit: () => ({ kind: 'failed', message: 'the file is empty' }),
  };
}
