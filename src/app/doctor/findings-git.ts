import { singleQuoted } from '../../lib/shell-quote.ts';
import type { DoctorFacts, RepositoryFacts } from './facts.ts';
import { counted, type DoctorFinding, error, info, ok, some, warning } from './finding.ts';

/** git itself and the repository. */
export function gitFindings({ git, config }: DoctorFacts): DoctorFinding[] {
  if (git.version === null) {
    const mend = 'Install git 2.30 or newer and put it on PATH.';
    return [error('git.found', 'git was not found', 'ralph compares work trees through git', mend)];
  }
  if (git.problem !== null) {
    return [error('git.version', 'git cannot be used', git.problem, 'Install git 2.30 or newer.')];
  }
  const version = ok('git.version', git.version);
  if (git.repository === null) {
    const why = git.noRepository ?? 'there is no repository here';
    return [version, error('git.repository', 'no work tree', why, mendOf(why))];
  }
  return [version, ...repositoryFindings(git.repository, config.commits)];
}

/** Messages of `locate` end with what to do; without one, the usual. */
function mendOf(message: string): string {
  const command = /(?:Run|trust it): (git .+)$/.exec(message)?.[1];
  return command ?? 'Start ralph in the work tree of a repository, or name one with --cwd.';
}

function repositoryFindings(facts: RepositoryFacts, commits: boolean): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  const add = (finding: DoctorFinding) => findings.push(finding);
  const kind = facts.linkedWorktree ? 'a linked worktree' : 'the main work tree';
  add(ok('git.repository', facts.top, kind));
  if (facts.head === null) {
    const detail = 'ralph works without one; checkpoints and diffs start from an empty tree';
    add(info('git.first_commit', 'no commit yet', detail, 'git add -A && git commit -m Start'));
  } else if (facts.branch === null) {
    const detail = 'commits of ralph would belong to no branch';
    const mend = 'git switch -c NAME';
    add(
      commits
        ? warning('git.branch', 'HEAD is detached', detail, mend)
        : info('git.branch', 'HEAD is detached', detail, mend),
    );
  } else {
    add(ok('git.branch', `on ${facts.branch}`));
  }
  for (const what of facts.inProgress) {
    const detail = `a ${what} was begun and not finished: the agent would work in the middle of it`;
    const mend =
      what === 'bisect' ? 'git bisect reset' : `Finish it, or give it up: git ${what.split(' ')[0]} --abort`;
    add(warning('git.in_progress', `a ${what} is going on`, detail, mend));
  }
  if (facts.indexLock !== null) {
    const { path, ageSeconds } = facts.indexLock;
    const detail = `${path}, ${ageSeconds} s old: git commands that write the index fail while it is there`;
    add(
      warning(
        'git.index_lock',
        'the index is locked',
        detail,
        `When no git command runs: rm ${singleQuoted(path)}`,
      ),
    );
  }
  if (commits && !facts.identity) {
    const mend = 'git config user.name "NAME" && git config user.email "ADDRESS"';
    add(
      error(
        'git.identity',
        'git does not know who you are',
        '[git] commit is on, and commits need a name',
        mend,
      ),
    );
  }
  if (facts.submodules > 0) {
    const detail =
      'changes inside them count, as far as they are checked out; a rollback never restores them';
    add(
      info(
        'git.submodules',
        counted(facts.submodules, 'submodule'),
        detail,
        'git submodule update --init checks them out; nothing is needed otherwise.',
      ),
    );
  }
  if (facts.sparse) {
    const detail = 'what is not checked out is left as it is and never counts as deleted';
    add(
      info(
        'git.sparse',
        'a sparse checkout',
        detail,
        'git sparse-checkout disable, if the agent needs the other files.',
      ),
    );
  }
  add(ok('git.checkpoints', counted(facts.checkpoints, 'checkpoint'), 'under refs/ralph/checkpoints'));
  if (!facts.localIgnored) {
    const detail = 'the first run writes .ralph/.gitignore; until then git status shows them';
    add(
      info(
        'git.ignore',
        "ralph's own files are not ignored",
        detail,
        'ralph init, or wait for the first run.',
      ),
    );
  }
  if (facts.trackedLocal.length > 0) {
    const detail = `${some(facts.trackedLocal)}: they belong to one machine, and change with each iteration`;
    add(
      warning(
        'git.tracked',
        "git tracks ralph's own files",
        detail,
        `git rm -r --cached ${topNames(facts.trackedLocal).join(' ')}`,
      ),
    );
  }
  return findings;
}

/** `.ralph/runs/a/b` → `.ralph/runs`. */
function topNames(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')))];
}
