import { statSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from 'ralph-kit/counted';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { shellQuote, singleQuoted } from 'ralph-kit/shell-quote';
import { firstFew } from 'ralph-kit/text';
import { tryOr } from 'ralph-kit/try-or';
import type { GitOperation } from '../../../domain/change-set.ts';
import {
  type Blocker,
  findBlocker,
  hasIdentity,
  openPorcelain,
  operationInProgress,
  versionProblem,
} from '../../../git/index.ts';
import { FIRST_COMMIT } from '../../../tell/index.ts';
import { check, type DoctorFinding, error, info, ok, warning } from '../check.ts';

type GitFacts = {
  /** Output of `git --version`; `null`: git can't be started. */
  readonly version: string | null;
  readonly problem: string | null;
  readonly repository: RepositoryFacts | null;
  readonly noRepository: { readonly message: string; readonly next?: string } | null;
  /** A pipe or device in the work tree, which makes git wait forever; `null`: there is none. */
  readonly blockedBy: Blocker | null;
  readonly commits: boolean;
};

type RepositoryFacts = Awaited<ReturnType<typeof readRepository>>;

/** Machine-specific files of ralph, relative to the top of the repository. */
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

export const gitCheck = check<GitFacts>({
  gather: async ({ folder, located, config }) => {
    const commits = config.git.commit !== 'never';
    const version = await (await openPorcelain(folder)).version();
    const none = { version, repository: null, blockedBy: null, commits };
    if (version === null) return { ...none, problem: 'git could not be started', noRepository: null };
    const problem = versionProblem(version);
    if (!located.ok) return { ...none, problem, noRepository: located };
    const { top, gitDir, commonDir } = located.tree;
    const blockedBy = await findBlocker(top, [gitDir, commonDir], new AbortController().signal);
    if (blockedBy !== null) return { ...none, problem, noRepository: null, blockedBy };
    const repository = await readRepository(top, gitDir, commonDir);
    return { ...none, problem, repository, noRepository: null };
  },
  judge: ({ version, problem, repository, noRepository, blockedBy, commits }) => {
    const install = 'Install git 2.30 or newer';
    if (version === null) {
      const why = 'ralph compares work trees through git';
      return [error('git.found', 'git was not found', why, `${install} and put it on PATH.`)];
    }
    if (problem !== null) return [error('git.version', 'git cannot be used', problem, `${install}.`)];
    if (blockedBy !== null) {
      const { path, why } = blockedBy;
      const title = 'git would not end';
      const finding = error('git.repository', title, `${path} ${why}`, `rm -- ${shellQuote(path)}`);
      return [ok('git.version', version), finding];
    }
    if (repository !== null) {
      return [ok('git.version', version), ...repositoryFindings(repository, commits)];
    }
    const why = noRepository?.message ?? 'there is no repository here';
    const fix = noRepository?.next ?? 'Start ralph in the work tree of a repository, or name one with --cwd.';
    return [ok('git.version', version), error('git.repository', 'no work tree', why, fix)];
  },
});

async function readRepository(top: string, gitDir: string, commonDir: string) {
  const git = await openPorcelain(top);
  const [head, branch, sparse, identity, checkpoints, trackedLocal, localIgnored] = await Promise.all([
    git.head(),
    git.branch(),
    git.isSparse(),
    hasIdentity(top),
    git.refs('refs/ralph/checkpoints'),
    git.tracked(LOCAL),
    git.isIgnored('.ralph/journal.jsonl'),
  ]);
  return {
    top,
    /** Id of HEAD's commit; `null`: there is no commit. */
    head,
    /** Name of the current branch; `null`: HEAD is detached. */
    branch,
    linkedWorktree: gitDir !== commonDir,
    submodules: submodulePaths(top).length,
    sparse,
    operation: operationInProgress(gitDir),
    locks: gitLocks({ gitDir, commonDir }, branch),
    identity,
    checkpoints: checkpoints.length,
    localIgnored,
    trackedLocal,
  };
}

export function submodulePaths(top: string): string[] {
  const text = tryOr('', () => readFileBytes(join(top, '.gitmodules')).toString('utf8'));
  return [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) => path);
}

export type GitLock = { readonly path: string; readonly ageSeconds: number };

