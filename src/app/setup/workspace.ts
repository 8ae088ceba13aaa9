import { existsSync, lstatSync, realpathSync, statfsSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isBoxedOff } from 'ralph-box';
import { accessCommand } from 'ralph-kit/files/access-command';
import { homesFolder } from 'ralph-kit/files/homes-folder';
import { readFileBytes, whyUnreadable } from 'ralph-kit/files/plain-file';
import { isSystemError, storeError } from 'ralph-kit/files/store-error';
import { tryOr } from 'ralph-kit/try-or';
import { gateSpecs, modeSettings } from '../../config/index.ts';
import type { Config } from '../../domain/config.ts';
import type { Entry } from '../../domain/entry.ts';
import { EXIT } from '../../domain/exit.ts';
import {
  type Clock,
  type Follower,
  GitError,
  type Store,
  StoreError,
  type Tracker,
} from '../../domain/ports.ts';
import { acceptedLines } from '../../domain/records/marks.ts';
import { EMPTY_STATE, type Workplace } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import type { FoundWorkTree } from '../../git/index.ts';
import { systemClock } from '../../io/clock.ts';
import {
  continueNow,
  dependsOnTasks,
  loadTasks,
  overlaid,
  settleMarks,
  writeHandOff,
} from '../../loop/index.ts';
import { eventsToArchive, foldRecords, viewDocuments } from '../../state/index.ts';
import { openStore } from '../../store/index.ts';
import { noteFolder } from '../for-do-task.ts';
import { type Failure, failure } from '../result.ts';
import { asDoTracker, doGates, flagsOf } from './do-task.ts';
import { withHeldOutPlaces } from './held-out.ts';
import { IGNORE_RULES } from './ignore-rules.ts';
import { importerOf } from './import-records.ts';
import { correctionOf, formatProblems, loadConfigFiles, noticesOf } from './load-config.ts';
import { holderIn, type Owner, type RalphFolder, ralphFolder } from './ralph-folder.ts';
import { secretsOf } from './secrets-of.ts';
import { homeOf, placeOf } from './state-home.ts';
import { commitHistory } from './tracker/commit-history.ts';
import { openTracker } from './tracker/index.ts';
import { withNamesChecked } from './tracker/named-tracker.ts';
import { withoutNewLinks } from './trust/leads-outside.ts';
import { holdBackUntrusted, taskTrust } from './trust/task-trust.ts';
import type { ConfigEntry } from './trust/trust-items.ts';
import { withDetectedGates } from './trust/with-gates.ts';
import { workTreeAt } from './work-tree.ts';

type LoadedTracker = Extract<Awaited<ReturnType<typeof loadTasks>>, { ok: true }>['tracker'];

export type ProjectInput = {
  readonly cwd: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly onNotice?: (notice: string) => void;
  readonly onEntry?: OnEntry;
  /**
   * Content of the configuration to use instead of the work tree's file; `null`: it has none. Absent: the file is read.
   */
  readonly settings?: Buffer | null;
  /** Whether agents will run. Unknown keys are then a failure instead of a notice. */
  readonly willRun?: boolean;
  /** Whether the list will be copied, so that its unapproved attributes have to stay in it. */
  readonly asWritten?: boolean;
  /** Owner of the records to open; absent: `ralphFolder` decides. */
  readonly owner?: Owner | null;
  /** Absolute folder for records, and a name for copies; the repository's own are neither read nor written. */
  readonly separateRecords?: { readonly folder: string; readonly name: string; readonly stateHome: string };
  /** Clock for all records; absent: the machine's clock. */
  readonly clock?: Clock;
};

export type Workspace = {
  readonly root: string;
  /** ralph's folder: its records of this work tree. */
  readonly folder: string;
  /** Owner of these records, and their name in the state home. */
  readonly owner: Owner;
  readonly place: string;
  /** Git folder, and the one that linked work trees share. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workplace: Workplace;
  readonly config: Config;
  readonly configEntries: () => readonly ConfigEntry[];
  /** Absolute path of ralph's own folder for this repository, which is outside of it. */
  readonly stateHome: string;
  /** Makes the state home. @throws StoreError */
  readonly prepareHome: () => void;
  readonly mode: { readonly name: string; readonly timeoutSeconds: number | null };
  readonly gates: ReturnType<typeof gateSpecs>;
  readonly store: Store;
  /** The tracker, in which unapproved attributes that loosen limits have no effect. */
  readonly tracker: Tracker;
  readonly taskTrust: () => ReturnType<typeof taskTrust>;
  readonly notices: readonly string[];
  readonly clock: Clock;
  readonly readFile: (path: string) => string | null;
  readonly exists: (path: string) => boolean;
};

