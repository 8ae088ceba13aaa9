import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { locate, openPorcelain, versionProblem } from '../../io/git/index.ts';
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
  const version = await (await openPorcelain(folder)).version();
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
  const git = await openPorcelain(top);
  const [head, branch, sparse, identity, checkpoints, trackedLocal, localIgnored] = await Promise.all([
    git.head(),
    git.branch(),
    git.isSparse(),
    git.hasIdentity(),
    git.refs('refs/ralph/checkpoints'),
    git.tracked(LOCAL),
    git.isIgnored('.ralph/journal.jsonl'),
  ]);
  const lock = join(gitDir, 'index.lock');
  const lockStat = statSync(lock, { throwIfNoEntry: false });
  return {
    top,
    head,
    branch,
    linkedWorktree: gitDir !== commonDir,
    submodules: submodules(top),
    sparse,
    inProgress: IN_PROGRESS.filter(([file]) => existsSync(join(gitDir, file))).map(([, what]) => what),
    indexLock:
      lockStat === undefined
        ? null
        : { path: lock, ageSeconds: Math.max(0, Math.round((Date.now() - lockStat.mtimeMs) / 1000)) },
    identity,
    checkpoints: checkpoints.length,
    localIgnored,
    trackedLocal,
  };
}

function submodules(top: string): number {
  try {
    return (readFileSync(join(top, '.gitmodules'), 'utf8').match(/^\s*\[submodule /gm) ?? []).length;
  } catch {
    return 0;
  }
}