/** Returns locks of the index, HEAD, the branch and packed refs. A killed git leaves them behind. */
export function gitLocks(
  { gitDir, commonDir }: { readonly gitDir: string; readonly commonDir: string },
  branch: string | null,
): GitLock[] {
  const paths = [
    join(gitDir, 'index.lock'),
    join(gitDir, 'HEAD.lock'),
    join(commonDir, 'packed-refs.lock'),
    ...(branch === null ? [] : [join(commonDir, 'refs', 'heads', `${branch}.lock`)]),
  ];
  return paths.flatMap((path) => {
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return since === undefined
      ? []
      : [{ path, ageSeconds: Math.max(0, Math.round((Date.now() - since) / 1000)) }];
  });
}

function repositoryFindings(facts: RepositoryFacts, commits: boolean): DoctorFinding[] {
  const findings = [
    ok('git.repository', facts.top, facts.linkedWorktree ? 'a linked worktree' : 'the main work tree'),
    branchFinding(facts, commits),
    ...operationFindings(facts.operation),
    ...lockFindings(facts.locks),
    ...identityFindings(commits, facts.identity),
  ];
  if (facts.submodules > 0) {
    const detail =
      'a task may move one to a commit that its remote has; your checkouts of them are only read';
    const fix = 'git submodule update --init checks them out; nothing is needed otherwise.';
    findings.push(info('git.submodules', counted(facts.submodules, 'submodule'), detail, fix));
  }
  if (facts.sparse) {
    const detail = 'what is not checked out is left as it is and never counts as deleted';
    const fix = 'git sparse-checkout disable, if the agent needs the other files.';
    findings.push(info('git.sparse', 'a sparse checkout', detail, fix));
  }
  const checkpoints = counted(facts.checkpoints, 'checkpoint');
  findings.push(ok('git.checkpoints', checkpoints, 'under refs/ralph/checkpoints'));
  if (!facts.localIgnored) {
    const detail = 'the first run adds them to .ralph/.gitignore; until then git status shows them';
    const fix = 'ralph init, or wait for the first run.';
    findings.push(info('git.ignore', "ralph's own files are not ignored", detail, fix));
  }
  if (facts.trackedLocal.length > 0) {
    const detail = `${firstFew(facts.trackedLocal)}: they belong to one machine, and change with each iteration`;
    const fix = `git rm -r --cached ${topNames(facts.trackedLocal).join(' ')}`;
    findings.push(warning('git.tracked', "git tracks ralph's own files", detail, fix));
  }
  return findings;
}

/** Returns findings on an unfinished merge or rebase: an attempt, a rollback or a commit would become part of it. */
export function operationFindings(operation: GitOperation | null): DoctorFinding[] {
  if (operation === null) return [];
  const { what, finish, giveUp } = operation;
  const title = `${what} is in progress`;
  const fix = finish === giveUp ? finish : `${finish} (or give it up: ${giveUp})`;
  return [
    error('git.in_progress', title, 'started and not finished; no run starts in the middle of it', fix),
  ];
}

export function lockFindings(locks: readonly GitLock[]): DoctorFinding[] {
  return locks.map(({ path, ageSeconds }) => {
    const detail = `${path}, ${ageSeconds} s old: git commands that change what it locks fail while it exists`;
    const fix = `When no git command runs: rm ${singleQuoted(path)}`;
    return warning('git.lock', 'git is locked', detail, fix);
  });
}

export function identityFindings(commits: boolean, identity: boolean): DoctorFinding[] {
  if (!commits || identity) return [];
  const fix = 'git config user.name "NAME" && git config user.email "ADDRESS"';
  const detail = '[git] commit is on, and commits need a name';
  return [error('git.identity', 'git does not know who you are', detail, fix)];
}

export function branchFinding(
  { head, branch }: { readonly head: string | null; readonly branch: string | null },
  commits: boolean,
): DoctorFinding {
  if (head === null) {
    const detail = 'ralph run offers to make the first one; without it, diffs start from an empty tree';
    return info('git.first_commit', 'no commits yet', detail, FIRST_COMMIT);
  }
  if (branch !== null) return ok('git.branch', `on ${branch}`);
  const finding = commits ? warning : info;
  const detail = 'commits of ralph would belong to no branch';
  return finding('git.branch', 'HEAD is detached', detail, 'git switch -c NAME');
}

/** Returns folder names of the first two levels: `.ralph/runs` for `.ralph/runs/a/b`. */
function topNames(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')))];
}
