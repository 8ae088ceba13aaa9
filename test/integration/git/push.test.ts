import { expect, it } from 'vitest';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, temporaryFolder } from '../../helpers/repository.ts';

it('that fails names no branch that a pull request keeps from it', async () => {
  const repo = makeRepository({ 'a.txt': 'a' });
  repo.git('remote', 'add', 'origin', `${temporaryFolder()}/gone.git`);
  const git = await openTestGit(repo.root);
  const next = async (apart: string | null) => {
    const outcome = await git.push(null, apart);
    return outcome?.kind === 'failed' ? outcome.next : outcome;
  };
  expect(await next('ralph/')).toBe('git push origin main:ralph/main');
  expect(await next(null)).toBe('git push origin main');
  // The remote is known to have another default branch.
  repo.git('update-ref', 'refs/remotes/origin/trunk', 'HEAD');
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
  expect(await next('ralph/')).toBe('git push origin main');
});

it('without a remote says so', async () => {
  const repo = makeRepository({ 'a.txt': 'a' });
  const git = await openTestGit(repo.root);
  expect(await git.push(null, null)).toMatchObject({
    kind: 'failed',
    reason: 'there is no remote to push to.',
    next: 'git remote add origin URL',
  });
  repo.git('checkout', '-q', '--detach');
  expect(await git.push(null, null)).toBeNull();
});
