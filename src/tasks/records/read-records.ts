import type { TrackerProblem } from '../../domain/task.ts';
import { isRecord } from '../../lib/is-record.ts';
import { shown } from '../task-fields.ts';
import type { Draft, Reading, Splice, Written } from '../tracker-format.ts';
import { readRecord } from './read-record.ts';
import { type KeyChange, planStatus, readStyle, type StatusStyle, type TaskRecord } from './status-plan.ts';

/** The keys of a file's outer object that may hold its tasks, the strongest first. */
export const LIST_KEYS = ['stories', 'userStories', 'user_stories', 'tasks'] as const;

type FoundList =
  | { readonly ok: true; readonly key: (typeof LIST_KEYS)[number] | null; readonly items: readonly unknown[] }
  | { readonly ok: false; readonly message: string };

/** The list of tasks in a file's data, and the key that holds it: `null` where the file is nothing but the list. */
export function findList(root: unknown, path: string): FoundList {
  if (Array.isArray(root)) return { ok: true, key: null, items: root };
  const record = isRecord(root) ? root : {};
  for (const key of LIST_KEYS) {
    const items = record[key];
    if (Array.isArray(items)) return { ok: true, key, items };
  }
  const keys = Object.keys(record).map(shown).join(', ');
  const found = isRecord(root) ? `the keys ${keys || '(none)'}` : shown(root);
  const message = `${path} has no task list: expected a list under "tasks", "stories" or "userStories", found ${found}`;
  return { ok: false, message };
}

/** The splices that change the keys of one task, by its place in the list; `null` where that can't be done safely. */
export type EditRecord = (place: number, changes: readonly KeyChange[]) => readonly Splice[] | null;

/** Makes a reading of a list of tasks; `lineOf` gives the 1-based line of an item where it is known. */
export function readRecords(
  format: string,
  items: readonly unknown[],
  defaults: Pick<StatusStyle, 'doneKey' | 'blockedKey'>,
  lineOf: (place: number) => number | null,
  edit: EditRecord,
): Reading {
  const drafts: Draft[] = [];
  const records: TaskRecord[] = [];
  const places: number[] = [];
  const problems: TrackerProblem[] = [];
  items.forEach((item, place) => {
    const line = lineOf(place);
    if (!isRecord(item)) {
      problems.push({ line, message: `task ${place + 1}: expected an object, found ${shown(item)}` });
      return;
    }
    const { draft, problems: slips } = readRecord(item, place + 1, line);
    const name = draft.explicitId ?? String(place + 1);
    for (const slip of slips) problems.push({ line, message: `task ${name}: ${slip}` });
    drafts.push(draft);
    records.push(item);
    places.push(place);
  });
  const style = readStyle(records, defaults);
  return {
    format,
    drafts,
    problems,
    holdsBlocked: style.blockedKey !== null,
    write: (index, status): Written => {
      const changes = planStatus(records[index] ?? {}, style, status);
      if (changes === null) return { kind: 'not_held' };
      const splices = edit(places[index] ?? index, changes);
      return splices === null
        ? { kind: 'failed', message: 'its keys have no place of their own in the file' }
        : { kind: 'splices', splices };
    },
  };
}

/** A file with nothing in it: no tasks, and a hint. */
export function emptyReading(format: string): Reading {
  return {
    format,
    drafts: [],
    problems: [{ line: null, message: 'the file is empty' }],
    holdsBlocked: false,
    write: () => ({ kind: 'not_held' }),
  };
}
