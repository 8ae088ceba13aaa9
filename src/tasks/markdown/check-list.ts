import type { NewTask, Task, TrackedStatus } from '../../domain/task.ts';
import type { Draft, Reading, ReadProblem, Written } from '../tracker-format.ts';
import { addLine, type Body, finishBody, newBody } from './body.ts';
import { bodyLines, editMarkdown, type TaskPlace, withNextId } from './edit-list.ts';
import type { LineProblem, MarkdownLine } from './lines.ts';
import { MARKS, markOfStatus, statusOfMark } from './marks.ts';
import { followSections, isTasksHeading, type Section } from './sections.ts';
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
      if (line.kind === 'box') problems.push(untitled(line));
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

function untitled({ number }: Box): ReadProblem {
  return { line: number, message: "a check box without a title isn't a task; add a title", of: null };
}

function oddBox(odd: string): string {
  if (MARKS.some((mark) => odd === `[${mark}]`))
    return `a blank is missing beside ${odd}; write "- ${odd} title"`;
  return `the mark ${odd} isn't known; use [ ], [x], [-] (blocked) or [~] (in progress)`;
}
