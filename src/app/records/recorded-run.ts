import { join } from 'node:path';
import { namesIn } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { TaskListDocument } from '../../domain/records/choice.ts';
import { IterationRecord } from '../../domain/records/iteration.ts';
import { iterationPath, rolePromptPaths } from '../../domain/records/iteration-path.ts';
import { InputsDocument, RunRecord } from '../../domain/records/run-record.ts';
import type { FoundWorkTree } from '../../git/index.ts';
import { type RecordedRun, type Replay, replayRun } from '../../replay/index.ts';
import { readRunRecords } from '../../store/index.ts';
import { ralphFolder } from '../setup/ralph-folder.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import { bytesOf, readDocument, type Schema } from './run-document.ts';

/** Returns ids of runs in a `.ralph` folder that have an iteration or an end, oldest first. */
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

export function replayFiles(work: FoundWorkTree, run: string): Replay {
  return replayRun(readRun(work, run), sha256);
}

function readRun(work: FoundWorkTree, run: string): RecordedRun {
  const { folder, place } = ralphFolder(work);
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
    journal: readRunRecords(folder, stateHomeOf(work.commonDir), place, run),
  };
}

/** Returns the SHA-256 of files for which an iteration's records have one, by path in the iteration's folder. */
function hashesIn(folder: string): ReadonlyMap<string, string> {
  const roles = namesIn(join(folder, 'roles')).flatMap((name) => rolePromptPaths(name));
  return new Map(
    ['prompt.md', 'reviews.jsonl', ...roles].flatMap((path): (readonly [string, string])[] => {
      const bytes = bytesOf(join(folder, path));
      return bytes.kind === 'read' ? [[path, bytes.sha256]] : [];
    }),
  );
}

/** Returns numbers of iterations with a folder, without 0, the baseline. */
function iterationsOf(path: string): number[] {
  return namesIn(join(path, 'iterations'))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((number) => number > 0)
    .sort((one, other) => one - other);
}

/** Returns `r-YYYYMMDD-HHMMSS`: a run's id without its random end. */
function startOf(run: string): string {
  return run.replace(/-[^-]*$/, '');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
