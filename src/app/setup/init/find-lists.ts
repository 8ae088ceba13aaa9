import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SeenFiles } from 'ralph-ecosystems';
import { isObject } from 'ralph-kit/is-object';
import { parseTracker } from 'ralph-task-lists';
import type { TrackerProblem } from 'ralph-task-lists/task';
import { parseToml } from '../../../config/index.ts';
import { candidatesIn } from '../tracker/candidates.ts';
import { readTracker } from '../tracker/find-tracker.ts';
import { tomlText } from './config-text.ts';

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

/**
 * Returns a configuration with this `[tracker] path` and nothing else changed; `null`: the change isn't safe, so you
 * have to make it.
 */
export function withTrackerPath(text: string, path: string): string | null {
  const before = settingsIn(text);
  if (before === null) return null;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const line = `path = ${tomlText(path)}`;
  const section = lines.findIndex((one) => /^\s*\[tracker\]\s*(?:#.*)?$/.test(one));
  const size = lines.slice(section + 1).findIndex((one) => /^\s*\[/.test(one));
  const last = size === -1 ? lines.length : section + 1 + size;
  const at = lines.findIndex(
    (one, index) => index > section && index < last && /^\s*#?\s*path\s*=/.test(one),
  );
  if (section === -1) lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, '[tracker]', line);
  else if (at === -1) lines.splice(section + 1, 0, line);
  else lines.splice(at, 1, line);
  const changed = lines.join(end);
  const wanted = { ...before, tracker: { ...(isObject(before.tracker) ? before.tracker : {}), path } };
  return isDeepStrictEqual(settingsIn(changed), wanted) ? changed : null;
}

function settingsIn(text: string): Record<string, unknown> | null {
  const parsed = parseToml('ralph.toml', text);
  // The parser's tables have no prototype, so they never equal tables from this file. A copy does.
  return parsed.ok ? structuredClone(parsed.table) : null;
}
