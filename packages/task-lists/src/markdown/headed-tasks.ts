import { nextId } from '../assign-ids.ts';
import type { NewTask, TrackedStatus } from '../task.ts';
import type { Draft, Reading, Splice, Written } from '../task-list.ts';
import { aroundTasks } from './around-tasks.ts';
import { addLine, type Body, finishBody, newBody, taskTest } from './body.ts';
import { passedOver } from './check-list.ts';
import { bodyLines, editMarkdown, type TaskPlace } from './edit-list.ts';
import {
  type LineProblem,
  MARKS,
  type Mark,
  type MarkdownLine,
  markOfStatus,
  statusOfMark,
} from './lines.ts';
import { splitId } from './title.ts';

type Heading = Extract<MarkdownLine, { kind: 'heading' }>;
/** Offset and mark of a box. `sign`: the character that a heading has instead of a box. */
type BoxAt = { readonly at: number; readonly mark: Mark; readonly sign?: string };

/**
 * Beginning of a task's heading: `Task 3`, an id (`US-003`) above acceptance criteria, or `Feature` with a sign for its
 * status.
 */
export type HeadingForm = 'number' | 'id' | 'sign';

/** Parts of `### [x] Task 3: title [-]`. Both marks are optional. */
type TaskHeading = {
  /** Number in the heading, which is the id if there is no other. */
  readonly number: string;
  /** Id within the title; `null`: there is none. */
  readonly id: string | null;
  readonly title: string;
  /** Box before the title or before the word Task; `null`: there is none. */
  readonly box: BoxAt | null;
  /**
   * Mark after the title, which ralph writes if no box can hold the status. `from`: offset of the space before it.
   * `null`: there is none.
   */
  readonly tail: (BoxAt & { readonly from: number }) | null;
};

type Open = {
  readonly line: Heading;
  readonly heading: TaskHeading;
  readonly body: Body;
  readonly boxes: BoxAt[];
  last: number;
};

const HEADING =
  /^(\[[ xX!~-]\]\s+)?task\s+#?(\d[\w.]*|[a-z]\d[\w.]*)\s*(?:[:–—-]\s*|[.)]\s+)(\[[ xX!~-]\]\s+)?(.*?)( \[[xX!~-]\])?$/i;

/** Splits a heading into its title and the marks around it. */
const MARKED = /^(\[[ xX!~-]\]\s+)?(.*?)( \[[xX!~-]\])?$/;
/** Signs for a status in the heading of a feature. The first sign of a mark is the one that is written. */
const SIGNS: Readonly<Record<string, Mark>> = {
  '⬜': ' ',
  '☐': ' ',
  '✅': 'x',
  '☑': 'x',
  '✔': 'x',
  '🔄': '~',
  '🚧': '~',
  '⏳': '~',
  '⛔': '-',
  '🚫': '-',
  '❌': '-',
};
const SIGN = Object.keys(SIGNS).join('|');
const FEATURE = new RegExp(
  String.raw`^(?:(${SIGN})\uFE0F?\s*)?(?:feature|user story|story|step|item)\b\s*#?(\d[\w.]*)?\s*(?:[:.–—-]\s*)?(.*?)(?:\s*(${SIGN})\uFE0F?)?$`,
  'iu',
);
const CRITERIA = /^\W*acceptance(?: criteria)?\W*$/i;

/**
 * Returns how headings of tasks begin; `null`: no heading is a task. Many lists use headings with ids for groups, so
 * such headings are tasks only if boxes below one of them are introduced as acceptance criteria.
 */
export function headingFormOf(lines: readonly MarkdownLine[]): HeadingForm | null {
  const named = (form: HeadingForm) =>
    lines.some((line) => line.kind === 'heading' && readHeading(line, form) !== null);
  if (named('number')) return 'number';
  if (named('sign')) return 'sign';
  let at: 'elsewhere' | 'task' | 'criteria' = 'elsewhere';
  for (const line of lines) {
    if (line.kind === 'box' && at === 'criteria') return 'id';
    if (line.kind === 'box' || line.kind === 'blank' || line.kind === 'code') continue;
    if (CRITERIA.test(line.text)) at = at === 'elsewhere' ? at : 'criteria';
    else if (line.kind === 'heading') at = readHeading(line, 'id') === null ? 'elsewhere' : 'task';
  }
  return null;
}

