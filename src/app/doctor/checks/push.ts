import { shellQuote } from 'ralph-kit/shell-quote';
import type { PushTarget } from '../../../domain/ports.ts';
import { codeHostOf, signInProblem } from '../../../io/code-host/index.ts';
import type { Project } from '../../setup/project.ts';
import { type DoctorFinding, ok, warning } from '../check.ts';

/** Checks the push target and the pull request's program; neither prevents a run from starting. */
export async function pushFindings({
  config: { git: settings },
  git,
  root,
}: Pick<Project, 'config' | 'git' | 'root'>): Promise<DoctorFinding[]> {
  if (settings.push === 'never' || settings.commit === 'never') return [];
  const target = await git.pushTarget(null);
  if (target === null) {
    const detail = 'there is no remote, or no branch is checked out';
    return [warning('git.push', 'nothing will be pushed', detail, 'git remote add origin URL')];
  }
  const behind = (await git.isBehind(target)) ? [behindFinding(target)] : [];
  return [...behind, ...(await targetFindings(target, settings, root))];
}

function behindFinding({ remote, branch }: PushTarget): DoctorFinding {
  const title = `${remote}/${branch} has commits that ${branch} doesn't have`;
  const detail = 'agents work without them, and nothing of theirs is overwritten by a push';
  const fix = `git pull --rebase --autostash ${shellQuote(remote)} ${shellQuote(branch)}`;
  return warning('git.behind', title, detail, fix);
}

async function targetFindings(
  { remote, urls }: PushTarget,
  settings: Project['config']['git'],
  root: string,
): Promise<DoctorFinding[]> {
  const pushes = ok('git.push', `pushes to ${remote}`);
  if (settings.pull_request === 'never') return [pushes];
  const none = (detail: string, fix: string) =>
    warning('git.pull_request', 'no pull request will be opened', detail, fix);
  const host = codeHostOf(urls);
  if (host === null)
    return [
      pushes,
      none(`${remote} is neither at GitHub nor at GitLab`, 'Open it where the branch is pushed to.'),
    ];
  const problem = await signInProblem(host, root);
  if (problem !== null) return [pushes, none(problem.reason, problem.next ?? '')];
  return [ok('git.push', `pushes to ${remote}; ${host.program} opens the pull request`, host.repository)];
}
