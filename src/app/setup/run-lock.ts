import { existsSync, readdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import type { LiveRun } from '../../domain/ports.ts';
import { processStart } from '../../io/proc/index.ts';
import { acquireRunLock, holderHere, liveHolder } from '../../io/store/index.ts';
import { type Failure, failure } from '../result.ts';
import type { Project } from './project.ts';

/**
 * Does something that must not happen beside a run; `holder` is what the lock names: a run, or a command. The lock is
 * taken a second time outside of the repository, where an agent that removes the first doesn't get by chance.
 */
export async function withRunLock<R>(
  { root, store, stateHome, prepareHome, workplace }: Project,
  holder: string,
  work: () => Promise<R>,
): Promise<R | Failure> {
  await store.unlocked();
  // The locks lie in folders which may not be there yet.
  store.commit(() => []);
  prepareHome();
  const held: (() => void)[] = [];
  try {
    for (const path of [join(root, '.ralph', 'run.lock'), join(stateHome, outerLock(workplace.worktree))]) {
      const lock = acquireRunLock(path, { run: holder, host: hostname() });
      if (!lock.ok) return locked(lock.holder);
      held.push(lock.release);
    }
    return await work();
  } finally {
    for (const release of held.toReversed()) release();
  }
}

function locked(holder: { readonly pid: number; readonly host: string } | null): Failure {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  return failure(
    `Another run is active in this repository (${who}). Nothing was changed.`,
    'ralph status',
    EXIT.locked,
  );
}

/** A run that is active in a work tree. */
export type ActiveRun = {
  readonly run: string;
  readonly pid: number;
  readonly host: string;
  /** That process is on this machine, and is the run without doubt. */
  readonly isSure: boolean;
};

/** Other commands that take the lock put their own name into it. */
const RUN_ID = /^r-\d{8}-\d{6}-/;

/** The run that is active in a work tree; `null`: there is none. */
export function activeRun({ root, stateHome, worktree }: RunPlace): ActiveRun | null {
  for (const path of [join(root, '.ralph', 'run.lock'), join(stateHome, outerLock(worktree))]) {
    const holder = liveHolder(path, hostname());
    if (holder?.run == null || !RUN_ID.test(holder.run)) continue;
    const { run, pid, host, startTime } = holder;
    const isSure = host === hostname() && (startTime !== null || startedBefore(pid, path));
    return { run, pid, host, isSure };
  }
  return null;
}

type RunPlace = { readonly root: string; readonly stateHome: string; readonly worktree: string };

/** Where the lock doesn't say when its process started: a later process with that number isn't it. */
function startedBefore(pid: number, path: string): boolean {
  const started = processStart(pid);
  const locked = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return started !== null && Math.floor(started / 1000) <= Math.floor(locked / 1000);
}

const OUTER_LOCK = /^run-.*\.lock$/;

function outerLock(worktree: string): string {
  return `run-${worktree}.lock`;
}

/** The runs that are active on this machine in any work tree of a repository, as far as their locks can be read. */
export function liveRuns(roots: readonly string[], stateHome: string): LiveRun[] {
  const names = existsSync(stateHome) ? readdirSync(stateHome) : [];
  const paths = [
    ...roots.map((root) => join(root, '.ralph', 'run.lock')),
    ...names.filter((name) => OUTER_LOCK.test(name)).map((name) => join(stateHome, name)),
  ];
  return paths.flatMap((path) => {
    const holder = holderHere(path);
    const startedAt = holder === null ? null : processStart(holder.pid);
    return holder === null || startedAt === null ? [] : [{ pid: holder.pid, run: holder.run, startedAt }];
  });
}
