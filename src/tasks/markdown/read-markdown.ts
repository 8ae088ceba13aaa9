import type { ReadResult } from '../draft.ts';
import { readCheckList } from './check-list.ts';
import { isTaskHeading, readHeadedTasks } from './headed-tasks.ts';
import { readLines } from './lines.ts';
import { headingPriority, isTasksHeading } from './sections.ts';

/** Reads any of the Markdown forms; every text is one of them. */
export function readMarkdown(text: string, path: string): ReadResult {
  const { lines, problems } = readLines(text);
  if (lines.some(isTaskHeading)) return { ok: true, reading: readHeadedTasks(lines, problems) };
  const isPlan =
    /(?:^|[/\\])@?(?:fix[_-]?plan|implementation[_-]?plan|plan)\.\w+$/i.test(path) ||
    lines.some((line) => line.kind === 'heading' && headingPriority(line.text) !== null);
  const format = isPlan && !lines.some(isTasksHeading) ? 'markdown-plan' : 'markdown-prd';
  return { ok: true, reading: readCheckList(lines, problems, format) };
}
