import { join } from 'node:path';
import { parseTracker } from 'ralph-task-lists';
import type { TrackerProblem } from 'ralph-task-lists/task';
import type { SeenFiles } from '../../../decide/index.ts';
import { candidatesIn } from '../tracker/candidates.ts';
import { readTracker } from '../tracker/find-tracker.ts';

export type FoundList = {
  readonly path: string;
  readonly tasks: number;
  readonly open: number;
  /** Remarks with line numbers on lines that look like tasks, or that have a problem. */
  readonly remarks: readonly string[];
  /** Whether runs find the list without configuration. */
  readonly isUsual: boolean;
};

/** Names of task lists that runs don't look for. For these, `ralph init` writes the path into the configuration. */
const ELSEWHERE =
  /^(?:(?:docs?|\.github|specs?|plans?)\/)?(?:todos?|prd|plan|tasks?|backlog|fix_plan)\.(?:md|markdown|ya?ml|json)$/i;

/** Returns the repository's lists with tasks. The first one is the list that a run would use. */
export async function findLists(root: string, files: SeenFiles): Promise<FoundList[]> {
  const { usual, elsewhere } = candidatesIn(root, 'auto');
  const known = [...usual, ...elsewhere];
  const others = [...files.paths].filter((path) => ELSEWHERE.test(path) && !known.includes(path)).sort();
  const lists: FoundList[] = [];
  for (const path of [...known, ...others]) {
    const found = await tasksIn(root, path);
    if (found.tasks > 0) lists.push({ path, ...found, isUsual: usual.includes(path) });
  }
  // As in a run, lists of other tools with open tasks come first.
  const isFinished = ({ path, open }: FoundList) => elsewhere.includes(path) && open === 0;
  return [...lists.filter((list) => !isFinished(list)), ...lists.filter(isFinished)];
}

/** Returns the number of tasks in a file; 0 if it isn't a list, or can't be read. */
export async function tasksIn(root: string, path: string): Promise<Omit<FoundList, 'path' | 'isUsual'>> {
  try {
    const found = await readTracker(root, join(root, path), { kind: 'auto', label: '' });
    const parsed = found.ok ? parseTracker(found.text, found.name, found.reader, []) : found;
    if (!parsed.ok) return NONE;
    const open = parsed.tasks.filter(({ status }) => status !== 'done').length;
    return { tasks: parsed.tasks.length, open, remarks: remarksOf(parsed.problems, path) };
  } catch {
    return NONE;
  }
}

const NONE = { tasks: 0, open: 0, remarks: [] };
const MOST_REMARKS = 5;

function remarksOf(problems: readonly TrackerProblem[], path: string): string[] {
  const remarks = problems.map(
    ({ line, message }) => `${path}${line === null ? '' : `:${line}`}: ${message}`,
  );
  const more = remarks.length - MOST_REMARKS;
  return [...remarks.slice(0, MOST_REMARKS), ...(more > 0 ? [`${path}: ${more} more: ralph tasks`] : [])];
}
