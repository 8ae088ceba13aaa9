import { isAbsolute, join } from 'node:path';
import { type Clock, StoreError } from '../domain/ports.ts';
import type { JournalBody, JournalRecord } from '../domain/records/journal.ts';
import type { State } from '../domain/records/state.ts';

/** All paths are absolute, except `place`. */
export type StorePaths = {
  readonly dir: string;
  readonly journal: string;
  readonly segments: string;
  readonly stateLock: string;
  readonly runLock: string;
  /** Work tree that a journal is chained to: `main`, or `worktrees/NAME`. */
  readonly place: string;
  /** Folder of the work tree outside the repository. */
  readonly home: string;
  readonly copy: string;
  readonly viewHashes: string;
};

export function storePaths(dir: string, stateHome: string, place: string): StorePaths {
  const home = join(stateHome, place);
  return {
    dir,
    journal: join(dir, 'journal.jsonl'),
    segments: join(dir, 'journal'),
    stateLock: join(dir, 'state.lock'),
    runLock: join(dir, 'run.lock'),
    place,
    home,
    copy: join(home, 'journal'),
    viewHashes: join(home, 'views.json'),
  };
}

/** Returns the absolute path of a document below a folder. @throws StoreError for a path outside. */
export function pathInside(folder: string, path: string): string {
  const absolute = join(folder, path);
  if (isAbsolute(path) || !absolute.startsWith(`${folder}/`)) {
    throw new StoreError(`${JSON.stringify(path)} is not a path below .ralph. This is a mistake in ralph.`);
  }
  return absolute;
}

type Fold = {
  readonly empty: State;
  readonly apply: (state: State, records: readonly JournalRecord[]) => State;
};

export type StoreOptions = {
  /** Absolute path of `.ralph`, made at the first write. */
  readonly dir: string;
  /** Absolute folder outside the repository, made with 0700 at the first write. */
  readonly stateHome: string;
  /** Called before the state home is first written, for its other files. */
  readonly prepareHome: () => void;
  /** `main`, or `worktrees/NAME` for a linked work tree. */
  readonly place: string;
  /** Other folders written during an attempt, which need space, too. */
  readonly alsoWritten?: readonly string[];
  /** Rules for `.ralph/.gitignore`, as records are local to a machine. Absent: none. */
  readonly ignoreRules?: string;
  readonly fold: Fold;
  /** Returns the documents of a state, with paths relative to `.ralph/`. */
  readonly views: (state: State) => readonly { readonly path: string; readonly content: string }[];
  /** Returns the oldest events to archive now, as a document; `null`: none. */
  readonly archive?: (state: State) => { readonly count: number; readonly content: string } | null;
  readonly importViews: (files: readonly { readonly path: string; readonly text: string | null }[]) => {
    readonly records: readonly JournalBody[];
    readonly notes: readonly string[];
  };
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly host: string;
  /** Receives notices after the store was opened. */
  readonly onNotice?: (notice: string) => void;
  /** Time that a change waits for another process's, in milliseconds. Default 10,000. */
  readonly lockWaitMs?: number;
  /** Journal size at which a segment is sealed, in bytes. Default 512 KiB. */
  readonly segmentBytes?: number;
};
