import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncOptions,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from 'node:child_process';
import type { ExecaError, Options } from 'execa';
import { nameOf } from '../../../lib/paths.ts';
import { agentsReach } from './agents-reach.ts';
import { ownProgramPath } from './own-program.ts';
import { lateText, patience } from './patience.ts';

/**
 * Whose program it is: of `agents` (agents, gates, what you let run outside) where there is no box for it, of `ralph` everything
 * else, bubblewrap with what it boxes included.
 */
type Whose = 'ralph' | 'agents';

/** A program that ralph was about to start outside of a box, where agents can write to it. Comes as one that may not be executed. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly code = 'EACCES';
  /** Of EACCES. */
  readonly errno = -13;
}

/**
 * Starts a program: all that ralph starts, it starts here (test/architecture/starts.test.ts).
 *
 * @param program A name is looked for as `ownProgram` says; a path is taken as it is, if no agent can write there.
 * @throws Refused, and the Node error where the system refuses at once
 */
export function start(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  whose: Whose = 'ralph',
): ChildProcess {
  return spawn(pathOf(program, options, whose), args, options);
}

/**
 * The same, and waits for its end, with its output as text. It has a group of its own: a signal to that of ralph would end it in the
 * middle, and ralph hears of it only afterwards. A program that isn't there, or is ended at its limit, is an `error` in it.
 *
 * @throws Refused
 */
export function startSync(
  program: string,
  args: readonly string[],
  options: SpawnSyncOptions & { readonly encoding?: BufferEncoding },
): SpawnSyncReturns<string> {
  const timeout = patience(options.timeout ?? LONGEST_MS);
  // One that doesn't end when asked would be waited for all the same.
  const apart = {
    encoding: 'utf8' as const,
    ...options,
    timeout,
    killSignal: 'SIGKILL' as const,
    detached: true,
  };
  const ended = spawnSync(pathOf(program, options, 'ralph'), args, apart);
  const isLate = (ended.error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
  if (isLate && ended.error !== undefined) ended.error.message = `${nameOf(program)} ${lateText(timeout)}`;
  return ended;
}

/** A program that names no limit gets this one, in milliseconds: it may read a large work tree. */
const LONGEST_MS = 10 * 60_000;

/** What is taken of execa's options and of what it gives back, with output as text. */
type ShortOptions = Pick<Options, 'cwd' | 'input' | 'env' | 'timeout' | 'stdin'> & {
  readonly reject?: boolean;
};
type ShortEnd = Pick<ExecaError, 'failed' | 'exitCode' | 'shortMessage' | 'timedOut'> & {
  readonly code?: string;
  readonly stdout: string;
  readonly stderr: string;
};

/** The same by execa, for a short program. @throws Refused; unless `reject` is false, ExecaError where the program fails */
export async function runShort(
  program: string,
  args: readonly string[],
  options: ShortOptions,
): Promise<ShortEnd> {
  // Loaded when it is needed: few commands start one.
  const { execa } = await import('execa');
  const timeout = patience(options.timeout ?? LONGEST_MS);
  const child = execa(pathOf(program, options, 'ralph'), args, {
    forceKillAfterDelay: KILL_AFTER_MS,
    ...options,
    timeout,
  });
  // What a program leaves behind may hold its output for ever: at the deadline nothing of it is waited for.
  const deadline = setTimeout(abandon, timeout + 2 * KILL_AFTER_MS);
  function abandon() {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }
  try {
    return (await child) as unknown as ShortEnd;
  } finally {
    clearTimeout(deadline);
  }
}

/** What doesn't end when asked is killed after so long, in milliseconds. */
const KILL_AFTER_MS = 1000;

const allowed = new Set<string>();

function pathOf(
  program: string,
  { cwd = process.cwd() }: { readonly cwd?: string | URL | undefined },
  whose: Whose,
): string {
  const folder = String(cwd);
  if (!program.includes('/')) return ownProgramPath(program, folder);
  const key = `${program}\0${folder}`;
  if (whose === 'agents' || allowed.has(key)) return program;
  const where = agentsReach(program, folder);
  if (where !== null) throw new Refused(`${program} isn't started outside of a box: it lies ${where}.`);
  allowed.add(key);
  return program;
}

/** It takes one; longer than this only on a machine that hangs, in milliseconds. */
const LIMIT_MS = 10_000;

/** Makes a named pipe for this user. @throws where there can be none in this folder */
export function makePipe(path: string): void {
  const { status, error, stderr } = startSync('mkfifo', ['-m', '600', path], {
    timeout: LIMIT_MS,
  });
  if (status !== 0) throw error ?? new Error(stderr.trim());
}
