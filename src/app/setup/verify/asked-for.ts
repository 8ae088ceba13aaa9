import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { EMPTY_TASK, type Task } from '../../../domain/task.ts';
import { VERIFY_EXIT } from '../../../domain/verification.ts';
import { readFileBytes, replaceFile, whyUnreadable } from '../../../io/store/index.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { loadTasks } from '../../../loop/index.ts';
import { idsAsked, parseTracker, trackerReader } from '../../../tasks/index.ts';
import { type Failure, failure } from '../../result.ts';
import type { Project } from '../project.ts';

/** What the work is held to; each may be missing. */
export type Demands = {
  /** Id of a task of the list. */
  readonly task: string | null;
  readonly text: string | null;
  /** A file with a criterion a line, relative to `cwd`. */
  readonly criteria: string | null;
};

type AskedFor = { readonly ok: true; readonly task: Task } | Failure;

/** What was asked for as a task; with an empty title, nothing was. */
export async function askedFor(
  project: Project,
  cwd: string,
  { task, text, criteria }: Demands,
): Promise<AskedFor> {
  if (task !== null && (text !== null || criteria !== null))
    return failure('A task says what was asked for: leave out --text and --criteria.', 'ralph verify --help');
  if (task !== null) return taskOfList(project, task);
  const [title = '', ...more] = (text ?? '').trim().split('\n');
  const given = { ...EMPTY_TASK, id: 'V-1', title: title.trim(), description: more.join('\n').trim() };
  if (criteria === null) return { ok: true, task: given };
  const read = readText(resolve(cwd, criteria));
  if (read === null) return failure(`${criteria} can't be read.`);
  const lines = read.split('\n').flatMap((line) => {
    const item = line.trim().replace(/^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '');
    return item === '' || item.startsWith('#') ? [] : [`  - ${item}\n`];
  });
  const list = `## Tasks\n\n- [ ] **V-1** What was asked for\n${lines.join('')}`;
  const parsed = parseTracker(list, criteria, await trackerReader(list, criteria, 'markdown'), []);
  const [found] = parsed.ok ? parsed.tasks : [];
  if (found === undefined || (found.acceptance.length === 0 && found.checks.length === 0))
    return failure(`${criteria} has no criteria: one a line, or "Check: \`COMMAND\`".`);
  const { description, ...rest } = found;
  return { ok: true, task: { ...rest, title: given.title, description: given.description || description } };
}

async function taskOfList({ tracker, store }: Project, name: string): Promise<AskedFor> {
  const loaded = await loadTasks({ ports: { tracker, store } });
  if (!loaded.ok) return failure(loaded.message, loaded.next);
  const [id] = idsAsked(loaded.tasks, [name]);
  const task = loaded.tasks.find((one) => one.id === id);
  if (task === undefined) return failure(`There is no task ${name}.`, 'ralph tasks');
  const { source } = loaded.tracker;
  // A mark in the list isn't work.
  if (source !== null) store.commit(() => [{ type: 'tracker_fixed', ...source, others: [] }]);
  return { ok: true, task };
}

function readText(path: string): string | null {
  try {
    return readFileBytes(path).toString('utf8');
  } catch {
    return null;
  }
}

/** The text of a report, relative to `cwd`; `-`: from the standard input. `null`: it can't be read. */
export async function readReport(cwd: string, path: string): Promise<string | null> {
  if (path === '-') return readAll(process.stdin);
  return tryOr(null, () => readFileBytes(resolve(cwd, path)).toString('utf8'));
}

/** Writes the answer in one of its forms to a file, relative to `cwd`, in the place of what it holds. */
export function writeAnswer(cwd: string, path: string, text: string): Failure | null {
  try {
    replaceFile(resolve(cwd, path), text, { durability: 'none' });
    return null;
  } catch (error) {
    return failure(`${path} can't be written: ${whyUnreadable(error)}.`, null, VERIFY_EXIT.usage);
  }
}
