import { join } from 'node:path';
import type { SeenFiles } from '../../../decide/index.ts';
import type { TrackerProblem } from '../../../domain/task.ts';
import { parseTracker } from '../../../tasks/index.ts';
import { candidatesIn } from '../tracker/candidates.ts';
import { readTracker } from '../tracker/find-tracker.ts';

/** A file with tasks. */
export type FoundList = {
  readonly path: string;
  readonly tasks: number;
  /** Those that aren't done. */
  readonly open: number;
  /** What looks like a task and is none, or needs a look, with its line. */
  readonly remarks: readonly string[];
  /** Runs find it without being told. */
  readonly isUsual: boolean;
};

/** Names of task lists that runs don't look for: such a list is named in the configuration. */
const ELSEWHERE =
  /^(?:(?:docs?|\.github|specs?|plans?)\/)?(?:todos?|prd|plan|tasks?|backlog|fix_plan)\.(?:md|markdown|ya?ml|json)$/i;

/** The lists of a repository with open or done tasks, the one that a run would take first. */
export async function findLists(root: string, files: SeenFiles): Promise<FoundList[]> {
  const { usual, elsewhere } = candidatesIn(root, 'auto');
  const known = [...usual, ...elsewhere];
  const others = [...files.paths].filter((path) => ELSEWHERE.test(path) && !known.includes(path)).sort();
  const lists: FoundList[] = [];
  for (const path of [...known, ...others]) {
    const found = await tasksIn(root, path);
    if (found.tasks > 0) lists.push({ path, ...found, isUsual: usual.includes(path) });
  }
  // Of what other tools keep, lists with something to do come first, as a run takes them.
  const isFinished = ({ path, open }: FoundList) => elsewhere.includes(path) && open === 0;
  return [...lists.filter((list) => !isFinished(list)), ...lists.filter(isFinished)];
}

/** How many tasks a list holds, and what of it is none; 0 where it is none, or can't be read. */
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
/** Remarks that are worth a line each at the first look. */
const MOST_REMARKS = 5;

/** What is wrong in a list, and what of it is passed over. */
function remarksOf(problems: readonly TrackerProblem[], path: string): string[] {
  const remarks = problems.map(
    ({ line, message }) => `${path}${line === null ? '' : `:${line}`}: ${message}`,
  );
  const more = remarks.length - MOST_REMARKS;
  return [...remarks.slice(0, MOST_REMARKS), ...(more > 0 ? [`${path}: ${more} more: ralph tasks`] : [])];
}
