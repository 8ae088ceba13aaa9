import { assignIds } from './assign-ids.ts';
import { taskFinder } from './dependencies.ts';
import type { ListPlan, RememberedId } from './task.ts';
import { lineEndOf, type TrackerReader } from './tracker-format.ts';
import { editTrackerText, parseTracker } from './tracker-text.ts';

type Added =
  | {
      readonly ok: true;
      readonly text: string;
      /** Ids of the new tasks, in their order. */
      readonly ids: readonly string[];
      readonly remembered: readonly RememberedId[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the text with all tasks of a plan added and all other tasks unchanged. `message`: why the file can't be
 * edited this way.
 */
export function addPlan(
  text: string,
  path: string,
  reader: TrackerReader,
  known: readonly RememberedId[],
  { tasks, replaces }: ListPlan,
): Added {
  const ids: string[] = [];
  let now = { text, remembered: known };
  for (const { after, ...task } of tasks) {
    const dependsOn = [...new Set([...task.dependsOn, ...after.flatMap((at) => ids[at] ?? [])])];
    const edit = { kind: 'add' as const, task: { ...task, dependsOn } };
    const edited = editTrackerText(now.text, path, reader, now.remembered, edit);
    if (!edited.ok) return edited;
    const parsed = parseTracker(edited.text, path, reader, now.remembered);
    if (!parsed.ok) return parsed;
    ids.push(parsed.tasks.at(-1)?.id ?? '');
    now = { text: edited.text, remembered: parsed.remembered };
  }
  if (replaces === null) return { ok: true, ids, ...now };
  const isWaitedFor = new Set(tasks.flatMap(({ after }) => after));
  const last = ids.filter((_, at) => !isWaitedFor.has(at));
  const turned = redirect(now.text, path, reader, now.remembered, { from: replaces, to: last });
  if (!turned.ok) return turned;
  const without = editTrackerText(turned.text, path, reader, now.remembered, {
    kind: 'remove',
    taskId: replaces,
  });
  return without.ok ? { ok: true, ids, text: without.text, remembered: now.remembered } : without;
}

/** Maximum number of places of a reference that are tried. */
const MOST_TRIES = 200;

/**
 * Returns the text in which a reference to one task is replaced by references to others. This function doesn't know how
 * a format writes lists of references: it tries each place of the reference, and takes the first edit that reads as
 * intended.
 */
function redirect(
  text: string,
  path: string,
  reader: TrackerReader,
  remembered: readonly RememberedId[],
  change: { readonly from: string; readonly to: readonly string[] },
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string } {
  const read = reader(text, path);
  if (!read.ok) return read;
  const { drafts, lineOf } = read.reading;
  const { ids } = assignIds(drafts, remembered);
  const find = taskFinder(ids);
  const index = drafts.findIndex(({ task }) => task.dependsOn.some((one) => find(one) === change.from));
  const draft = drafts[index];
  const reference = draft?.task.dependsOn.find((one) => find(one) === change.from);
  if (draft === undefined || reference === undefined) return { ok: true, text };
  const dependsOn = [
    ...new Set(draft.task.dependsOn.flatMap((one) => (one === reference ? change.to : [one]))),
  ];
  const wanted = JSON.stringify(
    drafts.map((one, at) => (at === index ? { ...one, task: { ...one.task, dependsOn } } : one)),
  );
  const first = lineStart(text, lineOf(index, 'dependsOn') ?? 1);
  for (const at of placesOf(reference, text, first)) {
    for (const join of joinsAt(text, at)) {
      const tried = `${text.slice(0, at)}${change.to.join(join)}${text.slice(at + reference.length)}`;
      const again = reader(tried, path);
      if (again.ok && JSON.stringify(again.reading.drafts) === wanted)
        return redirect(tried, path, reader, remembered, change);
    }
  }
  const message = `${path} can't be edited (${ids[index]} depends on ${change.from}, and that can't be changed there); edit it by hand`;
  return { ok: false, message };
}

function lineStart(text: string, line: number): number {
  return text.split('\n', line - 1).reduce((at, { length }) => at + length + 1, 0);
}

/** Returns the offsets from `from` on at which the reference stands as a whole word. */
function placesOf(reference: string, text: string, from: number): number[] {
  const word = reference.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const found = text.slice(from).matchAll(new RegExp(`(?<![\\w.-])${word}(?![\\w-]|\\.\\w)`, 'g'));
  return [...found].slice(0, MOST_TRIES).map(({ index }) => from + index);
}

/**
 * Returns separators that may fit between references at this place: for prose, for quoted names, or for one name per
 * line.
 */
function joinsAt(text: string, at: number): string[] {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const quote = /^\s*-\s+(["']?)$/.exec(before)?.[1];
  return [', ', '", "', "', '", ...(quote === undefined ? [] : [`${quote}${lineEndOf(text)}${before}`])];
}
