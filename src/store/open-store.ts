import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile, temporaryOwner } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, readJson, readPlainFile } from 'ralph-kit/files/plain-file';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { isSystemError, orStoreError, storeError } from 'ralph-kit/files/store-error';
import { processStatus } from 'ralph-kit/programs/table/process-identity';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import { isKept } from '../domain/entry.ts';
import { type FeedbackEntry, feedbackKey } from '../domain/feedback.ts';
import { type Follower, type Store, StoreError } from '../domain/ports.ts';
import { iterationPath } from '../domain/records/iteration-path.ts';
import type { JournalBody } from '../domain/records/journal.ts';
import type { State } from '../domain/records/state.ts';
import { keepFromGit } from './ignore-file.ts';
import { Journal } from './journal/journal.ts';
import { openLineLog } from './line-log.ts';
import { acquireLock, type LockHolder, untilFree } from './lock/lock.ts';
import { archiveEvents } from './set-aside.ts';
import { pathInside, type StoreOptions, type StorePaths, storePaths } from './store-paths.ts';
import { setEditedAside, type ViewContext, writeViewFiles } from './view-files.ts';

/** Time that a change waits for another process's, in milliseconds. */
const LOCK_WAIT_MS = 10_000;
/** Minimum age of a dead process's temporary file before removal, in milliseconds. */
const TEMPORARY_AGE_MS = 60_000;

/** Views written during a run take at most one part in this many of the time. */
const VIEWS_SHARE = 100;

/** Generous estimate of an attempt's records, snapshot and views, in bytes. */
const NEEDED_BYTES = 16 * 1024 * 1024;
/** Generous estimate of an attempt's files. Some file systems count none and report 0. */
const NEEDED_FILES = 100;

export type OpenedStore =
  | { readonly ok: true; readonly store: Store; readonly notices: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly next: string | null };

/**
 * Opens `.ralph/`: repairs after a crash (partial last line, temporary files) and after changes to the journal,
 * imports documents of a folder without a journal, and folds the rest. Notices report what was done. A read-only
 * folder is opened for reading; `commit` then fails with the reason.
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
    if (error instanceof StoreError) return { ok: false, message: error.message, next: error.next };
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
  const { keepWords, ...privately } = openPrivateWords(paths.home);
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
              // Checked before the agent starts, as its work couldn't be recorded.
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
    keepPatch: (run, iteration, checkpoint, patch) => {
      const name = checkpoint.replace(/[^\w.]+/g, '-');
      writeDocument(paths.dir, `${iterationPath({ run, iteration })}/set-aside-${name}.patch`, patch);
      const outside = join(paths.home, 'set-aside', `${run}-${iteration}-${name}.patch`);
      orStoreError(`${outside} cannot be written`, () =>
        replaceFile(outside, patch, { mode: 0o600, folderMode: 0o700 }),
      );
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
    keepWords: (entry, whole) => {
      options.prepareHome();
      keepWords(entry, whole, journal.state.feedback);
    },
    ...privately,
  };
}

/** Rules are written before the first record or run lock, which `git add` would otherwise include. */
function ignoring({ ignoreRules }: StoreOptions, { dir }: StorePaths, notice: Parts['notice']): () => void {
  let isDone = false;
  return () => {
    // A file removed during a run is written again; an existing one is completed once per process.
    if (ignoreRules === undefined || (isDone && lstatOrNull(join(dir, '.gitignore')) !== null)) return;
    const added = orStoreError('.ralph/.gitignore cannot be written', () => keepFromGit(dir, ignoreRules));
    isDone = true;
    if (added !== null) notice(added);
  };
}

/** Runs a change on the newest journal without other writers. */
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
    // Called before every attempt, so without a lock when nothing changed.
    if (journal.isCurrent()) return journal.state;
    const isThere = isFolder(paths.dir);
    if (!isThere && lstatOrNull(paths.copy) === null) return journal.state;
    exclusively(parts, () => undefined);
    if (!isThere) notice(FOLDER_MISSING);
  } catch (error) {
    // Without write access, or during a long change, reading is still possible.
    if (!(error instanceof StoreError)) throw error;
    orStoreError('The journal cannot be read', () => journal.sync('read'));
  }
  return journal.state;
}

/** Writes the archive before the record, so a crash loses nothing. A failure is reported once. */
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
    // Runs contain prompts and agents' output, so only the user may read them.
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

/** Removes temporary files that a crash left before their rename. */
function removeOldTemporaries(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const owner = temporaryOwner(name);
      if (owner === null || processStatus(owner).kind === 'alive') continue;
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > TEMPORARY_AGE_MS) rmSync(path, { force: true });
    }
  } catch (error) {
    // A missing or read-only folder needs no removal now.
    if (!isSystemError(error)) throw error;
  }
}

/**
 * Refuses to continue without enough space, before an agent does work that couldn't be recorded.
 * @param folders Folders that ralph writes. An unreadable one passes; its first write reports the problem.
 * @throws StoreError
 */
function checkSpace(folders: readonly string[]): void {
  for (const folder of folders) {
    const space = tryOr(null, () => statfsSync(folder));
    // Some network file systems report nothing.
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

const PRIVATE = { mode: 0o600, folderMode: 0o700 };

/** Your unredacted words by entry (`feedbackKey`). */
const Words = z.record(z.string(), z.string());

/**
 * Keeps your words with secrets for agents, which records redact, in private files outside the repository. Words that
 * no prompt needs any more are removed when others are added.
 * @param home Absolute folder of the work tree in the state home.
 */
export function openPrivateWords(home: string) {
  const file = join(home, 'words.json');
  const promptOf = (worker: number) => join(home, `prompt-${worker}.md`);
  const read = () => readJson(file, Words) ?? {};
  return {
    /**
     * Keeps your words whole, outside of the repository, whose copy of them is redacted. @throws StoreError if they
     * can't be written.
     */
    keepWords: (entry: FeedbackEntry, whole: string, carried: readonly FeedbackEntry[]) => {
      const known = read();
      const kept = carried.map(feedbackKey).filter((key) => known[key] !== undefined);
      const words = Object.fromEntries([
        ...kept.map((key) => [key, known[key]]),
        [feedbackKey(entry), whole],
      ]);
      orStoreError('Your words cannot be kept outside of the repository', () =>
        replaceFile(file, `${JSON.stringify(words)}\n`, PRIVATE),
      );
    },
    wholeWords: (entries: readonly FeedbackEntry[]): readonly FeedbackEntry[] => {
      const known = read();
      if (!entries.some((entry) => known[feedbackKey(entry)] !== undefined)) return entries;
      return entries.map((entry) => ({ ...entry, text: known[feedbackKey(entry)] ?? entry.text }));
    },
    /** Writes a prompt with your whole words, and returns its path. @throws StoreError if it can't be written. */
    keepPrompt: (worker: number, prompt: string): string => {
      const path = promptOf(worker);
      orStoreError(`${path} cannot be written`, () => replaceFile(path, prompt, PRIVATE));
      return path;
    },
    forgetPrompt: (worker: number) => rmSync(promptOf(worker), { force: true }),
  };
}
