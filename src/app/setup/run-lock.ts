import { existsSync, readdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import type { LiveRun } from '../../domain/ports.ts';
import { processStart } from '../../io/proc/index.ts';
import { acquireRunLock, liveHolder, localHolder } from '../../store/index.ts';
import { type Failure, failure } from '../result.ts';
import type { Project } from './project.ts';
import { runLockIn } from './ralph-folder.ts';

/**
 * Calls `work` while holding two locks that name `holder`, a run or a command. The second lock is outside of the
 * repository, where agents don't remove it by accident.
 */
export async function withRunLock<R>(
  { folder, store, stateHome, prepareHome, workplace }: Project,
  holder: string,
  work: () => Promise<R>,
): Promise<R | Failure> {
  await store.unlocked();
  // A commit makes the locks' folders, which may not exist yet.
  store.commit(() => []);
  prepareHome();
  const releases: (() => void)[] = [];
  try {
    for (const path of [runLockIn(folder), join(stateHome, outerLock(workplace.worktree))]) {
      const lock = acquireRunLock(path, { run: holder, host: hostname() });
      if (!lock.ok) return locked(lock.holder);
      releases.push(lock.release);
    }
    return await work();
  } finally {
    for (const release of releases.toReversed()) release();
  }
}

export function locked(holder: { readonly pid: number; readonly host: string } | null): Failure {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  return failure(
    `Another run is active in this repository (${who}). Nothing was changed.`,
    'ralph status',
    EXIT.locked,
  );
}

export type ActiveRun = {
  readonly run: string;
  readonly pid: number;
  readonly host: string;
  /** Whether the process is on this machine and certainly belongs to the run. */
  readonly isSure: boolean;
};

/** Matches ids of runs: other commands take the lock, too. */
const RUN_ID = /^r-\d{8}-\d{6}-/;

/** Returns the active run of a work tree; `null`: there is none. */
export function activeRun({ folder, stateHome, worktree }: RunPlace): ActiveRun | null {
  for (const path of [runLockIn(folder), join(stateHome, outerLock(worktree))]) {
    const holder = liveHolder(path, hostname());
    if (holder?.run == null || !RUN_ID.test(holder.run)) continue;
    const { run, pid, host, startTime } = holder;
    const isSure = host === hostname() && (startTime !== null || startedBefore(pid, path));
    return { run, pid, host, isSure };
  }
  return null;
}

type RunPlace = { readonly folder: string; readonly stateHome: string; readonly worktree: string };

/**
 * Returns whether the process started before the lock was taken. Otherwise it is another process that got the same id.
 * For locks without a start time.
 */
function startedBefore(pid: number, path: string): boolean {
  const started = processStart(pid);
  const locked = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return started !== null && Math.floor(started / 1000) <= Math.floor(locked / 1000);
}

const OUTER_LOCK = /^run-.*\.lock$/;

function outerLock(worktree: string): string {
  return `run-${worktree}.lock`;
}

/** Returns the runs that are active on this machine in a repository's work trees, as far as their locks can be read. */
export function liveRuns(roots: readonly string[], stateHome: string): LiveRun[] {
  const names = existsSync(stateHome) ? readdirSync(stateHome) : [];
  const paths = [
    ...roots.map((root) => runLockIn(join(root, '.ralph'))),
    ...names.filter((name) => OUTER_LOCK.test(name)).map((name) => join(stateHome, name)),
  ];
  return paths.flatMap((path) => {
    const holder = localHolder(path);
    const startedAt = holder === null ? null : processStart(holder.pid);
    return holder === null || startedAt === null ? [] : [{ pid: holder.pid, run: holder.run, startedAt }];
  });
}
