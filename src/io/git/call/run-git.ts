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

/** Bytes of git's error output that are kept. */
const MAX_ERROR_BYTES = 16_384;

/**
 * Runs git to its end in a session of its own, so that Ctrl-C on the terminal doesn't tear it.
 * @throws GitError when git can't be started, or exits with a code that isn't an answer.
 */
export function runGit(call: GitCall, args: readonly string[], request: GitRequest = {}): Promise<GitAnswer> {
  const { input, maxBytes = Number.POSITIVE_INFINITY, answers = [] } = request;
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...call.flags, ...args], {
      cwd: call.folder,
      env: call.env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let bytes = 0;
    let errorBytes = 0;
    let cut = false;
    child.stdout?.on('data', (chunk: Buffer) => {
      if (cut) return;
      output.push(chunk);
      bytes += chunk.length;
      cut = bytes > maxBytes;
      if (cut) endGroup(child.pid, 'SIGKILL');
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errorBytes < MAX_ERROR_BYTES) errors.push(chunk);
      errorBytes += chunk.length;
    });
    child.on('error', (error) => reject(new GitError(`git could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      const stderr = Buffer.concat(errors).toString('utf8', 0, MAX_ERROR_BYTES).trim();
      if (cut) return resolve({ code: 0, stdout: Buffer.concat(output).subarray(0, maxBytes), stderr, cut });
      if (code === 0 || (code !== null && answers.includes(code)))
        return resolve({ code, stdout: Buffer.concat(output), stderr, cut });
      const name = args.find((arg, at) => arg !== '-c' && args[at - 1] !== '-c');
      reject(new GitError(`git ${name} ended with ${code ?? signal}: ${stderr || 'no message'}`));
    });
    // A child that ends early closes the pipe; its exit code tells the story.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Sends a signal to a program that was started with `detached`, and to all it started in its group. */
export function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It ended in this moment.
  }
}
