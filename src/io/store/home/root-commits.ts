import { startSync } from '../../programs/start/start-program.ts';

/** Unrelated histories that were merged have one each. */
const MOST_ROOTS = 20;
const LIMIT_MS = 20_000;

/** The commits that a repository's history begins with, by which it is known again; empty before the first. */
export function rootCommits(gitDir: string): readonly string[] {
  const { status, stdout } = git(gitDir, ['rev-list', '--max-parents=0', 'HEAD']);
  return status === 0 ? stdout.split('\n').filter(isCommit).slice(0, MOST_ROOTS) : [];
}

/** Whether a repository has none of these commits; `false` where git doesn't say. */
export function lacksAll(gitDir: string, commits: readonly string[]): boolean {
  return (
    commits.length > 0 &&
    commits.every((one) => isCommit(one) && git(gitDir, ['cat-file', '-e', one]).status === 1)
  );
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}

function git(gitDir: string, args: readonly string[]) {
  const { PATH, HOME } = process.env;
  return startSync('git', ['-c', 'core.commitGraph=false', `--git-dir=${gitDir}`, ...args], {
    cwd: gitDir,
    env: { ...{ PATH, HOME, LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' } },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
  });
}
