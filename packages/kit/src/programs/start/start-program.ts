import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncOptions,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from 'node:child_process';
import type { ExecaError, Options } from 'execa';
import { nameOf } from '../../paths.ts';
import { agentsReach } from './agents-reach.ts';
import { ownProgramPath } from './own-program.ts';
import { lateText, patience } from './patience.ts';

/** `agents`: programs of agents and gates without a box; `ralph`: all others, including bubblewrap. */
type Whose = 'ralph' | 'agents';

/** ralph refused to start a program outside a box that agents can write to; looks like a missing permission. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly code = 'EACCES';
  /** The number that Linux gives to EACCES, negated as Node does. */
  readonly errno = -13;
}

/**
 * Starts a program; nothing else in ralph does (test/architecture/starts.test.ts).
 * @param program A name is found by `ownProgram`; a path is used unless agents can write there.
 * @throws Refused, or the Node error when the system refuses at once.
 */
export function start(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  whose: Whose = 'ralph',
): ChildProcess {
  return spawn(pathOf(program, options, whose), args, options);
}

/** Uses its own group, as signals to ralph's would interrupt it. `error` reports failures. @throws Refused */
export function startSync(
  program: string,
  args: readonly string[],
  options: SpawnSyncOptions & { readonly encoding?: BufferEncoding },
): SpawnSyncReturns<string> {
  const timeout = patience(options.timeout ?? LONGEST_MS);
  // A program that ignores SIGTERM would be waited for.
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

/** Default time limit in milliseconds; a program may read a large work tree. */
const LONGEST_MS = 10 * 60_000;

/** The part of execa's options and results in use, with text output. */
type ShortOptions = Pick<Options, 'cwd' | 'input' | 'env' | 'extendEnv' | 'timeout' | 'stdin'> & {
  readonly reject?: boolean;
};
type ShortEnd = Pick<ExecaError, 'failed' | 'exitCode' | 'shortMessage' | 'timedOut'> & {
  readonly code?: string;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a short program through execa. @throws Refused; ExecaError when the program fails, unless `reject` is false. */
export async function runShort(
  program: string,
  args: readonly string[],
  options: ShortOptions,
): Promise<ShortEnd> {
  // Loaded late, as few commands start programs.
  const { execa } = await import('execa');
  const timeout = patience(options.timeout ?? LONGEST_MS);
  const child = execa(pathOf(program, options, 'ralph'), args, {
    forceKillAfterDelay: KILL_AFTER_MS,
    ...options,
    timeout,
  });
  // Children may hold the output forever, so the streams are closed at the deadline.
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

/** A program that ignores SIGTERM is killed after this time, in milliseconds. */
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

/** Making a pipe takes a millisecond; only a hanging machine reaches this limit. */
const LIMIT_MS = 10_000;

/** Makes a named pipe for this user. @throws When the folder can't hold a pipe. */
export function makePipe(path: string): void {
  const { status, error, stderr } = startSync('mkfifo', ['-m', '600', path], {
    timeout: LIMIT_MS,
  });
  if (status !== 0) throw error ?? new Error(stderr.trim());
}
