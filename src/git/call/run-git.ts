import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { channelOf } from 'ralph-box/launch/start-command';
import type { OpenedBox } from 'ralph-box/protocol';
import { lateText } from 'ralph-kit/programs/start/patience';
import { start } from 'ralph-kit/programs/start/start-program';
import { endWithRalph, sendSignal } from 'ralph-kit/programs/table/signals';
import { shellQuote } from 'ralph-kit/shell-quote';
import { GitError } from '../../domain/ports.ts';
import { findBlocker } from './blocker.ts';
import { detectStall } from './detect-stall.ts';
import type { GitCall } from './environment.ts';

export type GitRequest = {
  readonly input?: Buffer | string | undefined;
  /** More output ends git and its children, and sets `cut`. */
  readonly maxBytes?: number | undefined;
  /** Non-zero exit codes that are answers, not failures. */
  readonly answers?: readonly number[] | undefined;
  /** Set when the program is bubblewrap around another one: the status file becomes descriptor 3. */
  readonly box?: Pick<OpenedBox, 'serve' | 'statusFile'> | null;
};

export type GitAnswer = {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly cut: boolean;
};

/** A call that was stopped because it would never have ended; a retry would wait as long. */
export class GitStopped extends GitError {
  override readonly name = 'GitStopped';
}

type ProgramEnd = Omit<GitAnswer, 'code'> & {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the program was stopped, as the end of a sentence; `null` when it ended on its own. */
  readonly stopped: string | null;
};

/** Number of bytes kept from the end of the error output. */
const MAX_ERROR_BYTES = 16_384;
/** Milliseconds after which a program that ignores SIGTERM is killed. */
const KILL_AFTER_MS = 5000;
/** Milliseconds before the first check of what git waits for; the interval then doubles. */
const FIRST_POLL_MS = 2000;
/** Milliseconds for children that still hold the output of a program that has ended. */
const LEFT_BEHIND_MS = 1000;

/**
 * Runs a call of git to its end. @throws GitError when git can't be started, reaches its limit, or exits with a code
 * that isn't an answer.
 */
export async function runGit(
  call: GitCall,
  args: readonly string[],
  request: GitRequest = {},
): Promise<GitAnswer> {
  const { answers = [] } = request;
  if (call.program.kind === 'missing')
    throw new GitError(`git could not be started: ${call.program.message}`);
  const end = await runProgram(call.program.path, [...call.flags, ...args], call, request);
  const { code, signal, stdout, stderr, cut, stopped } = end;
  if (cut) return { code: 0, stdout, stderr, cut };
  const name = args.find((arg, at) => arg !== '-c' && args[at - 1] !== '-c');
  if (stopped !== null) throw new GitStopped(`git ${name} ${stopped}`);
  if (code !== null && (code === 0 || answers.includes(code))) return { code, stdout, stderr, cut };
  const view = call.env.GIT_COMMON_DIR;
  // Git would only report that this isn't a repository.
  if (view !== undefined && !existsSync(view))
    throw new GitError(`${view} was removed while ralph ran: it holds what ralph's git goes by`);
  throw new GitError(`git ${name} ended with ${code ?? signal}: ${stderr || 'no message'}`);
}

/**
 * Runs a program in its own session, so that Ctrl-C on the terminal doesn't interrupt it; at the call's limit its
 * whole group is ended.
 * @throws GitError when the program can't be started.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  call: GitCall,
  { input, maxBytes = Number.POSITIVE_INFINITY, box = null }: GitRequest,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const status = box === null ? [] : [openSync(box.statusFile, 'w', 0o600)];
    const pipes = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const;
    const stdio = [...pipes, ...status, ...channelOf(box?.serve ?? null)];
    let child: ChildProcess;
    try {
      child = start(program, args, { cwd: call.folder, env: call.env, stdio, detached: true });
    } finally {
      status.forEach(closeSync);
    }
    endWithRalph(child);
    box?.serve?.(child);
    const closePipes = () => {
      endGroup(child, 'SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    let stopped: string | null = null;
    const timers: NodeJS.Timeout[] = [];
    const ended = new AbortController();
    const waits = child.pid === undefined || !call.runsUsers ? [] : [detectStall(child.pid, ended.signal)];
    void Promise.race([whyStopped(call, ended.signal), ...waits]).then((why) => {
      if (why === null) return;
      stopped = why;
      endGroup(child, 'SIGTERM');
      timers.push(setTimeout(closePipes, KILL_AFTER_MS));
    });
    const output = collect(child.stdout, maxBytes, () => endGroup(child, 'SIGKILL'));
    const errors = collectEnd(child.stderr);
    const over = () => {
      ended.abort();
      timers.forEach(clearTimeout);
    };
    child.on('error', (error) => {
      over();
      reject(new GitError(`${program} could not be started: ${error.message}`));
    });
    // Output that the program wrote before its end is read in the event loop turn after the timer.
    child.on('exit', () => timers.push(setTimeout(() => setImmediate(closePipes), LEFT_BEHIND_MS)));
    child.on('close', (code, signal) => {
      over();
      resolve({ code, signal, ...output(), stderr: errors(), stopped });
    });
    // A child that ends early closes the pipe; its exit code shows the reason.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Resolves with the reason when a call must be stopped, or with `null` when it has ended. */
async function whyStopped(call: GitCall, ended: AbortSignal): Promise<string | null> {
  // A check takes time in proportion to the size of the work tree.
  for (
    let at = 0, next = Math.min(FIRST_POLL_MS, call.limitMs);
    at < call.limitMs;
    at = next, next = Math.min(2 * next, call.limitMs)
  ) {
    await sleep(next - at, null, { signal: ended }).catch(() => null);
    if (ended.aborted) return null;
    const blocker = await findBlocker(call.folder, call.gitFolders, ended);
    if (blocker !== null)
      return `was stopped: ${blocker.path} ${blocker.why}. Remove it: rm -- ${shellQuote(blocker.path)}`;
  }
  return ended.aborted ? null : lateText(call.limitMs);
}

/** Collects up to `maxBytes` of a stream; calls `onFull` once when there is more. */
function collect(stream: Readable | null, maxBytes: number, onFull: () => void) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (bytes > maxBytes) return;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) onFull();
  });
  return () => {
    const all = Buffer.concat(chunks);
    return bytes > maxBytes ? { stdout: all.subarray(0, maxBytes), cut: true } : { stdout: all, cut: false };
  };
}

export function collectEnd(stream: Readable | null): () => string {
  let kept = Buffer.of();
  stream?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-MAX_ERROR_BYTES);
  });
  return () => kept.toString('utf8').trim();
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) sendSignal(-pid, signal);
}

/** Returns what the work returns, or `fallback` when git can't answer. Other errors are thrown. */
export async function gitOr<T, F>(fallback: F, work: () => Promise<T>): Promise<T | F> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return fallback;
  }
}

/** Turns file system errors in ralph's folder into `GitError`, which the user can fix. */
export async function asGitError<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw gitErrorOf(place, error);
  }
}

export function orGitError<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw gitErrorOf(place, error);
  }
}

function gitErrorOf(place: string, error: unknown): unknown {
  const { errno, message } = error as NodeJS.ErrnoException;
  if (errno === undefined) return error;
  return new GitError(
    `ralph can't write in ${place} (${message}). Is the disk full, or the folder read-only? Fix that, then run again.`,
  );
}
