import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { DISTINCT_NAMES } from 'ralph-ecosystems';
import { accessCommand, whyUnwritable } from 'ralph-kit/files/access-command';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import { idsOfNames, parseTracker, trackerReader } from 'ralph-task-lists';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { noTaskText, type Task } from '../../../domain/task.ts';
import { VERIFY_EXIT } from '../../../domain/verification.ts';
import { loadTasks } from '../../../loop/index.ts';
import { type Failure, failure } from '../../result.ts';
import type { Project } from '../project.ts';

export type Demands = {
  readonly task: string | null;
  readonly text: string | null;
  /** Path of a file with one criterion per line, relative to `cwd`; `null`: none. */
  readonly criteria: string | null;
};

type VerifyRequest = { readonly ok: true; readonly task: Task } | Failure;

/** Returns the request as a task. An empty title means that there was no request. */
export async function requestOf(
  project: Project,
  cwd: string,
  { task, text, criteria }: Demands,
): Promise<VerifyRequest> {
  if (task !== null && (text !== null || criteria !== null))
    return failure('A task says what was asked for: leave out --text and --criteria.', 'ralph verify --help');
  if (task !== null) return taskOfList(project, task);
  const [title = '', ...more] = (text ?? '').trim().split('\n');
  const request = { ...EMPTY_TASK, id: 'V-1', title: title.trim(), description: more.join('\n').trim() };
  if (criteria === null) return { ok: true, task: request };
  const read = readText(resolve(cwd, criteria));
  if (read === null) return failure(`${criteria} can't be read.`, 'ralph verify --help');
  const lines = read.split('\n').flatMap((line) => {
    const item = line.trim().replace(/^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '');
    return item === '' || item.startsWith('#') ? [] : [`  - ${item}\n`];
  });
  const list = `## Tasks\n\n- [ ] **V-1** What was asked for\n${lines.join('')}`;
  const parsed = parseTracker(
    list,
    criteria,
    await trackerReader(list, criteria, 'markdown', { programs: DISTINCT_NAMES }),
    [],
  );
  const [found] = parsed.ok ? parsed.tasks : [];
  if (found === undefined || (found.acceptance.length === 0 && found.checks.length === 0))
    return failure(
      `${criteria} has no criteria.`,
      `Write one a line into ${criteria}, or "Check: \`COMMAND\`".`,
    );
  const { description, ...rest } = found;
  return {
    ok: true,
    task: { ...rest, title: request.title, description: request.description || description },
  };
}

async function taskOfList({ tracker, store }: Project, name: string): Promise<VerifyRequest> {
  const loaded = await loadTasks({ ports: { tracker, store } });
  if (!loaded.ok) return failure(loaded.message, loaded.next ?? 'ralph doctor');
  const [id] = idsOfNames(loaded.tasks, [name]);
  const task = loaded.tasks.find((one) => one.id === id);
  if (task === undefined) return failure(noTaskText(name, [], loaded.tracker.givenUp), 'ralph tasks');
  const { source } = loaded.tracker;
  // The list is recorded as it is now, so that marks in it don't count as work.
  if (source !== null) store.commit(() => [{ type: 'tracker_fixed', ...source, others: [] }]);
  return { ok: true, task };
}

function readText(path: string): string | null {
  return tryOr(null, () => readFileBytes(path).toString('utf8'));
}

/** Reads a report. `path` is relative to `cwd`; `-` means standard input. Returns `null` if it can't be read. */
export async function readReport(cwd: string, path: string): Promise<string | null> {
  if (path === '-') return readAll(process.stdin);
  return readText(resolve(cwd, path));
}

/**
 * Writes an answer to a file and replaces its content. `path` is relative to `cwd`. Returns a failure; `null`: it
 * worked.
 */
export function writeAnswer(cwd: string, path: string, text: string): Failure | null {
  try {
    replaceFile(resolve(cwd, path), text, { durability: 'none' });
    return null;
  } catch (error) {
    return failure(
      `${path} can't be written: ${whyUnwritable(resolve(cwd, path), error)}.`,
      accessCommand(resolve(cwd, path), 'write') ?? 'ralph doctor',
      VERIFY_EXIT.usage,
    );
  }
}
