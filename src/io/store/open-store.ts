import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isKept } from '../../domain/entry.ts';
import { type Follower, type Store, StoreError } from '../../domain/ports.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import type { State } from '../../domain/records/state.ts';
import { tryOr } from '../../lib/try-or.ts';
import { replaceFile, temporaryOwner } from '../files/atomic-file.ts';
import { lstatOrNull, readPlainFile } from '../files/plain-file.ts';
import { proveFolder } from '../files/proven-folder.ts';
import { isSystemError, orStoreError, storeError } from '../files/store-error.ts';
import { processStatus } from '../programs/table/process-identity.ts';
import { keepFromGit } from './ignore-file.ts';
import { Journal } from './journal/journal.ts';
import { openLineLog } from './line-log.ts';
import { acquireLock, type LockHolder, untilFree } from './lock/lock.ts';
import { archiveEvents } from './set-aside.ts';
import type { StoreOptions } from './store-paths.ts';
import { pathInside, type StorePaths, storePaths } from './store-paths.ts';
import { setEditedAside, type ViewContext, writeViewFiles } from './view-files.ts';

/** How long a change waits for another process's change, in milliseconds. */
const LOCK_WAIT_MS = 10_000;
/** A temporary file of a dead process is removed when it is older than this, in milliseconds. */
const TEMPORARY_AGE_MS = 60_000;

/** Views that are written on the way take one part in so many of the time, however long the history that they hold. */
const VIEWS_SHARE = 100;

/** What an attempt may need for its records, snapshot and views, with much to spare; in bytes. */
const NEEDED_BYTES = 16 * 1024 * 1024;
/** Files that an attempt makes, with much to spare. Some file systems count none and say 0. */
const NEEDED_FILES = 100;

