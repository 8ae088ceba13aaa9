import type { NewTask, Task } from '../../domain/task.ts';
import { counted } from '../../lib/counted.ts';
import { firstFew } from '../../lib/text.ts';
import { readReferences } from '../task-fields.ts';
import type { Draft, Reading, ReadProblem, Splice, Written } from '../tracker-format.ts';
import { addLine, type Body, finishBody, newBody } from './body.ts';
import { bodyLines, editMarkdown, type TaskPlace, withNextId } from './edit-list.ts';
import {
  type LineProblem,
  MARKS,
  type Mark,
  type MarkdownLine,
  markOfStatus,
  meaningsAt,
  statusOfMark,
} from './lines.ts';
import { type NumberIds, numberIdsOf, numberIn, splitId } from './title.ts';

type Box = Extract<MarkdownLine, { kind: 'box' }>;
type Open = {
  readonly box: Box;
  readonly section: Section;
  /** The box before it below whose number its own one stands: `2` of `2.1`. */
  readonly parent: Open | null;
  readonly isOptional: boolean;
  /** Whether a box that isn't optional has it as its parent, or parent's parent. */
  hasParts: boolean;
  body: Body | null;
  last: number;
};

/** Columns by which a line must stand further in than its task to belong to it, as in CommonMark. */
const INSIDE = 2;

/**
 * Check lists: each outer check box is a task, what is indented below it belongs to it. Boxes whose numbers stand below that of another one
 * (`2.1`, `2.2` of `2`) are tasks, and the other one is their group, unless it says more than its title; it is ticked with the last of them.
 * `markdown-prd` takes the `## Tasks` section where there is one, else the whole file; `markdown-plan` reads priorities from its sections.
 */
