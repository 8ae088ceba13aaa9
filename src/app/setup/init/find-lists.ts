import { join } from 'node:path';
import type { SeenFiles } from '../../../decide/index.ts';
import { readFileBytes } from '../../../io/store/index.ts';
import { counted } from '../../../lib/counted.ts';
import { firstFew } from '../../../lib/text.ts';
import { parseTracker, trackerCandidates, trackerReader } from '../../../tasks/index.ts';

/** A file with tasks. */
export type FoundList = {
  readonly path: string;
  readonly tasks: number;
  /** What looks like a task and is none, or needs a look, with its line. */
  readonly remarks: readonly string[];
  /** Runs find it without being told. */
  readonly isUsual: boolean;
};

/** Names of task lists that runs don't look for: such a list is named in the configuration. */
const ELSEWHERE =
  /^(?:(?:docs?|\.github|specs?|plans?)\/)?(?:todos?|prd|plan|tasks?|backlog|fix_plan)\.(?:md|markdown|ya?ml|json)$/i;

/** The files of a repository that hold open or done tasks, the one that a run would take first. */
export async function findLists(root: string, files: SeenFiles): Promise<FoundList[]> {
  const usual = trackerCandidates('auto');
  const others = [...files.paths].filter((path) => ELSEWHERE.test(path) && !usual.includes(path)).sort();
  const lists: FoundList[] = [];
  for (const path of [...usual, ...others]) {
    const found = await tasksIn(root, path);
    if (found.tasks > 0) lists.push({ path, ...found, isUsual: usual.includes(path) });
  }
  return lists;
}

/** How many tasks a file holds, and what of it is none; 0 where it is none, or can't be read. */
export async function tasksIn(root: string, path: string): Promise<Pick<FoundList, 'tasks' | 'remarks'>> {
  try {
    const text = readFileBytes(join(root, path)).toString('utf8');
    const parsed = parseTracker(text, path, await trackerReader(text, path, 'auto'), []);
    return parsed.ok ? { tasks: parsed.tasks.length, remarks: remarksOf(parsed, text, path) } : NONE;
  } catch {
    return NONE;
  }
}

const NONE = { tasks: 0, remarks: [] };
/** Remarks that are worth a line each at the first look. */
const MOST_REMARKS = 5;
const OUTER_BOX = /^ ?(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?\[[^\]\d]?\](?:\s|$)/;

/** What is wrong in a list, and which of its check boxes are no tasks. */
function remarksOf({ tasks, problems, lineOf }: ReadList, text: string, path: string): string[] {
  const remarks = problems.map(
    ({ line, message }) => `${path}${line === null ? '' : `:${line}`}: ${message}`,
  );
  const known = new Set([...tasks.map(({ id }) => lineOf(id, null)), ...problems.map(({ line }) => line)]);
  const boxes = /\.(?:md|markdown|mdx)$/i.test(path) ? text.split('\n') : [];
  const lines = boxes.flatMap((line, at) => (OUTER_BOX.test(line) && !known.has(at + 1) ? [at + 1] : []));
  const others =
    lines.length === 0
      ? []
      : [
          `${path}: ${counted(lines.length, "check box isn't a task", "check boxes aren't tasks")} (line${lines.length === 1 ? '' : 's'} ${firstFew(lines.map(String), 8)}).`,
        ];
  const more = remarks.length - MOST_REMARKS;
  return [
    ...remarks.slice(0, MOST_REMARKS),
    ...(more > 0 ? [`${path}: ${more} more: ralph tasks`] : []),
    ...others,
  ];
}

type ReadList = Extract<ReturnType<typeof parseTracker>, { ok: true }>;
