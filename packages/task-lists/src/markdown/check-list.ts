import { counted } from 'ralph-kit/counted';
import { firstFew } from 'ralph-kit/text';
import type { NewTask, Task } from '../task.ts';
import { readReferences } from '../task-fields.ts';
import type { Draft, Reading, ReadProblem, Splice, Written } from '../task-list.ts';
import { aroundTasks } from './around-tasks.ts';
import { addLine, type Body, finishBody, newBody, taskTest } from './body.ts';
import { bodyLines, editMarkdown, type TaskPlace, withNextId } from './edit-list.ts';
import {
  type Dialect,
  type LineProblem,
  MARKS,
  type Mark,
  type MarkdownLine,
  markOfStatus,
  statusOfMark,
} from './lines.ts';
import { type NumberIds, numberIdsOf, numberIn, splitId, tagsOf, withinStrikes } from './title.ts';

type Box = Extract<MarkdownLine, { kind: 'box' }>;
type Open = {
  readonly box: Box;
  readonly section: Section;
  /** The earlier box whose number is the beginning of this one's, such as `2` for `2.1`; `null`: there is none. */
  readonly parent: Open | null;
  readonly isOptional: boolean;
  /** Whether the box has a part, or a part of a part, that isn't optional. */
  hasParts: boolean;
  body: Body | null;
  last: number;
};

/** A box as formatters of Markdown without task lists write it: `\\[ ]`. */
const ESCAPED = /^\\\[[ xX]\\?\](?=\s)/;

/** Columns by which a line has to be indented more than its task to belong to it, as in CommonMark. */
const INSIDE = 2;

/**
 * Reads check lists: each outer check box is a task, and indented lines below belong to it. Boxes with the numbers of
 * parts (`2.1`, `2.2` of `2`) are tasks; the dialect decides about the box with parts, which is a task if it has more
 * than a title. `markdown-prd` reads the `## Tasks` section if there is one, otherwise the whole file; `markdown-plan`
 * reads priorities from its sections.
 */
