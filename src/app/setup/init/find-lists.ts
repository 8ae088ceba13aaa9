import { join } from 'node:path';
import type { SeenFiles } from '../../../decide/index.ts';
import { readFileBytes } from '../../../io/store/index.ts';
import { parseTracker, trackerCandidates, trackerReader } from '../../../tasks/index.ts';

/** A file with tasks. */
export type FoundList = {
  readonly path: string;
  readonly tasks: number;
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
    const tasks = await tasksIn(root, path);
    if (tasks > 0) lists.push({ path, tasks, isUsual: usual.includes(path) });
  }
  return lists;
}

/** How many tasks a file holds; 0 where it is none, or can't be read. */
export async function tasksIn(root: string, path: string): Promise<number> {
  try {
    const text = readFileBytes(join(root, path)).toString('utf8');
    const parsed = parseTracker(text, path, await trackerReader(text, path, 'auto'), []);
    return parsed.ok ? parsed.tasks.length : 0;
  } catch {
    return 0;
  }
}
