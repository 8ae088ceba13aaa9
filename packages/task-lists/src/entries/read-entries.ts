import { counted } from 'ralph-kit/counted';
import { isObject } from 'ralph-kit/is-object';
import { firstFew } from 'ralph-kit/text';
import { nextId } from '../assign-ids.ts';
import { EMPTY_TASK, type GivenUp, NEW_TASK_FIELDS, type NewTask, wordSetting } from '../task.ts';
import { valueText } from '../task-fields.ts';
import {
  type Draft,
  NO_EXTRAS,
  type Reading,
  type ReadProblem,
  type Splice,
  type Written,
} from '../task-list.ts';
import { BUILT_IN, isGivenUp, type Words } from '../words.ts';
import { extraFields, hasValue } from './extra-fields.ts';
import { keyFor, keysOf, partsOf, readEntry, titleKey } from './read-entry.ts';
import {
  type KeyChange,
  planStatus,
  readStyle,
  type StatusDefaults,
  type StatusStyle,
  type TaskEntry,
} from './status-plan.ts';

/** An entry of a list that isn't work, such as a note or a template. */
export class PassedOver {
  /** The list's word for such an entry. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/** Keys of a file's outer object that may have the task list, the preferred one first. */
export const LIST_KEYS = ['stories', 'userStories', 'user_stories', 'tasks'] as const;

type FoundList =
  | {
      readonly ok: true;
      /** Keys that lead to the list; empty: the file is only the list. */
      readonly keys: readonly string[];
      readonly items: readonly unknown[];
      /** Other lists of the file, by their tags, with their number of tasks. */
      readonly others: readonly string[];
      /** Keys that stand beside the task list, in its object and in each object around it. */
      readonly extras: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** Tag of task-master whose tasks are read by default. */
const FIRST_TAG = 'master';

/**
 * Returns the task list in a file's data. It is the data itself, or under one of `LIST_KEYS` (maybe within `prd`), or
 * under one of several tags, as in task-master.
 *
 * @param tag Tag of the list to read; empty: `master`, otherwise the first list with tasks.
 */
export function findList(root: unknown, path: string, tag: string): FoundList {
  if (Array.isArray(root)) return { ok: true, keys: [], items: root, others: [], extras: [] };
  const object = isObject(root) ? root : {};
  const plain = listIn(object) ?? listIn(object.prd, ['prd']);
  if (plain !== null) return { ok: true, ...plain, others: [], extras: keysAround(object, plain.keys) };
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
    const extras = keysAround(object, chosen.keys).filter((name) => !tagged.some(({ key }) => key === name));
    return { ok: true, keys: chosen.keys, items: chosen.items, others: others.map(tagText), extras };
  }
  const first = tagged.find(({ items }) => items.length > 0) ?? tagged[0];
  if (first !== undefined) {
    const which = tagged.length === 1 ? 'Its tag is' : 'Its tags are';
    const message = `${path} has no tag ${valueText(tag)} ([tracker] label). ${which} ${firstFew(tagged.map(tagText), 8)}. To take one, write in .ralph/ralph.toml, under [tracker]: label = ${JSON.stringify(first.key)}`;
    return { ok: false, message };
  }
  const keys = Object.keys(object).map(valueText).join(', ');
  const found = isObject(root) ? `the keys ${keys || '(none)'}` : valueText(root);
  const expected = 'expected a list under "tasks", "stories" or "userStories"';
  return { ok: false, message: `${path} has no task list: ${expected}, found ${found}` };
}

function tagText({ key, items }: { readonly key: string; readonly items: readonly unknown[] }): string {
  return `${key} (${counted(items.length, 'task')})`;
}

function keysAround(object: Readonly<Record<string, unknown>>, keys: readonly string[]): string[] {
  const [first = '', ...inner] = keys;
  const own = Object.keys(object).filter((key) => key !== first && hasValue(object[key]));
  const value = object[first];
  return [...own, ...(isObject(value) ? keysAround(value, inner) : [])];
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

/**
 * Functions that return splices for an edit of one task or of the list, by positions in the list; `null`: the edit
 * isn't safe.
 */
export type EntryEditor = {
  /** Changes keys of an entry; with `part`, those of the subtask at that position. */
  readonly keys: (place: number, changes: readonly KeyChange[], part?: number) => readonly Splice[] | null;
  readonly text: (place: number, key: string, value: string) => readonly Splice[] | null;
  readonly add: (entry: TaskEntry) => readonly Splice[] | null;
  readonly remove: (place: number) => readonly Splice[] | null;
};

export type ListedEntries = {
  readonly items: readonly unknown[];
  readonly others?: readonly string[];
  readonly extras?: readonly string[];
};

/**
 * Returns a reading of a task list. `lineOf` returns the line, from 1, of an item or of the first of these keys in it.
 */
export function readEntries(
  format: string,
  { items, others = [], extras = [] }: ListedEntries,
  defaults: StatusDefaults,
  lineOf: (place: number, keys: readonly string[]) => number | null,
  editor: EntryEditor,
  knownWords: Words = BUILT_IN,
): Reading {
  const drafts: Draft[] = [];
  const entries: TaskEntry[] = [];
  const places: number[] = [];
  const problems: ReadProblem[] = [];
  if (others.length > 0) {
    const message = `other lists of this file aren't worked on: ${firstFew(others, 5)}; [tracker] label names the one to take`;
    problems.push({ line: null, message, of: null });
  }
  const givenUp: GivenUp[] = [];
  items.forEach((item, place) => {
    if (item instanceof PassedOver) return;
    if (isObject(item) && isGivenUp(item.status, knownWords)) {
      const id = readEntry(item, place + 1, knownWords).draft.explicitId ?? String(place + 1);
      givenUp.push({ id, word: String(item.status) });
      return;
    }
    const of = drafts.length;
    places.push(place);
    if (!isObject(item)) {
      const message = `task ${place + 1}: expected an object, found ${valueText(item)}`;
      problems.push({ line: lineOf(place, []), message, of });
      drafts.push({ explicitId: null, task: { ...EMPTY_TASK, title: `Task ${place + 1}` } });
      entries.push({});
      return;
    }
    const { draft, problems: slips } = readEntry(item, place + 1, knownWords);
    const name = draft.explicitId ?? String(place + 1);
    for (const { key, message } of slips)
      problems.push({ line: lineOf(place, [key]), message: `task ${name}: ${message}`, of });
    drafts.push(draft);
    entries.push(item);
  });
  const notWork = items.flatMap((item) => (item instanceof PassedOver ? [item.what] : []));
  if (notWork.length > 0) {
    const kinds = [...new Set(notWork)].map(
      (kind) => `${kind} (${notWork.filter((one) => one === kind).length})`,
    );
    const message = `${counted(notWork.length, "entry that isn't work is", "entries that aren't work are")} passed over: ${firstFew(kinds, 8)}`;
    problems.push({ line: null, message, of: null });
  }
  if (givenUp.length > 0) {
    const message = `${counted(givenUp.length, 'task')} (${firstFew(
      givenUp.map(({ id }) => id),
      8,
    )}) given up by the list's own word aren't worked on`;
    problems.push({ line: null, message, of: null });
  }
  problems.push(...unknownWords(drafts));
  const style = readStyle(entries, defaults, knownWords);
  return {
    format,
    drafts,
    problems,
    lineOf: (index, field) => lineOf(places[index] ?? index, field === null ? [] : keysOf(field)),
    givenUp,
    holdsBlocked: style.blockedKey !== null && style.words.get('blocked') !== null,
    extras: () => {
      const { unread, words } = extraFields(entries, knownWords);
      return { unread: [...extras.map((what) => ({ what, of: [] })), ...unread], words };
    },
    show: (index, status): Written => {
      const entry = entries[index] ?? {};
      const place = places[index] ?? index;
      const changes = planStatus(entry, style, status);
      if (changes === null) return { kind: 'not_held' };
      const own = editor.keys(place, changes);
      // Subtasks that the list leaves out, or that are over, keep their words.
      const parts = status === 'done' ? (partsOf(entry, knownWords) ?? []) : [];
      const ofParts = parts.flatMap(({ at, part, state }) =>
        state !== 'open' || typeof part?.status !== 'string'
          ? []
          : [editor.keys(place, planStatus(part, style, 'done') ?? [], at)],
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

/** Returns a problem for each unknown status word, with its tasks and the setting that explains the word. */
function unknownWords(drafts: readonly Draft[]): ReadProblem[] {
  const byWord = new Map<string, string[]>();
  for (const { explicitId, task } of drafts) {
    if (task.left?.kind !== 'unknown_word') continue;
    byWord.set(task.left.of, [...(byWord.get(task.left.of) ?? []), explicitId ?? task.title]);
  }
  return [...byWord].map(([word, names]) => {
    const be = names.length === 1 ? 'is' : 'are';
    const message = `the status ${valueText(word)} isn't known, so ${firstFew(names, 8)} ${be} left alone; say what it means in .ralph/ralph.toml: ${wordSetting(word)}, or open, in_progress, waiting, given_up`;
    return { line: null, message, of: null };
  });
}

function written(splices: readonly Splice[] | null): Written {
  return splices === null
    ? { kind: 'failed', message: 'it has no place of its own in the file' }
    : { kind: 'splices', splices };
}

/** Returns a new task with the key names that other tasks use. */
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

/** Returns the reading of an empty file: no tasks, and a hint. */
export function emptyReading(format: string): Reading {
  return {
    format,
    drafts: [],
    problems: [{ line: null, message: 'the file is empty', of: null }],
    lineOf: () => null,
    holdsBlocked: false,
    extras: () => NO_EXTRAS,
    show: () => ({ kind: 'not_held' }),
    edit: () => ({ kind: 'failed', message: 'the file is empty' }),
  };
}