/**
 * Reads plans with a heading for each task (`### Task 3: title`, `### US-003: title`), whose number or id is the task's
 * id. Check boxes below are acceptance criteria and give the status: the task is done when all are ticked. For `Task 3`
 * they are steps, and the first one that isn't ticked gets `[-]` for blocked or `[~]` for in progress. Stories and
 * tasks without boxes have the mark after their title (`### Task 3: title [x]`), which is removed when the task is open
 * again. A box or sign that a heading already has is used instead.
 */
export function readHeadedTasks(
  text: string,
  lines: readonly MarkdownLine[],
  lineProblems: readonly LineProblem[],
  form: HeadingForm,
  programs: readonly string[],
): Reading {
  const tasks: Open[] = [];
  const outside: number[] = [];
  let current: Open | null = null;
  for (const line of lines) {
    if (line.kind === 'heading') {
      const heading = readHeading(line, form);
      if (heading !== null) {
        // A heading with an id above headings with ids is a group.
        if (form === 'id' && current !== null && current.line.level < line.level) tasks.pop();
        current = { line, heading, body: newBody(programs), boxes: [], last: line.number };
        tasks.push(current);
      } else if (current !== null && line.level <= current.line.level) {
        current = null;
      } else if (current !== null) {
        addLine(current.body, line);
        current.last = line.number;
      }
    } else if (current !== null) {
      if (line.kind === 'box' && line.malformed === null)
        current.boxes.push({ at: line.at, mark: line.mark });
      addLine(current.body, line);
      if (line.kind !== 'blank') current.last = line.number;
    } else if (line.kind === 'box') {
      outside.push(line.number);
    }
  }
  const isTask = taskTest(tasks.map(idOf));
  return {
    format: 'markdown-tasks',
    drafts: tasks.map((task) => toDraft(task, form, isTask)),
    problems: [
      ...passedOver(outside, 'below no heading of a task'),
      ...lineProblems.map((problem) => ({ ...problem, of: 'file' as const })),
      ...tasks.flatMap(({ body }, of) => body.problems.map((problem) => ({ ...problem, of }))),
    ],
    lineOf: (index, field) =>
      (field === null ? null : tasks[index]?.body.lines?.[field]) ?? tasks[index]?.line.number ?? null,
    holdsBlocked: true,
    extras: () =>
      aroundTasks(
        text,
        lines,
        tasks.map(({ line, last }) => ({ first: line.number, last })),
        // The boxes below a task give its status, so their marks aren't extra content.
        tasks.map(({ body }) => ({ body: { ...body, isMarked: false }, tags: [] })),
        () => false,
      ),
    show: (index, status) => writeStatus(tasks[index], status, form),
    edit: (edit) => {
      const places = tasks.map((task) => placeOf(text, task));
      return editMarkdown(
        text,
        { places, firstAfter: lines.length, lines: (task) => newLines(tasks, task, form) },
        edit,
      );
    },
  };
}

function placeOf(text: string, { line, heading, last }: Open): TaskPlace {
  const { title } = heading;
  const at = text.slice(line.start, line.end).lastIndexOf(title);
  return { first: line.number, last, title, titleAt: at === -1 ? -1 : line.start + at };
}

function newLines(tasks: readonly Open[], task: NewTask, form: HeadingForm): string[] {
  const level = tasks.at(-1)?.line.level ?? 2;
  const next = nextId(tasks.map(({ heading }) => heading.number)) ?? String(tasks.length + 1);
  const body = bodyLines(task, '');
  return [
    '',
    `${'#'.repeat(level)} ${{ number: 'Task ', sign: '⬜ Feature ', id: '' }[form]}${next}: ${task.title}`,
    ...(body.length === 0 ? [] : ['', ...body]),
  ];
}

function readHeading(line: Heading, form: HeadingForm): TaskHeading | null {
  if (line.underlined) return null;
  if (form === 'sign') return readSignedHeading(line);
  return form === 'id' ? readIdHeading(line) : readNumberHeading(line);
}

function readSignedHeading({ text, start }: Heading): TaskHeading | null {
  const [, before = '', number = '', title = '', after = ''] = FEATURE.exec(text) ?? [];
  const sign = before || after;
  const mark = SIGNS[sign];
  if (mark === undefined || title === '') return null;
  const at = start + (before === '' ? text.lastIndexOf(sign) : 0);
  const { id, title: rest } = splitId(title);
  return { number, id, title: rest, box: { at, mark, sign }, tail: null };
}

function readIdHeading(line: Heading): TaskHeading | null {
  const [, before = '', text = '', tail = ''] = MARKED.exec(line.text) ?? [];
  const { id, title } = splitId(text);
  if (id === null) return null;
  return {
    number: id,
    id,
    title,
    box: before === '' ? null : boxIn(before, line.start),
    tail: tailOf(line, tail),
  };
}

