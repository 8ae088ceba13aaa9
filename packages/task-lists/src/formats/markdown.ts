import { headingPriority, isTasksHeading, readCheckList } from '../markdown/check-list.ts';
import { headingFormOf, readHeadedTasks } from '../markdown/headed-tasks.ts';
import { dialectAt, readLines } from '../markdown/lines.ts';
import { DEFAULT_INPUT, type ReaderInput, type ReadResult, type TaskList } from '../task-list.ts';

/**
 * Markdown task files: check lists, plans with a priority in their headings, and plans with a heading for each task.
 */
export const MARKDOWN_FORMAT: TaskList = {
  storage: 'file',
  names: ['PRD.md', 'prd.md'],
  laterNames: [
    'fix_plan.md',
    '@fix_plan.md',
    'IMPLEMENTATION_PLAN.md',
    './PLAN.md',
    'plan.md',
    './TASKS.md',
    'tasks.md',
  ],
  elsewhere: [
    '.kiro/specs/*/tasks.md',
    'openspec/changes/*/tasks.md',
    'specs/*/tasks.md',
    'docs/plans/*.md',
    'docs/superpowers/plans/*.md',
  ],
  ownsPath: (path) => /\.(md|markdown|mdx)$/i.test(path),
  ownsText: () => false,
  reader: readMarkdown,
};

const PLAN_NAME = /(?:^|[/\\])@?(?:fix[_-]?plan|implementation[_-]?plan|plan)\.\w+$/i;

/** Reads a text in any of the Markdown forms. Every text has one of them. */
function readMarkdown(text: string, path: string, { programs }: ReaderInput = DEFAULT_INPUT): ReadResult {
  const dialect = dialectAt(path);
  const { lines, problems } = readLines(text, dialect);
  const form = headingFormOf(lines);
  if (form !== null) return { ok: true, reading: readHeadedTasks(text, lines, problems, form, programs) };
  const isPlan =
    PLAN_NAME.test(path) ||
    lines.some((line) => line.kind === 'heading' && headingPriority(line.text) !== null);
  const format = isPlan && !lines.some(isTasksHeading) ? 'markdown-plan' : 'markdown-prd';
  return { ok: true, reading: readCheckList(text, dialect, lines, problems, format, programs) };
}
