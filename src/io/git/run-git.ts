import { spawn } from 'node:child_process';
import { type GitShell, openGitShell, type ShellAnswer } from './git-shell.ts';

/** A git command that failed although nothing the caller did explains it; the message holds git's own words. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

export type GitRequest = {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Buffer | string;
  /** Output beyond this many bytes ends the process and sets `cut`. */
  readonly maxBytes?: number;
  /** Exit codes that are an answer and no failure; 0 always is. */
  readonly answers?: readonly number[];
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
 * What `git rev-parse --local-env-vars` names, and what changes how paths and diffs are read: inherited from a hook
 * or an alias, these would send our commands to another repository.
 */
const INHERITED = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_CONFIG',
  'GIT_OBJECT_DIRECTORY',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
] as const;

/** The environment of this process without what would point git elsewhere. */
export function personEnv(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of INHERITED) delete env[name];
  return { ...env, GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat' };
}

/** For calls whose output is read: C locale, no optional locks on the person's index, paths taken literally. */
export function plainEnv(): NodeJS.ProcessEnv {
  return {
    ...personEnv(),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/** A process that has called git so many times is a loop, and will call it again. */
const CALLS_BEFORE_SHELL = 8;
/** Calls that run beside one another: a snapshot and a checkpoint. */
const MAX_SHELLS = 2;

let calls = 0;
const idle: GitShell[] = [];
let shells = 0;

/**
 * Runs git to its end in a session of its own, so that Ctrl-C on the terminal does not tear it.
 * @throws GitError when git cannot be started, or exits with a code that is no answer.
 */
export async function runGit(args: readonly string[], request: GitRequest): Promise<GitAnswer> {
  calls += 1;
  const shell = calls > CALLS_BEFORE_SHELL ? takeShell() : null;
  const added = shell === null ? null : additions(shell.env, request.env);
  if (shell !== null && added === null) idle.push(shell);
  const run = shell === null || added === null ? runDirectly : runInShell(shell, added);
  const { code, signal, stdout, stderr, cut } = await run(args, request);
  const message = stderr.subarray(0, MAX_ERROR_BYTES).toString('utf8').trim();
  if (!cut && code !== 0 && !(code !== null && request.answers?.includes(code))) {
    const name = args.find((arg, at) => arg !== '-c' && args[at - 1] !== '-c');
    throw new GitError(`git ${name} ended with ${code ?? signal}: ${message || 'no message'}`);
  }
  return {
    code: code ?? 0,
    stdout: cut ? stdout.subarray(0, request.maxBytes) : stdout,
    stderr: message,
    cut,
  };
}

type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** The output was longer than the caller wants. */
  readonly cut: boolean;
};

/** The variables that a request adds to those of the shell; `null` when it is more than an addition. */
function additions(base: NodeJS.ProcessEnv, wanted: NodeJS.ProcessEnv): Record<string, string> | null {
  const added: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined || base[name] === value) continue;
    if (!/^(?:GIT|LC)_[A-Z_]+$/.test(name)) return null;
    added[name] = value;
  }
  return Object.keys(base).every((name) => base[name] === undefined || name in wanted) ? added : null;
}

function takeShell(): GitShell | null {
  for (let shell = idle.pop(); shell !== undefined; shell = idle.pop()) {
    if (shell.usable()) return shell;
    shells -= 1;
  }
  if (shells >= MAX_SHELLS) return null;
  const shell = openGitShell(personEnv());
  if (shell !== null) shells += 1;
  return shell;
}

function runInShell(shell: GitShell, env: Record<string, string>) {
  return async (args: readonly string[], { cwd, input, maxBytes }: GitRequest): Promise<Ended> => {
    let answer: ShellAnswer | null;
    try {
      answer = await shell.run({ args, cwd, env, input, maxBytes });
    } catch (error) {
      idle.push(shell);
      throw new GitError(`git was not started: its input cannot be kept (${(error as Error).message})`);
    }
    if (answer === null) {
      shells -= 1;
      throw new GitError('git was ended by somebody, with the shell that started it');
    }
    idle.push(shell);
    const cut = answer.stdout.length > (maxBytes ?? Number.POSITIVE_INFINITY);
    return { ...answer, signal: null, cut };
  };
}

function runDirectly(args: readonly string[], request: GitRequest): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: request.cwd,
      env: request.env,
      stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    let bytes = 0;
    let errorBytes = 0;
    let cut = false;
    child.stdout?.on('data', (chunk: Buffer) => {
      if (cut) return;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > (request.maxBytes ?? Number.POSITIVE_INFINITY)) {
        cut = true;
        child.kill('SIGKILL');
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errorBytes < MAX_ERROR_BYTES) errors.push(chunk);
      errorBytes += chunk.length;
    });
    child.on('error', (error) => reject(new GitError(`git could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout: Buffer.concat(chunks), stderr: Buffer.concat(errors), cut });
    });
    // A child that ends early closes the pipe; its exit code tells the story.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input);
  });
}
