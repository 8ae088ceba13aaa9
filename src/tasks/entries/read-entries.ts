import { EMPTY_TASK, type NewTask } from '../../domain/task.ts';
import { isObject } from '../../lib/is-object.ts';
import { nextId } from '../assign-ids.ts';
import { shown } from '../task-fields.ts';
import type { Draft, Reading, ReadProblem, Splice, Written } from '../tracker-format.ts';
import { keyFor, keysOf, readEntry, titleKey } from './read-entry.ts';
import { type KeyChange, planStatus, readStyle, type StatusStyle, type TaskEntry } from './status-plan.ts';

/** The keys of a file's outer object that may hold its tasks, the strongest first. */
export const LIST_KEYS = ['stories', 'userStories', 'user_stories', 'tasks'] as const;

type FoundList =
  | { readonly ok: true; readonly key: (typeof LIST_KEYS)[number] | null; readonly items: readonly unknown[] }
  | { readonly ok: false; readonly message: string };

/** The list of tasks in a file's data, and the key that holds it: `null` where the file is nothing but the list. */
export function findList(root: unknown, path: string): FoundList {
  if (Array.isArray(root)) return { ok: true, key: null, items: root };
  const object = isObject(root) ? root : {};
  for (const key of LIST_KEYS) {
    const items = object[key];
    if (Array.isArray(items)) return { ok: true, key, items };
  }
  const keys = Object.keys(object).map(shown).join(', ');
  const found = isObject(root) ? `the keys ${keys || '(none)'}` : shown(root);
  const message = `${path} has no task list: expected a list under "tasks", "stories" or "userStories", found ${found}`;
  return { ok: false, message };
}

/** The splices that change one task or the list, by places in it; `null` where that can't be done safely. */
export type EntryEditor = {
  readonly keys: (place: number, changes: readonly KeyChange[]) => readonly Splice[] | null;
  readonly text: (place: number, key: string, value: string) => readonly Splice[] | null;
  readonly add: (entry: TaskEntry) => readonly Splice[] | null;
  readonly remove: (place: number) => readonly Splice[] | null;
};

/** Makes a reading of a list of tasks; `lineOf` gives the 1-based line of an item, or of the first of these keys of it. */
export function readEntries(
  format: string,
  items: readonly unknown[],
  defaults: Pick<StatusStyle, 'doneKey' | 'blockedKey'>,
  lineOf: (place: number, keys: readonly string[]) => number | null,
  editor: EntryEditor,
): Reading {
  const drafts: Draft[] = [];
  const entries: TaskEntry[] = [];
  const places: number[] = [];
  const problems: ReadProblem[] = [];
  items.forEach((item, place) => {
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
  const style = readStyle(entries, defaults);
  return {
    format,
    drafts,
    problems,
    lineOf: (index, field) => lineOf(places[index] ?? index, field === null ? [] : keysOf(field)),
    holdsBlocked: style.blockedKey !== null,
    write: (index, status): Written => {
      const changes = planStatus(entries[index] ?? {}, style, status);
      if (changes === null) return { kind: 'not_held' };
      return written(editor.keys(places[index] ?? index, changes));
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
  { title, priority, dependsOn, acceptance }: NewTask,
): TaskEntry {
  const id = entries.length === 0 ? null : nextId(drafts.map(({ explicitId }) => explicitId));
  const isNumber = entries.some((entry) => typeof entry[keyFor(entries, 'id')] === 'number');
  return {
    ...(id === null ? {} : { [keyFor(entries, 'id')]: isNumber ? Number(id) : id }),
    [keyFor(entries, 'title')]: title,
    ...(priority === null ? {} : { [keyFor(entries, 'priority')]: priority }),
    ...(dependsOn.length === 0 ? {} : { [keyFor(entries, 'dependsOn')]: dependsOn }),
    ...(acceptance.length === 0 ? {} : { [keyFor(entries, 'acceptance')]: acceptance }),
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