function readNumberHeading(line: Heading): TaskHeading | null {
  const match = HEADING.exec(line.text);
  const named = match?.[4]?.trim() ?? '';
  if (match === null || named === '') return null;
  const { id, title } = splitId(named);
  const [, before = '', number = '', inner = '', , tail = ''] = match;
  const innerAt = line.start + match[0].length - tail.length - (match[4] ?? '').length - inner.length;
  return {
    number,
    id,
    title,
    box: before !== '' ? boxIn(before, line.start) : inner !== '' ? boxIn(inner, innerAt) : null,
    tail: tailOf(line, tail),
  };
}

function tailOf({ end }: Heading, tail: string): TaskHeading['tail'] {
  return tail === '' ? null : { ...boxIn(tail, end - tail.length), from: end - tail.length };
}

/** Returns the box in a part of a heading that begins at `offset`. */
function boxIn(piece: string, offset: number): BoxAt {
  const at = piece.indexOf('[') + 1;
  return { at: offset + at, mark: MARKS.find((mark) => mark === piece[at]) ?? ' ' };
}

function idOf({ heading: { id, number }, body }: Open): string | null {
  return id ?? body.explicitId ?? (number === '' ? null : number);
}

function toDraft(open: Open, form: HeadingForm, isTask: (reference: string) => boolean): Draft {
  const { title } = open.heading;
  const head = { id: '', title, status: statusOf(open, form), priority: null, group: null };
  return {
    explicitId: idOf(open),
    task: finishBody(open.body, open.boxes.length > 0 ? 'description' : 'acceptance', head, isTask),
  };
}

function statusOf({ heading, boxes }: Open, form: HeadingForm): TrackedStatus {
  const mark = heading.box ?? heading.tail;
  if (mark !== null) return statusOfMark(mark.mark);
  if (boxes.length === 0) return 'open';
  const statuses = boxes.map((box) => statusOfMark(box.mark));
  if (statuses.every((status) => status === 'done')) return 'done';
  if (form === 'id') return 'open';
  return (
    statuses.find((status) => status === 'blocked') ??
    statuses.find((status) => status === 'in_progress') ??
    'open'
  );
}

function writeStatus(open: Open | undefined, status: TrackedStatus, form: HeadingForm): Written {
  const mark = markOfStatus(status);
  if (open === undefined || mark === null) return { kind: 'not_held' };
  const { heading, boxes, line } = open;
  if (heading.box !== null) return splices([put(heading.box, mark)]);
  const byBoxes = form === 'id' && boxes.length > 0 && (mark === ' ' || mark === 'x');
  if (heading.tail !== null) {
    const { tail } = heading;
    const without = { from: tail.from, to: tail.from + 4, text: '' };
    if (byBoxes && mark === 'x') return splices([without, ...writeBoxes(boxes, status, mark)]);
    return splices([mark === ' ' ? without : put(tail, mark)]);
  }
  if (boxes.length === 0 || (form === 'id' && !byBoxes))
    return splices(mark === ' ' ? [] : [{ from: line.end, to: line.end, text: ` [${mark}]` }]);
  return splices(writeBoxes(boxes, status, mark));
}

function writeBoxes(boxes: readonly BoxAt[], status: TrackedStatus, mark: Mark): Splice[] {
  const unticked = boxes.filter((box) => statusOfMark(box.mark) !== 'done');
  switch (status) {
    case 'done':
      return unticked.map((box) => put(box, 'x'));
    case 'open':
      // Reopening a done task removes all ticks, because earlier ones aren't known.
      return unticked.length === 0
        ? boxes.map((box) => put(box, ' '))
        : unticked.filter((box) => box.mark !== ' ').map((box) => put(box, ' '));
    default: {
      const carrier = unticked[0] ?? boxes.at(-1);
      const others = unticked.filter((box) => box !== carrier && box.mark !== ' ');
      return [...(carrier === undefined ? [] : [put(carrier, mark)]), ...others.map((box) => put(box, ' '))];
    }
  }
}

function put({ at, sign }: BoxAt, mark: Mark): Splice {
  if (sign === undefined) return { from: at, to: at + 1, text: mark };
  const text = Object.keys(SIGNS).find((one) => SIGNS[one] === mark) ?? sign;
  return { from: at, to: at + sign.length, text };
}

function splices(list: readonly Splice[]): Written {
  return { kind: 'splices', splices: list };
}
