import { isAbsolute, join } from 'node:path';
import { type Clock, StoreError } from '../../domain/ports.ts';
import type { JournalBody, JournalRecord } from '../../domain/records/journal.ts';
import type { State } from '../../domain/records/state.ts';

/** Where the store keeps its files. All absolute. */
export type StorePaths = {
  readonly dir: string;
  readonly journal: string;
  readonly segments: string;
  readonly stateLock: string;
  readonly runLock: string;
  /** The work tree: `main`, or `worktrees/NAME`. Part of what a journal is chained to. */
  readonly place: string;
  /** Outside of the repository, one folder per work tree. */
  readonly home: string;
  /** The journal's copy, with its end. */
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

/**
 * The absolute path of a document below a folder.
 *
 * @throws StoreError when the path would leave the folder.
 */
export function pathInside(folder: string, path: string): string {
  const absolute = join(folder, path);
  if (isAbsolute(path) || !absolute.startsWith(`${folder}/`)) {
    throw new StoreError(`${JSON.stringify(path)} is not a path below .ralph. This is a mistake in ralph.`);
  }
  return absolute;
}

/** The fold of the journal, from the state room. */
type Fold = {
  readonly empty: State;
  readonly apply: (state: State, records: readonly JournalRecord[]) => State;
};

export type StoreOptions = {
  /** Absolute path of `.ralph`; made at the first write. */
  readonly dir: string;
  /** Absolute folder of this repository outside of it; made with 0700 at the first write. */
  readonly stateHome: string;
  /** Called before that: what else belongs to such a folder. */
  readonly prepareHome: () => void;
  /** The work tree: `main`, or `worktrees/NAME` for a linked one. */
  readonly place: string;
  /** Folders that other rooms write beside an attempt: there must be space in them, too. */
  readonly alsoWritten?: readonly string[];
  /** What `.ralph/.gitignore` gets where it lacks it: records are local to a machine. Absent: none is written. */
  readonly ignoreRules?: string;
  readonly fold: Fold;
  /** The documents that follow from a state, with paths relative to `.ralph/`. */
  readonly views: (state: State) => readonly { readonly path: string; readonly content: string }[];
  /** The oldest events that leave the state for `interventions/archive/` now, as a document; `null`: none. */
  readonly archive?: (state: State) => { readonly count: number; readonly content: string } | null;
  readonly importViews: (files: readonly { readonly path: string; readonly text: string }[]) => {
    readonly records: readonly JournalBody[];
    readonly notes: readonly string[];
  };
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly host: string;
  /** Notices that come up after the store was opened. */
  readonly onNotice?: (notice: string) => void;
  /** How long a change waits for another process's, in milliseconds. Default 10,000. */
  readonly lockWaitMs?: number;
  /** Journal bytes at which a segment is sealed. Default 512 KiB. */
  readonly segmentBytes?: number;
};