export function readCheckList(
  text: string,
  dialect: Dialect,
  lines: readonly MarkdownLine[],
  lineProblems: readonly LineProblem[],
  format: 'markdown-prd' | 'markdown-plan',
  programs: readonly string[],
): Reading {
  const hasSection = format === 'markdown-prd' && lines.some(isTasksHeading);
  const within = format === 'markdown-plan' ? 'plan' : hasSection ? 'tasks-section' : 'file';
  const enter = followSections(within);
  let section: Section = { counts: within !== 'tasks-section', priority: null, group: null };
  const boxes: Open[] = [];
  const outside: number[] = [];
  const escaped: number[] = [];
  const problems: ReadProblem[] = lineProblems.map((problem) => ({ ...problem, of: 'file' }));
  const byNumber = new Map<string, Open>();
  let stack: Open[] = [];
  // A paragraph continues on the next line, whatever its indentation, unless an empty line ends it.
  let lazy = false;

  for (const line of lines) {
    if (line.kind === 'heading') {
      section = enter(line);
      stack = [];
      continue;
    }
    if (!section.counts) {
      if (line.kind === 'box') outside.push(line.number);
      continue;
    }
    const continues = lazy && (line.kind === 'text' || line.kind === 'code');
    if (line.kind !== 'blank' && !continues)
      while (line.indent < (stack.at(-1)?.box.indent ?? -INSIDE) + INSIDE) stack.pop();
    const current = stack.at(-1);
    if (current !== undefined && !(line.kind === 'box' && isPart(current.box.text, line.text))) {
      if (line.kind !== 'blank') current.body ??= newBody(programs, dialect.leavesOutParts);
      if (current.body !== null) addLine(current.body, line);
      lazy = line.kind !== 'blank';
      if (lazy) current.last = line.number;
      continue;
    }
    lazy = false;
    if (line.kind === 'bullet' && ESCAPED.test(line.text)) escaped.push(line.number);
    if (line.kind !== 'box') continue;
    if (line.text === '') {
      const message = "a check box without a title isn't a task; add a title";
      problems.push({ line: line.number, message, of: null });
      continue;
    }
    const number = numberIn(line.text);
    const parent = number === null ? null : parentIn(byNumber, number);
    const isOptional = line.optional || parent?.isOptional === true;
    const { number: last } = line;
    const opened: Open = { box: line, section, parent, isOptional, hasParts: false, body: null, last };
    for (let up = parent; up !== null && !isOptional; up = up.parent) up.hasParts = true;
    if (number !== null) byNumber.set(number, opened);
    boxes.push(opened);
    stack.push(opened);
    lazy = true;
  }

  const numbers = numberIdsOf(boxes.map(({ box }) => box.text));
  const heads = new Map(boxes.map((box) => [box, splitId(box.box.text, numbers)]));
  const isReview = reviewBoxes(boxes, (box) => heads.get(box)?.id ?? '');
  const isGroup = (box: Open) => dialect.parents !== 'task' && saysTitleAlone(box);
  const { meanings } = dialect;
  const isDone = ({ box }: Open) => statusOfMark(box.mark, meanings) === 'done';
  const isStruck = (box: Open) => withinStrikes(box.box.text) !== null && !isDone(box);
  const tasks = boxes.filter((box) => !box.isOptional && !isGroup(box) && !isReview(box) && !isStruck(box));
  tasks.forEach(({ box, body }, of) => {
    if (box.malformed !== null && !dialect.anyBox)
      problems.push({ line: box.number, message: oddBox(box.malformed), of });
    for (const problem of body?.problems ?? []) problems.push({ ...problem, of });
  });
  problems.push(
    ...passedOver(outside, 'outside of where tasks are looked for'),
    ...passedOver(escaped, 'escaped; take the backslash away to have one worked on'),
    ...passedOver(linesOf(boxes.filter(isStruck)), 'struck through'),
    ...passedOver(linesOf(boxes.filter(isReview)), 'without an id, where tasks have ids such as T001'),
    ...passedOver(
      linesOf(boxes.filter(({ isOptional }) => isOptional)),
      'optional; take the star away to have one worked on',
    ),
  );
  const closing =
    dialect.parents === 'shared' ? sharedTexts(boxes.filter(isGroup), tasks, isDone) : new Map();
  const isTask = taskTest(tasks.map((task) => heads.get(task)?.id ?? task.body?.explicitId ?? null));
  const drafts = tasks.map((task): Draft => {
    const { id = null, title = '' } = heads.get(task) ?? {};
    const { priority } = task.section;
    const group = task.parent === null ? task.section.group : (heads.get(task.parent)?.title ?? null);
    const head = { id: '', title, status: statusOfMark(task.box.mark, meanings), priority, group };
    return {
      explicitId: id ?? task.body?.explicitId ?? null,
      task: finishBody(task.body, 'acceptance', head, isTask),
      ...(closing.has(task) ? { closes: closing.get(task) } : {}),
    };
  });
  addInlineDependencies(drafts);
  if (dialect.parents === 'task') addParts(tasks, drafts);
  return {
    format,
    drafts,
    problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    lineOf: (index, field) => lineOf(tasks[index], field),
    holdsBlocked: markOfStatus('blocked', meanings) !== null,
    givenUp: boxes.filter(isStruck).flatMap((box) => {
      const id = heads.get(box)?.id ?? null;
      return id === null ? [] : { id, word: 'struck through' };
    }),
    extras: () => {
      const named = new Set(drafts.map(({ task }) => task.group));
      const found = aroundTasks(
        text,
        lines,
        boxes.map(({ box, last }) => ({ first: box.number, last })),
        tasks.map(({ box, body }) => ({ body, tags: tagsOf(box.text) })),
        (heading) => isTasksHeading(heading) || named.has(heading.text),
      );
      const groups = boxes
        .filter((box) => isGroup(box) && !box.isOptional)
        .map((box) => heads.get(box)?.id ?? '');
      if (groups.length === 0) return found;
      const what = `the box of ${firstFew(groups, 8)} (its title stays, as a group)`;
      return { ...found, unread: [...found.unread, { what, of: [] }] };
    },
    show: (index, status): Written => {
      const task = tasks[index];
      const mark = markOfStatus(status, meanings);
      if (task === undefined || mark === null) return { kind: 'not_held' };
      const splices = [put(task.box, mark)];
      for (let up = task.parent; up !== null; up = up.parent) {
        const group = up;
        if (!isGroup(group)) continue;
        const others = tasks.filter((other) => other !== task && isBelow(other, group));
        if (status === 'done' && !isDone(group) && others.every(isDone)) splices.push(put(group.box, 'x'));
        if (status !== 'done' && isDone(group)) splices.push(put(group.box, ' '));
      }
      return { kind: 'splices', splices };
    },
    edit: (edit) => {
      const firstAfter = lines.findLast(isTasksHeading)?.number ?? lines.length;
      const places = tasks.map((task) => placeOf(text, task, numbers));
      return editMarkdown(
        text,
        { places, firstAfter, lines: (task) => newLines(text, tasks, task, numbers) },
        edit,
      );
    },
  };
}

