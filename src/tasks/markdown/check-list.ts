import type { NewTask, Task, TrackedStatus } from '../../domain/task.ts';
import type { Draft, Reading, ReadProblem, Written } from '../tracker-format.ts';
import { addLine, type Body, finishBody, newBody } from './body.ts';
import { bodyLines, editMarkdown, type TaskPlace, withNextId } from './edit-list.ts';
import { type LineProblem, MARKS, type MarkdownLine, markOfStatus, statusOfMark } from './lines.ts';
import { type NumberIds, numberIdsOf, splitId } from './title.ts';

type Box = Extract<MarkdownLine, { kind: 'box' }>;
type Open = { readonly box: Box; readonly section: Section; body: Body | null; last: number };

/** Columns by which a line must stand further in than its task to belong to it, as in CommonMark. */
const INSIDE = 2;

/**
 * Check lists: each outer check box is a task, what is indented below it belongs to it. `markdown-prd` takes the
 * `## Tasks` section where there is one, else the whole file; `markdown-plan` reads priorities from its sections.
 */
export function readCheckList(
  text: string,
  lines: readonly MarkdownLine[],
  lineProblems: readonly LineProblem[],
  format: 'markdown-prd' | 'markdown-plan',
): Reading {
  const hasSection = format === 'markdown-prd' && lines.some(isTasksHeading);
  const within = format === 'markdown-plan' ? 'plan' : hasSection ? 'tasks-section' : 'file';
  const enter = followSections(within);
  let section: Section = { counts: within !== 'tasks-section', priority: null, group: null };
  const tasks: Open[] = [];
  const problems: ReadProblem[] = lineProblems.map((problem) => ({ ...problem, of: 'file' }));
  let current: Open | null = null;
  // A paragraph that follows without an empty line continues, however little it is indented.
  let lazy = false;

  for (const line of lines) {
    if (line.kind === 'heading') {
      section = enter(line);
      current = null;
      continue;
    }
    if (!section.counts) continue;
    const inside: boolean =
      current !== null && (line.indent >= current.box.indent + INSIDE || line.kind === 'blank');
    const continues = current !== null && lazy && (line.kind === 'text' || line.kind === 'code');
    if (current !== null && (inside || continues)) {
      if (line.kind !== 'blank') current.body ??= newBody();
      if (current.body !== null) addLine(current.body, line);
      lazy = line.kind !== 'blank';
      if (lazy) current.last = line.number;
      continue;
    }
    current = null;
    lazy = false;
    if (line.kind === 'box' && line.text !== '') {
      current = { box: line, section, body: null, last: line.number };
      tasks.push(current);
      lazy = true;
    } else {
      if (line.kind === 'box')
        problems.push({
          line: line.number,
          message: "a check box without a title isn't a task; add a title",
          of: null,
        });
    }
  }

  const numbers = numberIdsOf(tasks.map(({ box }) => box.text));
  tasks.forEach(({ box, body }, of) => {
    if (box.odd !== null) problems.push({ line: box.number, message: oddBox(box.odd), of });
    for (const problem of body?.problems ?? []) problems.push({ ...problem, of });
  });
  return {
    format,
    drafts: tasks.map((task) => toDraft(task, numbers)),
    problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    lineOf: (index, field) => lineOf(tasks[index], field),
    holdsBlocked: true,
    write: (index, status) => writeBox(tasks[index]?.box, status),
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

function toDraft({ box, section, body }: Open, numbers: NumberIds): Draft {
  const { id, title } = splitId(box.text, numbers);
  const { priority, group } = section;
  const head = { id: '', title, status: statusOfMark(box.mark), priority, group };
  return {
    explicitId: id ?? body?.explicitId ?? null,
    task: finishBody(body, 'acceptance', head),
  };
}

function lineOf(task: Open | undefined, field: keyof Task | null): number | null {
  return (field === null ? null : task?.body?.lines?.[field]) ?? task?.box.number ?? null;
}

function writeBox(box: Box | undefined, status: TrackedStatus): Written {
  const mark = markOfStatus(status);
  if (box === undefined || mark === null) return { kind: 'not_held' };
  const to = box.odd === null ? box.at + 1 : box.at + box.odd.length - 2;
  return { kind: 'splices', splices: [{ from: box.at, to, text: mark }] };
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
