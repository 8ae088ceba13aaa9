import { spawn } from 'node:child_process';

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

/**
 * Runs git to its end in a session of its own, so that Ctrl-C on the terminal does not tear it.
 * @throws GitError when git cannot be started, or exits with a code that is no answer.
 */
export function runGit(args: readonly string[], request: GitRequest): Promise<GitAnswer> {
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
      const stderr = Buffer.concat(errors).subarray(0, MAX_ERROR_BYTES).toString('utf8').trim();
      if (!cut && code !== 0 && !(code !== null && request.answers?.includes(code))) {
        const name = args.find((arg, at) => arg !== '-c' && args[at - 1] !== '-c');
        reject(new GitError(`git ${name} ended with ${code ?? signal}: ${stderr || 'no message'}`));
        return;
      }
      const all = Buffer.concat(chunks);
      resolve({ code: code ?? 0, stdout: cut ? all.subarray(0, request.maxBytes) : all, stderr, cut });
    });
    // A child that ends early closes the pipe; its exit code tells the story.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input);
  });
}
