import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { gateSpecs, modeSettings } from '../config/index.ts';
import type { Config } from '../domain/config.ts';
import { type Git, type Store, StoreError, type Tracker } from '../domain/ports.ts';
import { EMPTY_STATE } from '../domain/state.ts';
import { systemClock } from '../io/clock.ts';
import { openGit } from '../io/git/index.ts';
import { openStore } from '../io/store/index.ts';
import { foldRecords, importViews, viewDocuments } from '../state/index.ts';
import { formatProblems, loadConfigFiles } from './load-config.ts';
import { type Failure, failure } from './result.ts';
import { openTracker } from './tracker.ts';

export type ProjectInput = {
  readonly cwd: string;
  /** Configuration given on the command line, by dotted key. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly onNotice?: (notice: string) => void;
};

/** A repository with its configuration, state and tracker opened. */
export type Project = {
  readonly root: string;
  readonly worktree: string;
  readonly config: Config;
  readonly mode: { readonly name: string; readonly timeoutSeconds: number };
  readonly gates: ReturnType<typeof gateSpecs>;
  readonly git: Git;
  readonly store: Store;
  readonly tracker: Tracker;
  /** Findings at opening that a person should hear of. */
  readonly notices: readonly string[];
  readonly readFile: (path: string) => string | null;
};

/** A mode without a timeout of its own gets the medium level's base time (spec 2, Complexity). */
const DEFAULT_TIMEOUT_SECONDS = 180;

/** Opens the repository around a folder; a failure says what to mend first. */
export async function openProject(input: ProjectInput): Promise<{ ok: true; project: Project } | Failure> {
  if (process.platform === 'win32') {
    return failure(
      'ralph does not run on Windows itself.',
      'Run it inside WSL, on a clone that lives there.',
    );
  }
  if (!existsSync(input.cwd) || !statSync(input.cwd).isDirectory()) {
    return failure(`There is no folder ${input.cwd}.`, 'Name an existing folder with --cwd.');
  }
  const opened = await openGit({ root: realpathSync(input.cwd) });
  if (!opened.ok) return failure(opened.message);
  const root = opened.top;
  const loaded = loadConfigFiles({ root, env: process.env, flags: input.flags ?? {} });
  if (!loaded.ok) return failure(formatProblems(loaded.problems));
  const { config } = loaded;
  const clock = systemClock();
  const store = openStore({
    dir: join(root, '.ralph'),
    stateHome: join(stateFolder(), repositoryId(opened.commonDir)),
    fold: { empty: EMPTY_STATE, apply: foldRecords },
    views: (state) =>
      viewDocuments(state, {
        maxEvents: config.interventions.max_events,
        feedbackRotationDays: config.interventions.feedback_rotation_days,
        now: clock.now(),
      }),
    importViews,
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
      worktree: opened.gitDir === opened.commonDir ? 'main' : basename(opened.gitDir),
      config,
      mode: { name: mode.name, timeoutSeconds: mode.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS },
      gates: gateSpecs(config),
      git: opened.git,
      store: store.store,
      tracker: openTracker({ root, store: store.store, config: config.tracker }),
      notices,
      readFile: (path) => readText(root, path),
    },
  };
}

/** Expected failures that surface as exceptions from the store become a failure; everything else is a bug. */
export function storeFailure(error: unknown): Failure {
  if (error instanceof StoreError) return failure(error.message, null, 1);
  throw error;
}

/** `$XDG_STATE_HOME/ralph` (decisions.md, State). */
function stateFolder(): string {
  const xdg = process.env.XDG_STATE_HOME ?? '';
  return join(isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state'), 'ralph');
}

/** One id for a repository and all its linked worktrees. */
function repositoryId(commonDir: string): string {
  return createHash('sha256').update(realpathSync(commonDir)).digest('hex').slice(0, 16);
}

function readText(root: string, path: string): string | null {
  const absolute = resolve(root, path);
  try {
    return readFileSync(absolute, 'utf8');
  } catch {
    return null;
  }
}
