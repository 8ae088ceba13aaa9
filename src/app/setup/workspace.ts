import { existsSync, lstatSync, realpathSync, statfsSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { gateSpecs, modeSettings } from '../../config/index.ts';
import type { Config } from '../../domain/config.ts';
import { EXIT } from '../../domain/exit.ts';
import { type Clock, GitError, type Store, StoreError, type Tracker } from '../../domain/ports.ts';
import { acceptedLines } from '../../domain/records/marks.ts';
import { EMPTY_STATE, type Workplace } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { systemClock } from '../../io/clock.ts';
import { isSystemError, storeError } from '../../io/files/store-error.ts';
import type { FoundWorkTree } from '../../io/git/index.ts';
import { homesFolder, liveHolder, openStore, readFileBytes, whyUnreadable } from '../../io/store/index.ts';
import { tryOr } from '../../lib/try-or.ts';
import { loadTasks, overlaid, settleMarks } from '../../loop/index.ts';
import { eventsToArchive, foldRecords, importViews, viewDocuments } from '../../state/index.ts';
import { type Failure, failure } from '../result.ts';
import { byTask, type OnEntry } from './by-task.ts';
import { withHeldOutPlaces } from './held-out.ts';
import { IGNORE_RULES } from './ignore-rules.ts';
import { formatProblems, loadConfigFiles, noticesOf } from './load-config.ts';
import { homeOf, placeOf } from './state-home.ts';
import { taskIdsInOrder } from './task-ids.ts';
import { commitHistory } from './tracker/commit-history.ts';
import { openTracker } from './tracker/index.ts';
import { withNamesChecked } from './tracker/named-tracker.ts';
import { withoutNewLinks } from './trust/leads-outside.ts';
import { holdBackUntrusted, taskTrust } from './trust/task-trust.ts';
import type { ConfigEntry } from './trust/trust-items.ts';
import { workTreeAt } from './work-tree.ts';

type LoadedTracker = Extract<Awaited<ReturnType<typeof loadTasks>>, { ok: true }>['tracker'];

export type ProjectInput = {
  readonly cwd: string;
  /** Configuration given on the command line, by dotted key. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly onNotice?: (notice: string) => void;
  /** Called with what happens, as it is committed. */
  readonly onEntry?: OnEntry;
  /** Bytes of the repository's settings in the place of the file in the work tree; `null`: it has none. Absent: that file. */
  readonly settings?: Buffer | null;
  /** Agents will be run: keys that don't exist are a failure, not a notice. */
  readonly willRun?: boolean;
  /** The task list is copied: what in it loosens something and isn't trusted stays in it. */
  readonly asWritten?: boolean;
  /** Absolute folder for what is recorded, and a name for copies: the repository's own are neither read nor written. */
  readonly apart?: { readonly folder: string; readonly name: string; readonly stateHome: string };
  /** The clock of all that is recorded. Default: the machine's. */
  readonly clock?: Clock;
};

/** A repository with its configuration, state and tracker opened. */
export type Workspace = {
  readonly root: string;
  /** Its git folder, and the one that linked work trees share. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** There is one worker until `--workers` exists. */
  readonly workplace: Workplace;
  readonly config: Config;
  /** Every value in effect with where it came from. */
  readonly configEntries: () => readonly ConfigEntry[];
  /** Where ralph keeps what belongs to this repository outside of it. */
  readonly stateHome: string;
  /** Makes that folder. @throws StoreError */
  readonly prepareHome: () => void;
  readonly mode: { readonly name: string; readonly timeoutSeconds: number | null };
  readonly gates: ReturnType<typeof gateSpecs>;
  readonly store: Store;
  /** What in its tasks loosens something counts once you have accepted it. */
  readonly tracker: Tracker;
  readonly taskTrust: () => ReturnType<typeof taskTrust>;
  /** What you should know of the opening. */
  readonly notices: readonly string[];
  readonly clock: Clock;
  readonly readFile: (path: string) => string | null;
  readonly exists: (path: string) => boolean;
};

/** Works with ralph's own files alone, without git: it starts no process where it can. */
export async function inWorkspace<R>(
  input: ProjectInput,
  work: (workspace: Workspace) => R | Promise<R>,
): Promise<R | Failure> {
  try {
    const found = await workTreeAt(input.cwd);
    if (!found.ok) return found;
    const opened = await openFound(found, input);
    return opened.ok ? await work(opened.project) : opened;
  } catch (error) {
    return expectedFailure(error, input.cwd);
  }
}

/** What the commands about tasks know: every task with its status overlaid. */
export type TaskList = {
  readonly project: Workspace;
  readonly tracker: LoadedTracker;
  readonly tasks: readonly Task[];
};

/** Works in the repository around a folder with its task list read. */
export function inTaskList<R>(
  input: ProjectInput,
  work: (list: TaskList) => R | Promise<R>,
): Promise<R | Failure> {
  return inWorkspace(input, async (project) => {
    const loaded = await loadTasks({ ports: project });
    if (!loaded.ok) return failure(loaded.message, loaded.next);
    const { tracker, tasks } = loaded;
    const accepted = await settleMarks({ ports: project }, tasks, runningHere(project) !== null);
    if (accepted.length === 0) return work({ project, tracker, tasks });
    for (const line of acceptedLines(accepted)) input.onNotice?.(line);
    project.store.writeViews();
    return work({ project, tracker, tasks: overlaid(tracker, project.store.state) });
  });
}

/** The run that is at work here; `null`: there is none. */
export function runningHere({ root }: Pick<Workspace, 'root'>): ReturnType<typeof liveHolder> {
  return liveHolder(join(root, '.ralph', 'run.lock'), hostname());
}

/** Opens it without git, and says what you should know of that. */
export async function openFound(
  found: FoundWorkTree,
  input: ProjectInput,
): Promise<{ ok: true; project: Workspace } | Failure> {
  const opened = openWorkspace(found, input);
  if (opened.ok) for (const notice of opened.project.notices) input.onNotice?.(notice);
  return opened;
}

/** Newest events in `events.json`. */
const MAX_LISTED_EVENTS = 1000;

function openWorkspace(
  { top: root, gitDir, commonDir }: FoundWorkTree,
  input: ProjectInput,
): { ok: true; project: Workspace & { readonly notices: string[] } } | Failure {
  const loaded = loadConfigFiles({
    ...{ root, env: process.env, flags: input.flags ?? {} },
    ...(input.settings === undefined ? {} : { settings: input.settings }),
  });
  if (!loaded.ok) return failure(formatProblems(loaded.problems));
  const { config, unknownKeys } = loaded;
  if (input.willRun === true && unknownKeys.length > 0) {
    return failure(formatProblems(unknownKeys), 'ralph doctor');
  }
  const clock = input.clock ?? systemClock();
  const home = homeOf(commonDir);
  const { feedback_rotation_days } = config.interventions;
  /** What of the events and the feedback is kept now. */
  const kept = () => ({
    maxEvents: MAX_LISTED_EVENTS,
    feedbackRotationDays: feedback_rotation_days,
    now: clock.now(),
  });
  const store = openStore({
    ...(input.apart === undefined
      ? { dir: join(root, '.ralph'), stateHome: home.path, prepareHome: home.prepare }
      : placesApart(input.apart)),
    place: placeOf({ gitDir, commonDir }),
    alsoWritten: [gitDir, join(commonDir, 'objects')],
    ignoreRules: IGNORE_RULES,
    fold: { empty: EMPTY_STATE, apply: foldRecords },
    views: (state) => viewDocuments(state, kept()),
    archive: (state) => eventsToArchive(state, kept()),
    importViews: (files) => importViews(files, () => taskIdsInOrder(root, config.tracker)),
    clock,
    host: hostname(),
    ...(input.onNotice === undefined ? {} : { onNotice: input.onNotice }),
  });
  if (!store.ok) return failure(store.message, null, 1);
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
      ...{ root, gitDir, commonDir, clock },
      workplace: { worker: 1, worktree: gitDir === commonDir ? 'main' : basename(gitDir) },
      config,
      configEntries: loaded.entries,
      stateHome: home.path,
      prepareHome: home.prepare,
      mode,
      gates: withHeldOutPlaces(gateSpecs(config), root),
      store: store.store,
      tracker: input.asWritten === true ? tracker : holdBackUntrusted(tracker, { ...taskLimits, notice }),
      taskTrust: () => taskTrust(tracker, taskLimits),
      notices,
      readFile: withoutNewLinks(root, config.files, notice, (path) => readText(root, path)),
      exists: (path) => existsSync(resolve(root, path)),
    },
  };
}

