import { didYouMean } from 'ralph-kit/nearest';
import type { JournalRecord, JournalRecordOf } from '../../domain/records/journal.ts';
import { readRecords } from '../../store/index.ts';
import { type Failure, failure } from '../result.ts';
import type { Workspace } from '../setup/workspace.ts';
import { iterationFolders } from './iteration-files.ts';

export type AttemptQuery = {
  /** Iteration or task, as typed; `null`: the newest attempt. */
  readonly which: string | null;
  /** Id of a task, which may be a number. */
  readonly task: string | null;
};

/** Journal records of one attempt. `started`: `null` if the record is lost. */
export type Attempt = {
  readonly iteration: number;
  readonly started: JournalRecordOf<'iteration_started'> | null;
  /** Record of the attempt's end; `null`: it is running, or was killed and no later run recorded that. */
  readonly ended: JournalRecordOf<'iteration_finished'> | JournalRecordOf<'iteration_interrupted'> | null;
};

/**
 * Finds one attempt, or all attempts at a task, oldest first. A number means an iteration if there is one. Fails if
 * nothing is found.
 */
export function findAttempts(
  project: Workspace,
  { which, task }: AttemptQuery,
  command: string,
): { readonly ok: true; readonly attempts: readonly Attempt[] } | Failure {
  const folders = iterationFolders(project.folder);
  const newest = Math.max(project.store.state.counters.iteration, folders.at(-1)?.iteration ?? 0);
  if (newest === 0) return failure('There are no iterations yet.', 'ralph run');
  if (task !== null) return ofTask(project, task, command);
  const number = which === null ? newest : Number(which.replace(/^#/, ''));
  if (Number.isInteger(number)) {
    const records = recordsOf(project, (part) => part.some(isStartOf(number)));
    const attempt = attemptOf(records, number);
    if (attempt.started !== null || folders.some(({ iteration }) => iteration === number))
      return { ok: true, attempts: [attempt] };
  }
  if (which === null || !Number.isInteger(number)) return ofTask(project, which ?? '', command);
  const found = ofTask(project, which, command);
  const kept = folders.length === 0 ? 'none' : `${folders[0]?.iteration} to ${newest}`;
  return found.ok ? found : failure(`There is no iteration ${which}. Known: ${kept}.`, command);
}

export function attemptsIn(project: Workspace, runs: ReadonlySet<string>): readonly Attempt[] {
  const records = recordsOf(project, () => false);
  const begun = records.flatMap((record) =>
    record.type === 'iteration_started' && runs.has(record.run) ? [record.iteration] : [],
  );
  return [...new Set(begun)].map((iteration) => attemptOf(records, iteration));
}

function ofTask(project: Workspace, id: string, command: string): ReturnType<typeof findAttempts> {
  const records = recordsOf(project, () => false);
  const started = records.filter((record) => record.type === 'iteration_started');
  const known = [...new Set(started.map(({ taskId }) => taskId))];
  const which = known.find((one) => one.toLowerCase() === id.trim().toLowerCase()) ?? id;
  const attempts = started
    .filter(({ taskId }) => taskId === which)
    .map(({ iteration }) => attemptOf(records, iteration));
  if (attempts.length > 0) return { ok: true, attempts };
  const hint = Object.hasOwn(project.store.state.tasks, id) ? '' : didYouMean(id, known);
  return failure(`No attempt at ${id} is on record.${hint}`, command);
}

function attemptOf(records: readonly JournalRecord[], iteration: number): Attempt {
  const started = records.findLast(isStartOf(iteration));
  const ended = records.findLast(
    (record) =>
      (record.type === 'iteration_finished' || record.type === 'iteration_interrupted') &&
      record.iteration === iteration,
  );
  return {
    iteration,
    started: (started ?? null) as Attempt['started'],
    ended: (ended ?? null) as Attempt['ended'],
  };
}

function isStartOf(iteration: number) {
  return (record: JournalRecord) => record.type === 'iteration_started' && record.iteration === iteration;
}

function recordsOf(
  { folder, stateHome, place }: Workspace,
  isEnough: (part: readonly JournalRecord[]) => boolean,
): readonly JournalRecord[] {
  return readRecords(folder, stateHome, place, isEnough);
}