function isPart(title: string, other: string): boolean {
  const number = numberIn(title);
  return number !== null && numberIn(other)?.startsWith(`${number}.`) === true;
}

function parentIn(byNumber: ReadonlyMap<string, Open>, number: string): Open | null {
  const end = number.lastIndexOf('.');
  if (end === -1) return null;
  const above = number.slice(0, end);
  return byNumber.get(above) ?? parentIn(byNumber, above);
}

/** Returns whether a box with parts has nothing but its title. */
function saysTitleAlone({ hasParts, body }: Open): boolean {
  return hasParts && (body === null || body.entries.length === 0);
}

/**
 * Returns the texts of undone groups by the last part that isn't done: the agent of that part does the group's text,
 * too. So no text is ticked that no agent was asked to do.
 */
function sharedTexts(
  groups: readonly Open[],
  tasks: readonly Open[],
  isDone: (box: Open) => boolean,
): Map<Open, string[]> {
  const texts = new Map<Open, string[]>();
  for (const group of groups.filter((one) => !isDone(one))) {
    const last = tasks.findLast((task) => isBelow(task, group) && !isDone(task));
    if (last === undefined) continue;
    const text = `${group.box.text} (all of it: this is the last of its parts)`;
    texts.set(last, [...(texts.get(last) ?? []), text]);
  }
  return texts;
}

/** Lets boxes with parts depend on these, except for parts that depend on the box. */
function addParts(tasks: readonly Open[], drafts: Draft[]): void {
  tasks.forEach((task, at) => {
    const draft = drafts[at];
    if (!task.hasParts || draft === undefined) return;
    const below = drafts.filter((_, other) => tasks[other]?.parent === task);
    const waits = (one: Draft) => draft.explicitId !== null && one.task.dependsOn.includes(draft.explicitId);
    drafts[at] = {
      ...draft,
      parts: below.flatMap((one) => (one.explicitId === null || waits(one) ? [] : one.explicitId)),
    };
  });
}

function isBelow(box: Open, group: Open): boolean {
  return box.parent !== null && (box.parent === group || isBelow(box.parent, group));
}

/**
 * Returns which boxes are for reviewing finished work. If most boxes have ids as in spec-kit (`T012`), these are the
 * boxes without an id below headings where no box has one, and checkpoints.
 */
function reviewBoxes(boxes: readonly Open[], idOf: (box: Open) => string): (box: Open) => boolean {
  const hasId = (box: Open) => /^T\d{2,}[a-z]?$/.test(idOf(box));
  const named = boxes.filter(hasId);
  if (named.length * 2 < boxes.length || named.length === 0) return () => false;
  const sections = new Set(named.map(({ section }) => section));
  return (box) => !hasId(box) && (!sections.has(box.section) || /^\W*checkpoint\b/i.test(box.box.text));
}

const linesOf = (boxes: readonly Open[]) => boxes.map(({ box }) => box.number);

/** Returns remarks that say why the boxes on these lines aren't tasks. */
export function passedOver(lines: readonly number[], why: string): ReadProblem[] {
  const [line] = lines;
  if (line === undefined) return [];
  const what = counted(lines.length, "check box isn't a task", "check boxes aren't tasks");
  const where = `line${lines.length === 1 ? '' : 's'} ${firstFew(lines.map(String), 8)}`;
  return [{ line, message: `${what} (${where}): ${why}`, of: null }];
}

const INLINE = /\b(?:(?:depends on|blocked by):?|(?:depends|dependenc(?:y|ies)|deps):)\s+([^();]+)/i;

/**
 * Takes "(depends on T012, T014)" in a title as dependencies, if these ids exist in the list. The words stay in the
 * title.
 */
function addInlineDependencies(drafts: readonly Draft[]): void {
  const ids = drafts.flatMap(({ explicitId }) => explicitId ?? []);
  // Only few titles mention other tasks.
  for (const { task, explicitId } of drafts) {
    const named = /dep|blocked/i.test(task.title) ? INLINE.exec(task.title)?.[1] : undefined;
    if (named === undefined || task.dependsOn.length > 0) continue;
    const known = readReferences(named).filter((name) =>
      ids.some((id) => id !== explicitId && (id === name || id.startsWith(`${name.replace(/\.x$/, '')}.`))),
    );
    if (known.length > 0) task.dependsOn = known;
  }
}

function placeOf(text: string, { box, last }: Open, numbers: NumberIds): TaskPlace {
  const { title } = splitId(box.text, numbers);
  const at = text.indexOf(box.text, box.at);
  return { first: box.number, last, title, titleAt: at === -1 ? -1 : at + box.text.lastIndexOf(title) };
}