export type OpenedStore =
  | { readonly ok: true; readonly store: Store; readonly notices: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Opens `.ralph/`: repairs what a crash left (a partial last line, temporary files), puts a changed journal right, imports
 * the documents of a folder that never had a journal, and folds the rest. The notices say what was found and done. A folder
 * that cannot be written is opened for reading; `commit` then says why it cannot.
 */
export function openStore(options: StoreOptions): OpenedStore {
  const notices: string[] = [];
  let opened = false;
  const notice = (text: string) => {
    if (!opened) notices.push(text);
    else options.onNotice?.(text);
  };
  try {
    const store = createStore(options, notice);
    opened = true;
    return { ok: true, store, notices };
  } catch (error) {
    if (error instanceof StoreError) return { ok: false, message: error.message };
    throw error;
  }
}

type Parts = {
  readonly options: StoreOptions;
  readonly paths: StorePaths;
  readonly journal: Journal;
  readonly viewFiles: ViewContext;
  readonly notice: (text: string) => void;
};

function createStore(options: StoreOptions, notice: (text: string) => void): Store {
  const paths = storePaths(options.dir, options.stateHome, options.place);
  const ignore = ignoring(options, paths, notice);
  const importViews: StoreOptions['importViews'] = (files) => {
    const imported = options.importViews(files);
    if (imported.records.length > 0) ignore();
    return imported;
  };
  const journal = new Journal({ ...options, importViews }, paths, notice);
  const viewFiles = { dir: paths.dir, hashFile: paths.viewHashes };
  const parts: Parts = { options, paths, journal, viewFiles, notice };
  const archive = eventsArchive(parts);
  if (isFolder(paths.dir)) {
    for (const folder of ['', 'interventions', 'journal']) removeOldTemporaries(join(paths.dir, folder));
  }
  refresh(parts);
  let viewsDueMs = 0;
  const followers = new Set<Follower>();

  return {
    get state() {
      return journal.state;
    },
    refresh: () => refresh(parts),
    commit: (given, worker) => {
      const entries =
        typeof given !== 'function' && !given.some(isKept)
          ? given
          : exclusively(parts, () => {
              archive();
              const built = typeof given === 'function' ? given(journal.state) : given;
              const bodies = built.filter(isKept);
              // Before the agent works: what it does could not be recorded.
              if (bodies.some(({ type }) => type === 'iteration_started'))
                checkSpace([paths.dir, options.stateHome, ...(options.alsoWritten ?? [])]);
              ignore();
              journal.append(bodies);
              if (bodies.length > 0) journal.sealWhenFull();
              return built;
            });
      const { state } = journal;
      for (const entry of entries) for (const follower of followers) follower(entry, worker ?? null);
      return state;
    },
    follow: (follower) => {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    unlocked: async () => {
      const waitMs = options.lockWaitMs ?? LOCK_WAIT_MS;
      const holder = await untilFree(paths.stateLock, { waitMs, host: options.host }).catch((error) => {
        throw storeError('.ralph/state.lock cannot be read', error);
      });
      if (holder !== null) throw heldTooLong(holder, waitMs);
    },
    acceptJournal: () => exclusively(parts, () => journal.acceptUnverified()),
    writeViews: (when) => {
      const { clock } = options;
      if (when === 'if_due' && clock.monotonicMs() < viewsDueMs) return;
      exclusively(parts, () => {
        const beganMs = clock.monotonicMs();
        writeViews(parts);
        const endedMs = clock.monotonicMs();
        viewsDueMs = endedMs + (endedMs - beganMs) * VIEWS_SHARE;
      });
    },
    iterationFolder: (run, iteration) => {
      const path = iterationPath({ run, iteration });
      const folder = pathInside(paths.dir, path);
      orStoreError(`.ralph/${path} cannot be made`, () => proveFolder(folder, 0o777));
      return folder;
    },
    writeDocument: (path, content) => writeDocument(paths.dir, path, content),
    openLog: (path) => openLineLog(pathInside(paths.dir, path), `.ralph/${path}`),
    keepPatch: (run, iteration, patch) => {
      const path = `${iterationPath({ run, iteration })}/set-aside.patch`;
      writeDocument(paths.dir, path, patch);
      const outside = join(paths.home, 'set-aside', `${run}-${iteration}.patch`);
      orStoreError(`${outside} cannot be written`, () =>
        replaceFile(outside, patch, { mode: 0o600, folderMode: 0o700 }),
      );
      return path;
    },
    readDocument: (path) => {
      const target = pathInside(paths.dir, path);
      if (lstatOrNull(target) === null) return null;
      const file = orStoreError(`.ralph/${path} cannot be read`, () => {
        proveFolder(dirname(target));
        return readPlainFile(target);
      });
      return file.kind === 'file' ? file.bytes.toString('utf8') : null;
    },
  };
}

/** Comes before the first record, or lock of a run: git would take the journal with `git add`. */
function ignoring({ ignoreRules }: StoreOptions, { dir }: StorePaths, notice: Parts['notice']): () => void {
  let isDone = false;
  return () => {
    // A file that goes away during a run is written anew; one that is there is completed once in a process.
    if (ignoreRules === undefined || (isDone && lstatOrNull(join(dir, '.gitignore')) !== null)) return;
    const added = orStoreError('.ralph/.gitignore cannot be written', () => keepFromGit(dir, ignoreRules));
    isDone = true;
    if (added !== null) notice(added);
  };
}

/** Runs a change with the newest journal and no other writer. */
function exclusively<T>({ options, paths, journal }: Parts, work: () => T): T {
  return orStoreError('.ralph cannot be written', () => {
    const waitMs = options.lockWaitMs ?? LOCK_WAIT_MS;
    const lock = acquireLock(paths.stateLock, { waitMs, host: options.host });
    if (!lock.ok) throw heldTooLong(lock.holder, waitMs);
    try {
      journal.sync('write');
      return work();
    } finally {
      lock.release();
    }
  });
}

const FOLDER_MISSING =
  'The folder .ralph was missing. ralph keeps its records outside as well; your task list and settings come back from where you have them, such as git checkout -- .ralph';

function refresh(parts: Parts): State {
  const { paths, journal, notice } = parts;
  try {
    // Without a lock where nothing happened: this is asked before every attempt.
    if (journal.isCurrent()) return journal.state;
    const isThere = isFolder(paths.dir);
    if (!isThere && lstatOrNull(paths.copy) === null) return journal.state;
    exclusively(parts, () => undefined);
    if (!isThere) notice(FOLDER_MISSING);
  } catch (error) {
    // Where nothing can be written, or a long change is running, what is there can still be read.
    if (!(error instanceof StoreError)) throw error;
    orStoreError('The journal cannot be read', () => journal.sync('read'));
  }
  return journal.state;
}

/**
 * Archives events that are due: the file first, the record after. A crash between leaves them in the list and in an
 * archive, never in neither. Where the archive cannot be written they stay in the list, which is said once.
 */
function eventsArchive({ options, paths, journal, notice }: Parts): () => void {
  let isReported = false;
  return () => {
    const due = options.archive?.(journal.state) ?? null;
    if (due === null) return;
    let archive: string;
    try {
      archive = archiveEvents(paths.dir, due.content, options.clock.now());
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!isReported) notice(error.message);
      isReported = true;
      return;
    }
    journal.append([{ type: 'events_archived', count: due.count, archive }]);
  };
}

function writeViews({ options, journal, viewFiles, notice }: Parts): void {
  const before = options.views(journal.state);
  const edited = setEditedAside(viewFiles, before, options.clock.now());
  for (const reason of new Set(edited.map((one) => one.reason))) {
    const [first, ...others] = edited.filter((one) => one.reason === reason);
    const more =
      others.length === 0
        ? ''
        : `, and in the same way ${others.map(({ path }) => `.ralph/${path}`).join(', ')}`;
    notice(
      `.ralph/${first?.path}: ${reason}. The version found is kept as .ralph/${first?.setAside}${more}.`,
    );
  }
  journal.append(edited.map((one): JournalBody => ({ type: 'document_repaired', ...one })));
  writeViewFiles(viewFiles, edited.length === 0 ? before : options.views(journal.state));
}

function writeDocument(dir: string, path: string, content: string | Uint8Array): void {
  const target = pathInside(dir, path);
  orStoreError(`.ralph/${path} cannot be written`, () => {
    // Runs hold prompts and output of agents: for the user alone.
    const forRun = path.startsWith('runs/') ? ({ mode: 0o600, durability: 'none' } as const) : {};
    replaceFile(target, content, { ...forRun, folderMode: 0o777 });
  });
}

function heldTooLong(holder: LockHolder | null, waitMs: number): StoreError {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  return new StoreError(
    `.ralph/state.lock is held by ${who} since more than ${waitMs / 1000} s. Wait for it to finish or end it, then try again; when that host is gone for good, remove the file.`,
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What a crash left between the temporary file and its rename. */
function removeOldTemporaries(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const owner = temporaryOwner(name);
      if (owner === null || processStatus(owner).kind === 'alive') continue;
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > TEMPORARY_AGE_MS) rmSync(path, { force: true });
    }
  } catch (error) {
    // A folder that is not there or cannot be written has nothing that needs removing now.
    if (!isSystemError(error)) throw error;
  }
}

/**
 * Refuses to continue where there is hardly any space, before an agent does work that could then not be recorded.
 *
 * @param folders Where ralph writes. One that cannot be asked passes: the first write reports what is wrong with it.
 * @throws StoreError
 */
function checkSpace(folders: readonly string[]): void {
  for (const folder of folders) {
    const space = tryOr(null, () => statfsSync(folder));
    // Some network file systems tell nothing.
    if (space === null || space.blocks === 0) continue;
    const bytes = space.bavail * space.bsize;
    if (bytes < NEEDED_BYTES)
      throw new StoreError(
        `Only ${megabytes(bytes)} are free at ${folder}, and ralph wants ${megabytes(NEEDED_BYTES)} before an agent starts. Free some space, then run the command again.`,
      );
    if (space.files > 0 && space.ffree < NEEDED_FILES)
      throw new StoreError(
        `The file system at ${folder} has room for ${space.ffree} more files only. Remove some files, then run the command again.`,
      );
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
