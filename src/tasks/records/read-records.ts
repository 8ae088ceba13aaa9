import type { TrackerFormat, TrackerProblem } from '../../domain/task.ts';
import { isRecord } from '../../lib/is-record.ts';
import type { Draft, Reading, Splice, Written } from '../draft.ts';
import { shown } from '../values.ts';
import { readRecord } from './read-record.ts';
import { type KeyChange, planStatus, readStyle, type StatusStyle, type TaskRecord } from './status-plan.ts';

/** The keys of a file's outer object under which its tasks stand, the strongest first. */
export const LIST_KEYS = ['stories', 'userStories', 'user_stories', 'tasks'] as const;

/** How the keys of one task, by its place in the list, are changed in the text. */
export type EditRecord = (
  place: number,
  changes: readonly KeyChange[],
) =>
  | { readonly ok: true; readonly splices: readonly Splice[] }
  | { readonly ok: false; readonly message: string };

/** Makes a reading of a list of tasks; `lineOf` gives the 1-based line of an item where it is known. */
export function readRecords(
  format: TrackerFormat,
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
      const edited = edit(places[index] ?? index, changes);
      return edited.ok
        ? { kind: 'splices', splices: edited.splices }
        : { kind: 'failed', message: edited.message };
    },
  };
}

/** A file with nothing in it: no tasks, and a hint. */
export function emptyReading(format: TrackerFormat): Reading {
  return {
    format,
    drafts: [],
    problems: [{ line: null, message: 'the file is empty' }],
    holdsBlocked: false,
    write: () => ({ kind: 'not_held' }),
  };
}
