import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { gitCall } from '../call/environment.ts';
import { endGroup } from '../call/run-git.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Hooks may run a whole test suite; one that never ends must not hold the loop. */
const COMMIT_LIMIT_MS = 10 * 60_000;
const KILL_AFTER_MS = 5000;
/** Characters of the output that go into a message. */
const OUTPUT_END = 2000;

export type CommitEnd =
  | { readonly kind: 'ended'; readonly output: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * The commit, and at once behind it the same paths in the user's index, in one shell: it continues when ralph is
 * killed in between. What is left to do when that fails is done by `updateUserIndex`.
 */
const SCRIPT = `git commit --quiet --cleanup=whitespace -F - || exit
unset GIT_INDEX_FILE
GIT_LITERAL_PATHSPECS=1 git reset --quiet --pathspec-from-file="$1" --pathspec-file-nul >/dev/null 2>&1
exit 0`;

/**
 * `git commit` as the user would run it, hooks and signing included, on another index. The message goes over
 * standard input. Output goes to a file and the exit is waited for: a hook may leave a process that holds its pipes.
 *
 * @param pathsFile The committed paths, with NUL after each.
 */
export function runCommit(
  tree: WorkTree,
  indexFile: string,
  outputFile: string,
  pathsFile: string,
  message: string,
): Promise<CommitEnd> {
  const log = openSync(outputFile, 'w', 0o600);
  return new Promise<CommitEnd>((resolve) => {
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', pathsFile], {
      cwd: tree.top,
      env: gitCall({ kind: 'user', tree }, { GIT_INDEX_FILE: indexFile }).env,
      stdio: ['pipe', log, log],
      detached: true,
    });
    let late = false;
    const kill = (signal: NodeJS.Signals) => {
      late = true;
      endGroup(child.pid, signal);
    };
    const timers = [
      setTimeout(() => kill('SIGTERM'), COMMIT_LIMIT_MS),
      setTimeout(() => kill('SIGKILL'), COMMIT_LIMIT_MS + KILL_AFTER_MS),
    ];
    const end = (result: CommitEnd) => {
      timers.forEach(clearTimeout);
      resolve(result);
    };
    child.on('error', (error) =>
      end({ kind: 'failed', reason: `git commit could not start: ${error.message}` }),
    );
    child.on('exit', (code, signal) => {
      const output = readFileSync(outputFile, 'utf8').trim().slice(-OUTPUT_END);
      if (code === 0 && !late) return end({ kind: 'ended', output });
      const how = late ? `was stopped after ${COMMIT_LIMIT_MS / 60_000} min` : `ended with ${code ?? signal}`;
      end({ kind: 'failed', reason: `git commit ${how}: ${output || 'no output'}` });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(message);
  }).finally(() => closeSync(log));
}
