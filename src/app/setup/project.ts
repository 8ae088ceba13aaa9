import { existsSync, lstatSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { gateSpecs, modeSettings } from '../../config/index.ts';
import type { Config } from '../../domain/config.ts';
import { type Git, type Store, StoreError, type Tracker } from '../../domain/ports.ts';
import { EMPTY_STATE } from '../../domain/state.ts';
import { systemClock } from '../../io/clock.ts';
import type { FoundWorkTree } from '../../io/git/index.ts';
import { readFileBytes } from '../../io/read-file.ts';
import { openStore } from '../../io/store/index.ts';
import { eventsToArchive, foldRecords, importViews, viewDocuments } from '../../state/index.ts';
import { type Failure, failure } from '../result.ts';
import { formatProblems, loadConfigFiles } from './load-config.ts';
import { stateHomeOf } from './state-home.ts';
import { taskIdsInOrder } from './task-ids.ts';
import { openTracker } from './tracker.ts';
import type { ConfigEntry } from './trust-items.ts';
import { openGitAt, realFolder, workTreeAt } from './work-tree.ts';

export type ProjectInput = {
  readonly cwd: string;
  /** Configuration given on the command line, by dotted key. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly onNotice?: (notice: string) => void;
};

/** A repository with its configuration, state and tracker opened. */
export type Workspace = {
  readonly root: string;
  readonly worktree: string;
  readonly config: Config;
  /** Every value in effect with where it came from. */
  readonly configEntries: () => readonly ConfigEntry[];
  /** Where ralph keeps what belongs to this repository outside of it. */
  readonly stateHome: string;
  readonly mode: { readonly name: string; readonly timeoutSeconds: number | null };
  readonly gates: ReturnType<typeof gateSpecs>;
  readonly store: Store;
  readonly tracker: Tracker;
  /** Findings at opening that a person should hear of. */
  readonly notices: readonly string[];
  readonly readFile: (path: string) => string | null;
  readonly exists: (path: string) => boolean;
};

export type Project = Workspace & { readonly git: Git };

/** Opens the repository around a folder; a failure says what to mend first. */
export async function openProject(input: ProjectInput): Promise<{ ok: true; project: Project } | Failure> {
  const folder = realFolder(input.cwd);
  if (!folder.ok) return folder;
  const opened = await openGitAt(folder.path);
  if (!opened.ok) return opened;
  const workspace = openFound(opened, input);
  if (!workspace.ok) return workspace;
  const { include_ignored, max_file_mb } = workspace.project.config.snapshot;
  const git = opened.git({ includeIgnored: include_ignored, maxFileBytes: max_file_mb * 1024 * 1024 });
  return { ok: true, project: { ...workspace.project, git } };
}

/** The same without git, for commands that look at ralph's own files alone: it starts no process where it can. */
export async function openWorkspace(
  input: ProjectInput,
): Promise<{ ok: true; project: Workspace } | Failure> {
  const found = await workTreeAt(input.cwd);
  return found.ok ? openFound(found, input) : found;
}

function openFound(
  { top: root, gitDir, commonDir }: FoundWorkTree,
  input: ProjectInput,
): { ok: true; project: Workspace } | Failure {
  const loaded = loadConfigFiles({ root, env: process.env, flags: input.flags ?? {} });
  if (!loaded.ok) return failure(formatProblems(loaded.problems));
  const { config } = loaded;
  const clock = systemClock();
  const stateHome = stateHomeOf(commonDir);
  const { max_events, feedback_rotation_days } = config.interventions;
  /** What of the events and the feedback is kept now. */
  const kept = () => ({
    maxEvents: max_events,
    feedbackRotationDays: feedback_rotation_days,
    now: clock.now(),
  });
  const store = openStore({
    dir: join(root, '.ralph'),
    stateHome,
    alsoWritten: [gitDir, join(commonDir, 'objects')],
    fold: { empty: EMPTY_STATE, apply: foldRecords },
    views: (state) => viewDocuments(state, kept()),
    archive: (state) => eventsToArchive(state, kept()),
    importViews: (files) => importViews(files, () => taskIdsInOrder(root, config.tracker)),
    clock,
    host: hostname(),
    ...(input.onNotice === undefined ? {} : { onNotice: input.onNotice }),
  });
  if (!store.ok) return failure(store.message, null, 1);
  const mode = modeSettings(config);
  const notices = [...loaded.warnings.map((warning) => formatProblems([warning])), ...store.notices];
  return {
    ok: true,
    project: {
      root,
      worktree: gitDir === commonDir ? 'main' : basename(gitDir),
      config,
      configEntries: loaded.entries,
      stateHome,
      mode,
      gates: gateSpecs(config),
      store: store.store,
      tracker: openTracker({ root, store: store.store, config: config.tracker }),
      notices,
      readFile: (path) => readText(root, path),
      exists: (path) => existsSync(resolve(root, path)),
    },
  };
}

/** Expected failures that surface as exceptions from the store become a failure; everything else is a bug. */
export function storeFailure(error: unknown): Failure {
  if (error instanceof StoreError) return failure(error.message, null, 1);
  throw error;
}

/** @throws StoreError when there is something that cannot be read: a person meant it to count. */
function readText(root: string, path: string): string | null {
  const absolute = resolve(root, path);
  try {
    return readFileBytes(absolute).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const link = lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !link) return null;
    throw new StoreError(
      `${path} cannot be read (${code}). Make it a file that can be read, or move it away.`,
    );
  }
}