/** Returns the lines of a new task, in the form of the last one. */
function newLines(text: string, tasks: readonly Open[], task: NewTask, numbers: NumberIds): string[] {
  const box = tasks.at(-1)?.box;
  const line = box === undefined ? '- [' : text.slice(text.lastIndexOf('\n', box.at) + 1, box.at);
  const bullet = line.slice(0, -1).replace(/\d+(?=[.)])/, (number) => String(Number(number) + 1));
  const ids = tasks.map((one) => splitId(one.box.text, numbers).id);
  const title = withNextId(task.title, box?.text ?? null, ids, numbers);
  return [`${bullet}[ ] ${title}`, ...bodyLines(task, ' '.repeat(bullet.length))];
}

function lineOf(task: Open | undefined, field: keyof Task | null): number | null {
  return (field === null ? null : task?.body?.lines?.[field]) ?? task?.box.number ?? null;
}

function put({ at, malformed }: Box, mark: Mark): Splice {
  return { from: at, to: malformed === null ? at + 1 : at + malformed.length - 2, text: mark };
}

function oddBox(odd: string): string {
  if (MARKS.some((mark) => odd === `[${mark}]`))
    return `a blank is missing beside ${odd}; write "- ${odd} title"`;
  return `the mark ${odd} isn't known; use [ ], [x], [-] (blocked) or [~] (in progress)`;
}

/** The section of a line: whether check boxes in it are tasks, and what its headings say about them. */
export type Section = {
  readonly counts: boolean;
  readonly priority: number | null;
  readonly group: string | null;
};

type Heading = Extract<MarkdownLine, { kind: 'heading' }>;

const TASKS = /^tasks\b/i;
/** A heading's first words count only if nothing but a remark follows: "High", but not "High availability". */
const REMARK = String.raw`(?=\s*(?:$|[^\p{L}\p{N}\s-]|(?:and|or)\b))`;
const THINGS =
  '(?:features?|enhancements?|improvements?|work|ideas?|tasks?|items?|extras?|additions?|steps?|plans?)';
const ASIDE = '(?:optional|future|nice[ -]to[ -]haves?)';
/** Headings of sections whose boxes aren't tasks, as fix_plan.md files have them. */
const LEFT_OUT = new RegExp(String.raw`^[^\p{L}]*${ASIDE}(?:\s+${THINGS})?${REMARK}|\(${ASIDE}\)`, 'iu');
const LEVELS: readonly (readonly [RegExp, number])[] = [
  [levelPattern('(?:high|critical|urgent)(?:est)?'), 1],
  [levelPattern('medium'), 2],
  [levelPattern('low(?:est)?'), 3],
];

function levelPattern(word: string): RegExp {
  return new RegExp(
    String.raw`^[^\p{L}]*${word}(?:\s+${THINGS})?${REMARK}|\b${word}[ -]priority\b|\bpriority:?\s+${word}\b`,
    'iu',
  );
}

export function isTasksHeading(line: MarkdownLine): boolean {
  return line.kind === 'heading' && line.level <= 3 && TASKS.test(line.text);
}

export function headingPriority(text: string): number | null {
  // The patterns are slow to compile, and only few headings have a priority.
  if (!/high|critical|urgent|medium|low/i.test(text)) return null;
  return LEVELS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/**
 * Returns a function that follows a file's headings. `within`: where tasks are looked for: in `## Tasks` sections, in
 * the whole file, or in a plan whose sections give priorities and may be left out.
 */
export function followSections(within: 'tasks-section' | 'file' | 'plan'): (heading: Heading) => Section {
  const stack: (Section & { readonly level: number })[] = [];
  return (heading) => {
    while ((stack.at(-1)?.level ?? 0) >= heading.level) stack.pop();
    const outer: Section = stack.at(-1) ?? {
      counts: within !== 'tasks-section',
      priority: null,
      group: null,
    };
    const opened = openSection(heading, outer, within);
    stack.push({ ...opened, level: heading.level });
    return opened;
  };
}

function openSection(heading: Heading, outer: Section, within: 'tasks-section' | 'file' | 'plan'): Section {
  switch (within) {
    case 'tasks-section':
      if (isTasksHeading(heading)) return { ...outer, counts: true };
      return outer.counts ? { ...outer, group: heading.text } : outer;
    case 'file':
      return { ...outer, group: heading.text };
    case 'plan':
      return {
        counts: outer.counts && !(/optional|future|nice/i.test(heading.text) && LEFT_OUT.test(heading.text)),
        priority: headingPriority(heading.text) ?? outer.priority,
        group: heading.text,
      };
  }
}
