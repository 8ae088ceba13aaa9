import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { locate, versionProblem } from '../../io/git/locate.ts';
import { plainEnv, runGit } from '../../io/git/run-git.ts';
import type { GitFacts, RepositoryFacts } from './facts.ts';

/** Files of ralph's own that belong to one machine, relative to the top of the repository. */
const LOCAL = [
  'journal.jsonl',
  'journal',
  'state.json',
  'metrics.json',
  'interventions',
  'runs',
  'run.lock',
  'state.lock',
].map((name) => `.ralph/${name}`);

const IN_PROGRESS: readonly (readonly [file: string, what: string])[] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase or am'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

export type GatheredGit = { readonly facts: GitFacts; readonly commonDir: string | null };

/** Asks git about the folder; without git, or outside of a repository, it says so. */
export async function gatherGit(folder: string): Promise<GatheredGit> {
  const version = await ask(['--version'], folder);
  if (version === null) {
    const problem = 'git could not be started';
    return { commonDir: null, facts: { version: null, problem, repository: null, noRepository: null } };
  }
  const problem = versionProblem(version);
  const located = await locate(folder);
  if (!located.ok) {
    return { commonDir: null, facts: { version, problem, repository: null, noRepository: located.message } };
  }
  const { top, gitDir, commonDir } = located.tree;
  const repository = await gatherRepository(top, gitDir, commonDir);
  return { commonDir, facts: { version, problem, repository, noRepository: null } };
}

async function gatherRepository(top: string, gitDir: string, commonDir: string): Promise<RepositoryFacts> {
  const [head, branch, sparse, identity, checkpoints, tracked, ignored] = await Promise.all([
    ask(['rev-parse', '--verify', '--quiet', 'HEAD'], top),
    ask(['symbolic-ref', '--quiet', '--short', 'HEAD'], top),
    ask(['config', '--type=bool', 'core.sparseCheckout'], top),
    ask(['var', 'GIT_COMMITTER_IDENT'], top),
    ask(['for-each-ref', '--format=%(refname)', 'refs/ralph/checkpoints'], top),
    ask(['ls-files', '--', ...LOCAL], top),
    ask(['check-ignore', '--no-index', '.ralph/journal.jsonl'], top),
  ]);
  const lock = join(gitDir, 'index.lock');
  const lockStat = statSync(lock, { throwIfNoEntry: false });
  return {
    top,
    head,
    branch,
    linkedWorktree: gitDir !== commonDir,
    submodules: submodules(top),
    sparse: sparse === 'true',
    inProgress: IN_PROGRESS.filter(([file]) => existsSync(join(gitDir, file))).map(([, what]) => what),
    indexLock:
      lockStat === undefined
        ? null
        : { path: lock, ageSeconds: Math.max(0, Math.round((Date.now() - lockStat.mtimeMs) / 1000)) },
    identity: identity !== null,
    checkpoints: linesOf(checkpoints).length,
    localIgnored: ignored !== null,
    trackedLocal: linesOf(tracked),
  };
}

/** Output of git; `null` when it failed or found nothing. */
async function ask(args: readonly string[], cwd: string): Promise<string | null> {
  try {
    const { stdout } = await runGit(args, { cwd, env: { ...plainEnv(), GIT_LITERAL_PATHSPECS: '0' } });
    return stdout.toString('utf8').trim();
  } catch {
    return null;
  }
}

function submodules(top: string): number {
  try {
    return (readFileSync(join(top, '.gitmodules'), 'utf8').match(/^\s*\[submodule /gm) ?? []).length;
  } catch {
    return 0;
  }
}

function linesOf(text: string | null): string[] {
  return text === null || text === '' ? [] : text.split('\n');
}
