import { nextId } from '../assign-ids.ts';
import type { NewTask } from '../task.ts';
import { type ListEdit, lineEndOf, type Splice, type Written } from '../task-list.ts';
import { type NumberIds, splitId } from './title.ts';

/** Position of a task in a Markdown text: its lines (from 1, inclusive) and the offset of its title. */
export type TaskPlace = {
  readonly first: number;
  readonly last: number;
  readonly title: string;
  /** Offset of the title; -1: the text doesn't contain the title as it is read. */
  readonly titleAt: number;
};

type ListStyle = {
  readonly places: readonly TaskPlace[];
  /** Line after which the first task of an empty list is inserted; 0: the beginning. */
  readonly firstAfter: number;
  readonly lines: (task: NewTask) => readonly string[];
};

/** Returns how a Markdown text has to change for an edit of its list. */
export function editMarkdown(
  text: string,
  { places, firstAfter, lines }: ListStyle,
  edit: ListEdit,
): Written {
  const eol = lineEndOf(text);
  const starts = lineStarts(text);
  if (edit.kind === 'add') {
    const after = places.at(-1)?.last ?? firstAfter;
    const begin = starts[after] ?? text.length;
    const added = lines(edit.task);
    const block = places.length === 0 && after > 0 ? ['', ...added] : added;
    const missing = begin === text.length && text !== '' && !text.endsWith('\n') ? eol : '';
    return splice({ from: begin, to: begin, text: `${missing}${block.join(eol)}${eol}` });
  }
  const place = places[edit.index];
  if (place === undefined) return { kind: 'failed', message: 'it has no place in the file' };
  if (edit.kind === 'retitle') {
    const { title, titleAt } = place;
    if (titleAt < 0) return { kind: 'failed', message: "its title isn't there in one piece" };
    return splice({ from: titleAt, to: titleAt + title.length, text: edit.title });
  }
  // A byte order mark is the file's, not the task's.
  const from = (starts[place.first - 1] ?? 0) || (text.startsWith('\uFEFF') ? 1 : 0);
  return splice({ from, to: starts[place.last] ?? text.length, text: '' });
}

/** Returns the lines below a new task: attributes, then criteria as check boxes, then its checks. */
export function bodyLines(task: NewTask, indent: string): string[] {
  const { priority, dependsOn, complexity, kind, expectedPaths, gates, proof } = task;
  const attributes: readonly (readonly [name: string, value: string | number | null | undefined])[] = [
    ['Priority', priority],
    ['Depends on', dependsOn.join(', ')],
    ['Complexity', complexity],
    ['Kind', kind],
    ['Files', expectedPaths?.join(', ')],
    ['Gates', gates?.join(', ')],
    ['Constraints', task.constraints?.join('; ')],
    ['Boundaries', task.boundaries?.join('; ')],
    ['Goals', task.goals?.join('; ')],
    ['Proof', proof],
  ];
  return [
    ...attributes.flatMap(([name, value]) =>
      value == null || value === '' ? [] : [`${indent}${name}: ${value}`],
    ),
    ...task.acceptance.map((text) => `${indent}- [ ] ${text}`),
    ...(task.checks ?? []).map((command) => `${indent}Check: ${inBackticks(command)}`),
  ];
}

function inBackticks(command: string): string {
  return command.includes('`') ? `\`\` ${command} \`\`` : `\`${command}\``;
}

/**
 * Returns a title with the next id of the list, in the form of the others; unchanged if they or the title have no such
 * ids.
 */
export function withNextId(
  title: string,
  last: string | null,
  ids: readonly (string | null)[],
  numbers?: NumberIds,
): string {
  const id = nextId(ids);
  if (id === null || splitId(title).id !== null) return title;
  if (last === null) return `**${id}** ${title}`;
  const before = splitId(last, numbers);
  if (before.id === null) return title;
  const head = last.slice(0, last.lastIndexOf(before.title)).replace(before.id, id);
  return head === '' ? `${id}: ${title}` : `${head}${title}`;
}

function splice(one: Splice): Written {
  return { kind: 'splices', splices: [one] };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
