import { spawn } from 'node:child_process';
import { GitError } from '../../../domain/ports.ts';
import type { GitCall } from './environment.ts';

export type GitRequest = {
  readonly input?: Buffer | string | undefined;
  /** Output beyond this many bytes ends git and what it started, and sets `cut`. */
  readonly maxBytes?: number | undefined;
  /** Exit codes that are an answer and not a failure; 0 always is. */
  readonly answers?: readonly number[] | undefined;
};

export type GitAnswer = {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly cut: boolean;
};

/** How a program ended, with what it printed. */
type ProgramEnd = Omit<GitAnswer, 'code'> & {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It was ended at its limit. */
  readonly late: boolean;
};

/** Bytes of error output that are kept, the last ones. */
const MAX_ERROR_BYTES = 16_384;
/** What doesn't end when asked is killed after this long. */
const KILL_AFTER_MS = 5000;
/** A program is over although something that it left holds its output: that gets this long. */
const LEFT_BEHIND_MS = 1000;

/**
 * Runs git to its end.
 * @throws GitError when git can't be started, exits with a code that isn't an answer, or is ended at its limit.
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
  const { code, signal, stdout, stderr, cut, late } = end;
  if (cut) return { code: 0, stdout, stderr, cut };
  const name = args.find((arg, at) => arg !== '-c' && args[at - 1] !== '-c');
  if (late) throw new GitError(`git ${name} didn't end within ${limitText(call)} and was stopped`);
  if (code !== null && (code === 0 || answers.includes(code))) return { code, stdout, stderr, cut };
  throw new GitError(`git ${name} ended with ${code ?? signal}: ${stderr || 'no message'}`);
}

/**
 * Runs a program to its end, in a session of its own, so that Ctrl-C on the terminal doesn't tear it. At the limit of
 * the call it is ended with its whole group.
 * @throws GitError when it can't be started.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  call: Pick<GitCall, 'folder' | 'env' | 'limitMs'>,
  { input, maxBytes = Number.POSITIVE_INFINITY }: GitRequest,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: call.folder,
      env: call.env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const end = (signal: NodeJS.Signals) => endGroup(child.pid, signal);
    const closePipes = () => {
      end('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let bytes = 0;
    let errorBytes = 0;
    let late = false;
    const stop = () => {
      late = true;
      end('SIGTERM');
      timers.push(setTimeout(closePipes, KILL_AFTER_MS));
    };
    const timers = [setTimeout(stop, call.limitMs)];
    child.stdout?.on('data', (chunk: Buffer) => {
      if (bytes > maxBytes) return;
      output.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) end('SIGKILL');
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      errors.push(chunk);
      errorBytes += chunk.length;
      while (errorBytes - (errors[0]?.length ?? 0) > MAX_ERROR_BYTES)
        errorBytes -= errors.shift()?.length ?? 0;
    });
    if (child.pid !== undefined) running.add(child.pid);
    const forget = () => {
      timers.forEach(clearTimeout);
      if (child.pid !== undefined) running.delete(child.pid);
    };
    child.on('error', (error) => {
      forget();
      reject(new GitError(`${program} could not be started: ${error.message}`));
    });
    // What it wrote itself is read in the turn of the event loop that follows the timer.
    child.on('exit', () => timers.push(setTimeout(() => setImmediate(closePipes), LEFT_BEHIND_MS)));
    child.on('close', (code, signal) => {
      forget();
      const stderr = Buffer.concat(errors).subarray(-MAX_ERROR_BYTES).toString('utf8').trim();
      const cut = bytes > maxBytes;
      const stdout = Buffer.concat(output);
      resolve({ code, signal, stdout: cut ? stdout.subarray(0, maxBytes) : stdout, stderr, cut, late });
    });
    // A child that ends early closes the pipe; its exit code tells the story.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

export function limitText({ limitMs }: Pick<GitCall, 'limitMs'>): string {
  return `${Math.round(limitMs / 60_000)} min`;
}

/** Groups that are ended with ralph. */
const running = new Set<number>();
process.on('exit', () => {
  for (const pid of running) endGroup(pid, 'SIGTERM');
});

/** Sends a signal to a program that was started with `detached`, and to all it started in its group. */
function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It ended in this moment.
  }
}
