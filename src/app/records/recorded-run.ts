import { join } from 'node:path';
import type * as z from 'zod/mini';
import { TaskListDocument } from '../../domain/choice.ts';
import { IterationRecord } from '../../domain/records/iteration.ts';
import { iterationPath, rolePromptPaths } from '../../domain/records/iteration-path.ts';
import { InputsDocument, RunRecord } from '../../domain/records/run-record.ts';
import { namesIn } from '../../io/files/plain-file.ts';
import type { FoundWorkTree } from '../../io/git/index.ts';
import { sha256 } from '../../io/ids.ts';
import { readPlainFile, readRunRecords } from '../../io/store/index.ts';
import { type Found, type RecordedRun, type Replay, replayRun } from '../../replay/index.ts';
import { placeOf, stateHomeOf } from '../setup/state-home.ts';

/** The runs on record in a `.ralph` folder, oldest first: those that have an iteration or an end. */
export function recordedRuns(folder: string): readonly string[] {
  return namesIn(join(folder, 'runs'))
    .sort()
    .flatMap((run) => {
      const last = iterationsOf(join(folder, 'runs', run)).at(-1) ?? 0;
      return last > 0 || namesIn(join(folder, 'runs', run)).includes('run.json') ? [{ run, last }] : [];
    })
    .sort((one, other) => compare(startOf(one.run), startOf(other.run)) || one.last - other.last)
    .map(({ run }) => run);
}

/** Replays a run from the files of a work tree. Nothing is written. */
export function replayFiles(work: FoundWorkTree, run: string): Replay {
  return replayRun(readRun(work, run), sha256);
}

function readRun(work: FoundWorkTree, run: string): RecordedRun {
  const folder = join(work.top, '.ralph');
  const path = join(folder, 'runs', run);
  const documents = <T>(kind: string, schema: Schema<T>) =>
    new Map(
      namesIn(path)
        .sort()
        .filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.json'))
        .map((name) => [name, readDocument(join(path, name), schema)]),
    );
  return {
    run,
    record: readDocument(join(path, 'run.json'), RunRecord),
    iterations: iterationsOf(path).map((iteration) => {
      const own = join(folder, iterationPath({ run, iteration }));
      return {
        iteration,
        record: readDocument(join(own, 'iteration.json'), IterationRecord),
        files: hashesIn(own),
      };
    }),
    lists: documents('tasks', TaskListDocument),
    inputs: documents('inputs', InputsDocument),
    journal: readRunRecords(folder, stateHomeOf(work.commonDir), placeOf(work), run),
  };
}

type Schema<T> = z.ZodMiniType<T>;

/** A document of a run, as far as it is what it should be. */
export function readDocument<T>(path: string, schema: Schema<T>): Found<T> {
  const bytes = bytesOf(path);
  if (bytes.kind !== 'read') return bytes;
  let data: unknown;
  try {
    data = JSON.parse(bytes.value.toString('utf8'));
  } catch {
    return { kind: 'damaged', reason: "it isn't valid JSON" };
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return { ...bytes, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: 'damaged', reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'another form'}` };
}

/** Of the files that the records of an iteration vouch for, by path in its folder. */
function hashesIn(folder: string): ReadonlyMap<string, string> {
  const roles = namesIn(join(folder, 'roles')).flatMap((name) => rolePromptPaths(name));
  return new Map(
    ['prompt.md', 'reviews.jsonl', ...roles].flatMap((path): (readonly [string, string])[] => {
      const bytes = bytesOf(join(folder, path));
      return bytes.kind === 'read' ? [[path, bytes.sha256]] : [];
    }),
  );
}

function bytesOf(path: string): Found<Buffer> {
  try {
    const file = readPlainFile(path);
    if (file.kind === 'absent') return file;
    if (file.kind === 'file') return { kind: 'read', value: file.bytes, sha256: sha256(file.bytes) };
    return { kind: 'damaged', reason: "it isn't a plain file" };
  } catch (error) {
    return { kind: 'damaged', reason: (error as Error).message };
  }
}

/** Numbers of the iterations that have a folder; 0 holds the gates' baseline. */
function iterationsOf(path: string): number[] {
  return namesIn(join(path, 'iterations'))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((number) => number > 0)
    .sort((one, other) => one - other);
}

/** A run's name without its random end: `r-YYYYMMDD-HHMMSS`. */
function startOf(run: string): string {
  return run.replace(/-[^-]*$/, '');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
