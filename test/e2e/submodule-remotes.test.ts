/** @module-tag rest */

import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { serveGit } from '../helpers/crash/git-server.ts';
import { makeRepository, runTestGit, type TestRepository, temporaryFolder } from '../helpers/repository.ts';

/** Returns a work tree that pushes to a bare repository, which is served from a folder. */
function served(folder: string): TestRepository {
  const origin = makeRepository({ 'inner.txt': 'one\n' });
  runTestGit(folder, ['clone', '-q', '--bare', origin.root, 'inner.git']);
  origin.git('remote', 'add', 'origin', `${folder}/inner.git`);
  return origin;
}

/** Makes one more commit on the remote. */
function pushed(origin: TestRepository): string {
  origin.write('inner.txt', 'two\n');
  origin.commitAll('two');
  origin.git('push', '-q', 'origin', 'HEAD:main');
  return origin.git('rev-parse', 'HEAD');
}

const AS_YOU = 'git -c user.name=a -c user.email=a@example.invalid';
/** The script moves the submodule to what its remote has. */
const MOVE = 'git -C sub fetch -q && git -C sub checkout -q origin/main && cat sub/inner.txt';
const UNBOXED = '[box]\nmode = "off"\n';
const OWN = `cd sub; echo own >> inner.txt; ${AS_YOU} commit -qam own; cd ..`;

/** Returns a project with a submodule `sub` whose remote has this address, which may no longer be served. */
function project(origin: TestRepository, url: string, agent: string, settings = ''): Project {
  const one = makeProject({
    '.ralph/ralph.toml': `${shellAgent()}[git]\ncommit = "on_done"\n${settings}`,
    'agent.sh': `p=$(cat)\n${agent}\n${SHELL_CLAIM}`,
  });
  one.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.root, 'sub');
  one.git('config', '-f', '.gitmodules', 'submodule.sub.url', url);
  one.git('submodule', '--quiet', 'sync');
  one.commitAll('submodule');
  return one;
}

describe.each([
  ['a web server', false],
  ['a web server of files', true],
])('a submodule whose remote is %s', (_what, isDumb) => {
  const make = async () => {
    const folder = temporaryFolder();
    const { port, close } = await serveGit(folder, isDumb);
    return { folder, close, origin: served(folder), url: `http://127.0.0.1:${port}/inner.git` };
  };
  let site: Awaited<ReturnType<typeof make>>;
  beforeAll(async () => {
    site = await make();
  });
  afterAll(() => site.close());

  it.each([
    ['boxed', ''],
    ['without a box', UNBOXED],
  ])('lands at a commit that the server has, %s', async (_how, settings) => {
    const one = project(site.origin, site.url, MOVE, settings);
    const commit = pushed(site.origin);
    expect(await one.jsonLater('run')).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(one.git('rev-parse', 'HEAD:sub')).toBe(commit);
  });

  it('does not land at one that only the copy has, which is kept', async () => {
    const one = project(site.origin, site.url, OWN);
    await one.jsonLater('run', '--max-iterations', '1');
    const { verdict, cause } = one.iteration(1).decisions;
    expect(verdict.kind).toBe('incomplete');
    expect(cause).toContain(`its remote ${site.url} doesn't have that commit`);
  });
});

/** This program stands for ssh: what would run on the other machine runs here. */
const SSH = '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n';

describe('a submodule whose remote is reached by ssh', () => {
  const make = () => {
    const folder = temporaryFolder();
    const origin = served(folder);
    const ssh = `${folder}/ssh`;
    writeFileSync(ssh, SSH, { mode: 0o755 });
    return {
      origin,
      ssh,
      url: `ssh://host.invalid${folder}/inner.git`,
      box: `[box]\nreadable = ["${folder}"]\n`,
    };
  };
  afterEach(() => vi.unstubAllEnvs());

  it.each<[string, boolean, (project: Project, ssh: string) => void]>([
    ['a setting of the repository', true, (one, ssh) => one.git('config', 'core.sshCommand', ssh)],
    [
      'a setting of the submodule',
      true,
      (one, ssh) => one.git('-C', 'sub', 'config', 'core.sshCommand', ssh),
    ],
    [
      'a setting of the submodule',
      false,
      (one, ssh) => one.git('-C', 'sub', 'config', 'core.sshCommand', ssh),
    ],
    ['a variable', true, (_one, ssh) => vi.stubEnv('GIT_SSH', ssh)],
    ['a variable', false, (_one, ssh) => vi.stubEnv('GIT_SSH_COMMAND', ssh)],
  ])('lands at a commit that it has, by %s, boxed: %s', async (_how, isBoxed, set) => {
    const { origin, ssh, url, box } = make();
    const one = project(origin, url, `GIT_SSH='${ssh}'; export GIT_SSH; ${MOVE}`, isBoxed ? box : UNBOXED);
    set(one, ssh);
    const commit = pushed(origin);
    expect(await one.jsonLater('run')).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(one.git('rev-parse', 'HEAD:sub')).toBe(commit);
  });

  it('lands where the work adds it', async () => {
    const { origin, ssh, url, box } = make();
    vi.stubEnv('GIT_SSH', ssh);
    const one = project(origin, url, `git submodule --quiet add '${url}' lib`, box);
    expect(await one.jsonLater('run')).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(one.git('rev-parse', 'HEAD:lib')).toBe(origin.git('rev-parse', 'HEAD'));
  });
});