/** Opens ralph's own files without git, so that usually no process has to be started. */
export async function inWorkspace<R>(
  input: ProjectInput,
  work: (workspace: Workspace) => R | Promise<R>,
): Promise<R | Failure> {
  try {
    const found = await workTreeAt(input.cwd);
    if (!found.ok) return found;
    const opened = await openWorkTree(found, input);
    return opened.ok ? await withHandOff(opened.project, input, () => work(opened.project)) : opened;
  } catch (error) {
    return expectedFailure(error, input.cwd);
  }
}

/**
 * Calls `work`, then writes the hand-off again if anything was recorded meanwhile, so that it contradicts no command. A
 * command whose hand-off can't be written has done its work all the same.
 */
export async function withHandOff<R>(
  project: Workspace,
  { onNotice }: Pick<ProjectInput, 'onNotice'>,
  work: () => R | Promise<R>,
): Promise<R> {
  const { seq } = project.store.state;
  try {
    return await work();
  } finally {
    if (project.store.state.seq !== seq)
      await renewHandOff(project).catch((error: unknown) =>
        onNotice?.(`The hand-off is out of date: ${(error as Error).message}`),
      );
  }
}

async function renewHandOff(project: Workspace): Promise<void> {
  const { store, clock, config, stateHome } = project;
  if (store.state.policy.checkpoint.saved === null || isBoxedOff(stateHome)) return;
  const loaded = await loadTasks({ ports: project });
  if (loaded.ok) writeHandOff({ ports: { store, clock }, config, secrets: secretsOf(config) }, loaded.tasks);
}

/** The task list, with the statuses that ralph knows. */
export type TaskList = {
  readonly project: Workspace;
  readonly tracker: LoadedTracker;
  readonly tasks: readonly Task[];
};

export function inTaskList<R>(
  input: ProjectInput,
  work: (list: TaskList) => R | Promise<R>,
): Promise<R | Failure> {
  return inWorkspace(input, async (project) => {
    const loaded = await loadTasks({ ports: project });
    if (!loaded.ok) return failure(loaded.message, loaded.next ?? 'ralph doctor');
    const { tracker, tasks } = loaded;
    const accepted = await settleMarks({ ports: project }, tasks, runLockHolder(project) !== null);
    if (accepted.length === 0) return work({ project, tracker, tasks });
    for (const line of acceptedLines(accepted)) input.onNotice?.(line);
    project.store.writeViews();
    return work({ project, tracker, tasks: overlaid(tracker, project.store.state) });
  });
}

/** Holder of the run lock; `null`: no run is active. */
export function runLockHolder({ folder }: Pick<Workspace, 'folder'>): ReturnType<typeof holderIn> {
  return holderIn(folder);
}

/**
 * Returns the command with which work continues, by the task list as it is now, which is read only where it matters.
 * @param known The tasks, if they were just read.
 */
export async function whatContinues(project: Workspace, known?: readonly Task[]): Promise<string> {
  const { config, store, clock } = project;
  const isRead = known === undefined && dependsOnTasks(config, store.state);
  const loaded = isRead ? await loadTasks({ ports: project }) : null;
  const tasks = known ?? (loaded?.ok === true ? loaded.tasks : []);
  return continueNow({ config, state: store.state, tasks, now: clock.now() });
}

/**
 * Returns the command that continues work; `null`: a run is active, and continues with what changed.
 * @param known The tasks, if they were just read.
 */
export async function continueIn(project: Workspace, known?: readonly Task[]): Promise<string | null> {
  return runLockHolder(project) === null ? whatContinues(project, known) : null;
}

export async function openWorkTree(
  workTree: FoundWorkTree,
  input: ProjectInput,
): Promise<{ ok: true; project: Workspace } | Failure> {
  const opened = await openWorkspace(workTree, input);
  if (opened.ok) for (const notice of opened.project.notices) input.onNotice?.(notice);
  return opened;
}

/** Number of newest events that `events.json` has. */
const MAX_LISTED_EVENTS = 1000;