export function readCheckList(
  text: string,
  path: string,
  lines: readonly MarkdownLine[],
  lineProblems: readonly LineProblem[],
  format: 'markdown-prd' | 'markdown-plan',
): Reading {
  const hasSection = format === 'markdown-prd' && lines.some(isTasksHeading);
  const within = format === 'markdown-plan' ? 'plan' : hasSection ? 'tasks-section' : 'file';
  const enter = followSections(within);
  let section: Section = { counts: within !== 'tasks-section', priority: null, group: null };
  const boxes: Open[] = [];
  const outside: number[] = [];
  const problems: ReadProblem[] = lineProblems.map((problem) => ({ ...problem, of: 'file' }));
  const byNumber = new Map<string, Open>();
  let stack: Open[] = [];
  // A paragraph that follows without an empty line continues, however little it is indented.
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
      if (line.kind !== 'blank') current.body ??= newBody();
      if (current.body !== null) addLine(current.body, line);
      lazy = line.kind !== 'blank';
      if (lazy) current.last = line.number;
      continue;
    }
    lazy = false;
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
  const tasks = boxes.filter((box) => !box.isOptional && !isGroup(box) && !isReview(box));
  tasks.forEach(({ box, body }, of) => {
    if (box.odd !== null) problems.push({ line: box.number, message: oddBox(box.odd), of });
    for (const problem of body?.problems ?? []) problems.push({ ...problem, of });
  });
  problems.push(
    ...passedOver(outside, 'outside of where tasks are looked for'),
    ...passedOver(linesOf(boxes.filter(isReview)), 'without an id, where tasks have ids such as T001'),
    ...passedOver(
      linesOf(boxes.filter(({ isOptional }) => isOptional)),
      'optional; take the star away to have one worked on',
    ),
  );
  const meanings = meaningsAt(path);
  const isDone = ({ box }: Open) => statusOfMark(box.mark, meanings) === 'done';
  const drafts = tasks.map((task): Draft => {
    const { id = null, title = '' } = heads.get(task) ?? {};
    const { priority } = task.section;
    const group = task.parent === null ? task.section.group : (heads.get(task.parent)?.title ?? null);
    const head = { id: '', title, status: statusOfMark(task.box.mark, meanings), priority, group };
    return {
      explicitId: id ?? task.body?.explicitId ?? null,
      task: finishBody(task.body, 'acceptance', head),
    };
  });
  addInlineDependencies(drafts);
  return {
    format,
    drafts,
    problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    lineOf: (index, field) => lineOf(tasks[index], field),
    holdsBlocked: markOfStatus('blocked', meanings) !== null,
    write: (index, status): Written => {
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

/** A box with parts that says nothing but its title. */
function isGroup({ hasParts, body }: Open): boolean {
  return hasParts && (body === null || body.entries.length === 0);
}

function isBelow(box: Open, group: Open): boolean {
  return box.parent !== null && (box.parent === group || isBelow(box.parent, group));
}

/**
 * Where most boxes have ids as spec-kit gives them (`T012`), those below a heading without any are there to check what was done, as are
 * checkpoints.
 */
function reviewBoxes(boxes: readonly Open[], idOf: (box: Open) => string): (box: Open) => boolean {
  const hasId = (box: Open) => /^T\d{2,}[a-z]?$/.test(idOf(box));
  const named = boxes.filter(hasId);
  if (named.length * 2 < boxes.length || named.length === 0) return () => false;
  const sections = new Set(named.map(({ section }) => section));
  return (box) => !hasId(box) && (!sections.has(box.section) || /^\W*checkpoint\b/i.test(box.box.text));
}

const linesOf = (boxes: readonly Open[]) => boxes.map(({ box }) => box.number);

/** What says that these boxes, by their lines, aren't tasks. */
export function passedOver(lines: readonly number[], why: string): ReadProblem[] {
  const [line] = lines;
  if (line === undefined) return [];
  const what = counted(lines.length, "check box isn't a task", "check boxes aren't tasks");
  const where = `line${lines.length === 1 ? '' : 's'} ${firstFew(lines.map(String), 8)}`;
  return [{ line, message: `${what} (${where}): ${why}`, of: null }];
}

const INLINE = /\b(?:depends on|blocked by):?\s+([^();]+)/i;

/** Takes "(depends on T012, T014)" in a title for a dependency, as far as these are ids here; the words stay in the title. */
function addInlineDependencies(drafts: readonly Draft[]): void {
  const ids = drafts.flatMap(({ explicitId }) => explicitId ?? []);
  // Few titles speak of others.
  for (const { task, explicitId } of drafts) {
    const named = /depends|blocked/i.test(task.title) ? INLINE.exec(task.title)?.[1] : undefined;
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

/** A new task as the last one is written. */
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

function put({ at, odd }: Box, mark: Mark): Splice {
  return { from: at, to: odd === null ? at + 1 : at + odd.length - 2, text: mark };
}

function oddBox(odd: string): string {
  if (MARKS.some((mark) => odd === `[${mark}]`))
    return `a blank is missing beside ${odd}; write "- ${odd} title"`;
  return `the mark ${odd} isn't known; use [ ], [x], [-] (blocked) or [~] (in progress)`;
}

/** Where a line stands: whether check boxes there are tasks, and what its headings say of them. */
export type Section = {
  readonly counts: boolean;
  readonly priority: number | null;
  readonly group: string | null;
};

type Heading = Extract<MarkdownLine, { kind: 'heading' }>;

const TASKS = /^tasks\b/i;
/** A heading's first words count when nothing else follows them than a remark: "High", not "High availability". */
const REMARK = String.raw`(?=\s*(?:$|[^\p{L}\p{N}\s-]|(?:and|or)\b))`;
const THINGS =
  '(?:features?|enhancements?|improvements?|work|ideas?|tasks?|items?|extras?|additions?|steps?|plans?)';
const ASIDE = '(?:optional|future|nice[ -]to[ -]haves?)';
/** fix_plan.md: what stands under these is not to be done by the loop (spec 1-loop, Tasks). */
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
  // The patterns are dear to make ready, and few headings speak of a priority.
  if (!/high|critical|urgent|medium|low/i.test(text)) return null;
  return LEVELS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/**
 * Follows the headings of a file. `within`: where tasks are looked for: in the `## Tasks` sections alone, anywhere,
 * or anywhere in a plan whose sections carry a priority and may be left out.
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
