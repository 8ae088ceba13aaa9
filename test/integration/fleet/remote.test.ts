/** @module-tag rest */

import { openRemote } from 'ralph-fleet/jobs';
import { describe, expect, it } from 'vitest';
import { enrol, openSeal } from '../../../src/store/index.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { remoteSuite } from '../../helpers/remote-suite.ts';
import { makeRepository, repositoryAt, runTestGit, temporaryFolder } from '../../helpers/repository.ts';

/** Makes a bare remote with a commit, and returns a function that clones it. */
function openClones() {
  const bare = `${temporaryFolder()}/remote.git`;
  makeRepository({ 'a.txt': 'a\n' }).git('clone', '-q', '--bare', '.', bare);
  return async () => {
    const folder = temporaryFolder();
    runTestGit(folder, ['clone', '-q', bare, 'clone']);
    const repository = repositoryAt(`${folder}/clone`);
    const home = temporaryFolder();
    return {
      repository,
      git: (await openTestGit(repository.root)).fleet('origin'),
      seal: openSeal(home),
      trust: (key: string) => enrol(home, key, 'other'),
    };
  };
}

describe('attempts of a fleet on a remote of git', () => {
  remoteSuite(async () => openClones());

  it('land together with a push of the branch, or not at all', async () => {
    const clone = openClones();
    const [coordinator, other] = [await clone(), await clone()];
    const { repository } = coordinator;
    const [one, two] = [coordinator, other].map(({ git, seal }) => openRemote(git, seal));
    const base = repository.git('rev-parse', 'HEAD');
    const offer = { taskId: 'T-1', base, startTree: repository.git('rev-parse', 'HEAD^{tree}') };
    const job = (await one?.offer({ ...offer, document: '{}' })) ?? '';
    const anew = (await two?.offer({ ...offer, document: '{"n":2}' })) ?? '';
    repository.write('m.txt', 'm.txt\n');
    const landed = repository.commitAll('the work');
    const port = await openTestGit(repository.root);
    const move = { ref: 'refs/ralph/tasks/T-1', from: job, to: landed };
    expect(await port.push('main', null, [move])).toMatchObject({ kind: 'failed' });
    const both = ['refs/heads/main', move.ref];
    expect([...(await other.git.listed(both)).values()]).toEqual([base, anew]);
    const pushed = { kind: 'pushed', commit: landed };
    expect(await port.push('main', null, [{ ...move, from: anew }])).toMatchObject(pushed);
    expect([...(await other.git.listed(both)).values()]).toEqual([landed, landed]);
  });

  it('can be kept there if its pushes are atomic', async () => {
    const { git, seal } = await openClones()();
    expect(await openRemote(git, seal).probe()).toBe('ok');
    expect(await git.listed(['refs/ralph/*'])).toEqual(new Map());
  });

  it('give a network up that is silent, after a minute or as you set it', async () => {
    const { repository: one, seal } = await openClones()();
    const seen = () => one.read('seen').trim().split('\n').at(-1) ?? '';
    // Settings are those of the moment when the remote is opened.
    const look = async () => openRemote((await openTestGit(one.root)).fleet('origin'), seal).look('T-1');
    const ssh = one.path('ssh');
    one.write(
      'ssh',
      `#!/bin/sh\necho "$GIT_HTTP_LOW_SPEED_TIME $*" >> '${one.path('seen')}'\nexit 1\n`,
      0o755,
    );
    one.git('config', 'core.sshCommand', ssh);
    one.git('remote', 'set-url', 'origin', 'ssh://nowhere.invalid/remote.git');
    await expect(look()).rejects.toThrow();
    expect(seen()).toMatch(/^60 .*ServerAliveInterval=20/);
    one.git('config', 'http.lowSpeedTime', '5');
    await expect(look()).rejects.toThrow();
    expect(seen()).toMatch(/^ .*ServerAliveInterval=20/);
  });
});