async function openWorkspace(
  found: FoundWorkTree,
  input: ProjectInput,
): Promise<{ ok: true; project: Workspace & { readonly notices: string[] } } | Failure> {
  const { top: root, gitDir, commonDir } = found;
  const records = recordsFor(found, input);
  const { folder, owner, place } = records;
  noteFolder(owner === 'do' ? folder : null);
  const given = Object.fromEntries(
    Object.entries(input.flags ?? {}).filter(([, value]) => value !== undefined),
  );
  const loaded = await loadConfigFiles({
    root,
    env: process.env,
    flags: { ...flagsOf(records, root), ...given },
    ...(input.settings === undefined ? {} : { settings: input.settings }),
  });
  if (!loaded.ok) return failure(formatProblems(loaded.problems), correctionOf(root, loaded.problems));
  const { unknownKeys } = loaded;
  if (input.willRun === true && unknownKeys.length > 0) {
    return failure(formatProblems(unknownKeys), correctionOf(root, unknownKeys));
  }
  const { config, entries } =
    owner === 'do'
      ? withDetectedGates({ config: loaded.config, entries: loaded.entries() }, doGates(records))
      : { config: loaded.config, entries: null };
  const clock = input.clock ?? systemClock();
  const home = homeOf(commonDir);
  const { feedback_rotation_days } = config.interventions;
  const kept = () => ({
    maxEvents: MAX_LISTED_EVENTS,
    feedbackRotationDays: feedback_rotation_days,
    now: clock.now(),
  });
  const store = openStore({
    dir: folder,
    place,
    ...(input.separateRecords === undefined
      ? { stateHome: home.path, prepareHome: home.prepare }
      : { stateHome: input.separateRecords.stateHome, prepareHome: () => undefined }),
    alsoWritten: [gitDir, join(commonDir, 'objects')],
    ...(owner === 'do' ? {} : { ignoreRules: IGNORE_RULES }),
    fold: { empty: EMPTY_STATE, apply: foldRecords },
    views: (state) => viewDocuments(state, kept()),
    archive: (state) => eventsToArchive(state, kept()),
    importViews: await importerOf({ root, config }, folder),
    clock,
    host: hostname(),
    ...(input.onNotice === undefined ? {} : { onNotice: input.onNotice }),
  });
  if (!store.ok) return failure(store.message, store.next ?? 'ralph doctor', EXIT.unexpected);
  if (input.onEntry !== undefined) store.store.follow(byTask(input.onEntry));
  const mode = modeSettings(config);
  const notices = [
    ...homeNotices(home),
    ...noticesOf([...loaded.warnings, ...unknownKeys]),
    ...store.notices,
    ...limitNotices(config, mode),
    ...strayFolderNotices(input.cwd, root),
  ];
  const notice = (text: string) => (input.onNotice ?? ((one) => notices.push(one)))(text);
  const history = commitHistory(root);
  const tracker = withNamesChecked(
    openTracker({ root, store: store.store, config: config.tracker, history }),
    config,
  );
  const taskLimits = {
    stateHome: home.path,
    maxTimeoutSeconds: config.adaptive_timeout.max_timeout,
    review: config.review,
  };
  return {
    ok: true,
    project: {
      root,
      folder,
      owner,
      place,
      gitDir,
      commonDir,
      clock,
      workplace: { worker: 1, worktree: gitDir === commonDir ? 'main' : basename(gitDir) },
      config,
      configEntries: () => entries ?? loaded.entries(),
      stateHome: home.path,
      prepareHome: home.prepare,
      mode,
      gates: withHeldOutPlaces(gateSpecs(config), root),
      store: store.store,
      ...(owner === 'do'
        ? { tracker: asDoTracker(tracker), taskTrust: async () => ({ items: [], pending: [] }) }
        : {
            tracker:
              input.asWritten === true ? tracker : holdBackUntrusted(tracker, { ...taskLimits, notice }),
            taskTrust: () => taskTrust(tracker, taskLimits),
          }),
      notices,
      readFile: withoutNewLinks(root, config.files, notice, (path) => readText(root, path)),
      exists: (path) => existsSync(join(folder, path)),
    },
  };
}

function recordsFor(
  found: FoundWorkTree,
  { separateRecords, owner: asked = null }: ProjectInput,
): RalphFolder {
  if (separateRecords === undefined) return ralphFolder(found, asked);
  return { owner: 'list', folder: join(separateRecords.folder, '.ralph'), place: placeOf(found) };
}