function placesApart({ folder, stateHome }: NonNullable<ProjectInput['apart']>) {
  return { dir: join(folder, '.ralph'), stateHome, prepareHome: () => undefined };
}

/** A mode's own timeout that no attempt can have. */
function limitNotices({ adaptive_timeout: limits }: Config, mode: ReturnType<typeof modeSettings>): string[] {
  const { name, timeoutSeconds } = mode;
  if (!limits.enabled || timeoutSeconds === null || timeoutSeconds >= limits.min_timeout) return [];
  return [
    `[adaptive_timeout] min_timeout (${limits.min_timeout} s) is above the timeout of mode ${name} (${timeoutSeconds} s): attempts get min_timeout.`,
  ];
}

/** Folders of ralph between where you are and the repository's top: that one is read, and no other. */
function strayFolderNotices(cwd: string, root: string): string[] {
  const below = relative(root, realpathSync(cwd))
    .split(sep)
    .filter((name) => name !== '');
  // GIT_WORK_TREE may name a work tree from outside of it.
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
 * What git and the store throw where they can't read or write is a failure, and so is what any write throws on a disk that is full or
 * read-only; everything else is a bug.
 *
 * @param cwd Where the command works.
 */
export function expectedFailure(error: unknown, cwd: string): Failure {
  if (error instanceof GitError) return failure(error.message, 'ralph doctor', EXIT.unexpected);
  if (error instanceof StoreError) return failure(error.message, null, 1);
  if (!isSystemError(error) || !OF_DISK.has(error.code)) throw error;
  const folder = error.path === undefined ? fullFolder([cwd, homesFolder(), tmpdir()]) : null;
  const refused = storeError(`ralph can't write${folder === null ? '' : ` in ${folder}`}`, error);
  return failure((refused as Error).message, null, EXIT.unexpected);
}

const OF_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
/** Bytes below which a disk counts as full. */
const FULL = 64 * 1024;

/** The first of these folders whose disk is full: the system doesn't say where it could write no more. */
function fullFolder(folders: readonly string[]): string | null {
  const isFull = (folder: string) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < FULL;
  };
  return folders.find((folder) => tryOr(false, () => isFull(folder))) ?? null;
}

/** @throws StoreError when there is something that cannot be read: it was meant to count. */
function readText(root: string, path: string): string | null {
  const absolute = resolve(root, path);
  try {
    return readFileBytes(absolute).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const link = lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !link) return null;
    throw new StoreError(
      `${path} cannot be read: ${whyUnreadable(error)}. Make it a file that you can read, or move it away.`,
    );
  }
}