/** Returns warnings for a mode whose timeout is below the minimum for all attempts. */
function limitNotices({ adaptive_timeout: limits }: Config, mode: ReturnType<typeof modeSettings>): string[] {
  const { name, timeoutSeconds } = mode;
  if (!limits.enabled || timeoutSeconds === null || timeoutSeconds >= limits.min_timeout) return [];
  return [
    `[adaptive_timeout] min_timeout (${limits.min_timeout} s) is above the timeout of mode ${name} (${timeoutSeconds} s): attempts get min_timeout.`,
  ];
}

/** Returns warnings for `.ralph` folders between the current folder and the top: only the one at the top is used. */
function strayFolderNotices(cwd: string, root: string): string[] {
  const below = relative(root, realpathSync(cwd))
    .split(sep)
    .filter((name) => name !== '');
  // GIT_WORK_TREE can name a work tree that doesn't contain the current folder.
  if (below[0] === '..') return [];
  return below.flatMap((_, index) => {
    const folder = join(...below.slice(0, index + 1), '.ralph');
    return existsSync(join(root, folder))
      ? [`${folder} isn't read: ralph works from the top of the repository, with ${join(root, '.ralph')}.`]
      : [];
  });
}

function homeNotices({ path, reason, copyOf, replaces }: ReturnType<typeof homeOf>): string[] {
  if (replaces !== null) {
    return [
      `This is another repository than the one that was here before: nothing that ralph knew of that one counts. Its records are kept in ${join(dirname(path), replaces)}.`,
    ];
  }
  if (copyOf !== null) {
    return [
      `This repository is a copy of ${dirname(copyOf)}, which keeps its records; this one gets its own.`,
    ];
  }
  return reason === 'lost_id' || reason === 'changed_id' ? [ID_REPLACED] : [];
}

const ID_REPLACED =
  "The repository's id in its git folder (ralph/id) was lost or changed by something other than ralph. It is known by its path, and gets its id back.";

/**
 * Returns a failure for read and write errors of git and the store, and for full or read-only disks. Throws all other
 * errors again, because they are bugs.
 */
export function expectedFailure(error: unknown, cwd: string): Failure {
  if (error instanceof GitError) return failure(error.message, 'ralph doctor', EXIT.unexpected);
  if (error instanceof StoreError)
    return failure(error.message, error.next ?? 'ralph doctor', EXIT.unexpected);
  if (!isSystemError(error) || !OF_DISK.has(error.code)) throw error;
  const folder = error.path === undefined ? fullFolder([cwd, homesFolder(), tmpdir()]) : null;
  const refused = storeError(`ralph can't write${folder === null ? '' : ` in ${folder}`}`, error);
  return failure((refused as Error).message, 'ralph doctor', EXIT.unexpected);
}

const OF_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
/** Bytes of free space below which a disk counts as full. */
const FULL = 64 * 1024;

/** Returns the first folder whose disk is full, because the system's error has no path; `null`: none. */
function fullFolder(folders: readonly string[]): string | null {
  const isFull = (folder: string) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < FULL;
  };
  return folders.find((folder) => tryOr(false, () => isFull(folder))) ?? null;
}

/**
 * Returns a file's text; `null`: it doesn't exist. @throws StoreError if it exists but can't be read, because you meant
 * it to be used.
 */
function readText(root: string, path: string): string | null {
  const absolute = resolve(root, path);
  try {
    return readFileBytes(absolute).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const link = lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !link) return null;
    throw new StoreError(`${path} cannot be read: ${whyUnreadable(error)}.`, {
      next: accessCommand(absolute, 'read'),
    });
  }
}

/** Called with each entry. @param taskId Task of the entry, if several tasks are worked on at once. */
type OnEntry = (entry: Entry, taskId?: string) => void;

/**
 * Returns a follower that adds the task to each entry: the task that the entry names, otherwise the worker's current
 * task.
 */
export function byTask(onEntry: OnEntry): Follower {
  const tasks = new Map<number, string>();
  return (entry, worker) => {
    if (worker === null) return onEntry(entry);
    if (entry.type === 'iteration_started') tasks.set(worker, entry.taskId);
    const named = 'taskId' in entry ? entry.taskId : null;
    onEntry(entry, named ?? tasks.get(worker));
  };
}
