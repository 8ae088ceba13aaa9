/** @module-tag rest */

import { execSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Project } from '../helpers/cli.ts';
import { ENGINES } from '../helpers/engines.ts';
import { withSubmodule } from '../helpers/exactness/scenario.ts';
import { fleetProject, reportOf } from '../helpers/fleet.ts';
import { runTestGit } from '../helpers/repository.ts';
import { named } from '../helpers/workers.ts';

const AS_YOU = 'git -c user.name=a -c user.email=a@example.invalid';

/** Returns an agent that runs these lines of a shell. */
const shell = (script: string, evidence: string) =>
  `(await import('node:child_process')).execSync(${JSON.stringify(script)}); return '${evidence}';`;

describe.skipIf(!ENGINES[0].isHere)('a worker of a fleet', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of open.splice(0)) await stop();
  });

  const start = async (acts: string, gate = 'true') => {
    const fleet = await fleetProject(named(1), { acts, gate, loop: 'max_attempts_per_task = 1\n' });
    open.push(fleet.server.stop);
    return fleet;
  };
  /** Runs the only task with a worker in this clone. */
  const run = async (fleet: Awaited<ReturnType<typeof start>>, at: Project) => {
    const { child, ended } = fleet.worker('one', at);
    const report = await reportOf(fleet.coordinate());
    child.kill('SIGTERM');
    await ended;
    return report;
  };

  it('keeps the git folder of a repository inside of the work, and its files land', async () => {
    const fleet = await start(
      shell(
        `mkdir web; cd web; echo hi > index.html; git init -q .; ${AS_YOU} add -A; ${AS_YOU} commit -qm init`,
        'web/index.html:1-1 its file',
      ),
    );
    expect(await run(fleet, fleet.place())).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(runTestGit(fleet.bare, ['ls-tree', '-r', '--name-only', 'main', 'web'])).toBe('web/index.html');
    const [found] = fleet.project.iteration(1).facts.repositories;
    expect(found).toMatchObject({ path: 'web', files: 1, bytes: 3 });
    const [, folder = ''] = /^[^/:]+:(\/.*\/git\/web\.git)$/.exec(found?.kept ?? '') ?? [];
    expect(runTestGit(folder, ['log', '--format=%s'])).toBe('init');
    const report = fleet.project.ralph('report').stdout.replace(/\s+/g, ' ');
    expect(report).toContain('web was a repository');
    expect(report).toContain('/git/web.git');
    expect(fleet.project.ralph('replay').stdout).toContain('0 differences');
  });

  describe('that moves a submodule', () => {
    const moved = async (move: (origin: string) => string, gate?: string) => {
      const fleet = await start(shell('sh move.sh', 'sub/inner.txt:1-1 moved'), gate);
      withSubmodule(fleet.project);
      const origin = fleet.project.git('config', '--file', '.gitmodules', 'submodule.sub.url');
      fleet.project.write('move.sh', move(origin));
      fleet.project.commitAll('move');
      // Git serves submodules by a path only with this setting.
      fleet.project.git('config', 'protocol.file.allow', 'always');
      fleet.project.git('push', '-q', 'origin', 'HEAD');
      const at = fleet.place();
      at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
      return { fleet, at, origin };
    };

    it('has it land where its remote has the commit, and gates see its files', async () => {
      const { fleet, at, origin } = await moved(
        (from) => `cd sub && git fetch -q ${from} && git checkout -q FETCH_HEAD\n`,
        'grep -q second sub/inner.txt',
      );
      writeFileSync(`${origin}/inner.txt`, 'second\n');
      execSync(`${AS_YOU} commit -qam second`, { cwd: origin });
      expect(await run(fleet, at)).toMatchObject({ exit_code: 0, iterations: 1 });
      expect(runTestGit(fleet.bare, ['rev-parse', 'main:sub'])).toBe(
        runTestGit(origin, ['rev-parse', 'HEAD']),
      );
    });

    it('has it kept with the attempt where it can be had nowhere, and the task is not done', async () => {
      const { fleet, at } = await moved(
        () => `cd sub && echo own >> inner.txt && ${AS_YOU} commit -qam own\n`,
      );
      await run(fleet, at);
      const { verdict, cause } = fleet.project.iteration(1).decisions;
      expect([verdict.kind, cause]).toEqual([
        'incomplete',
        expect.stringContaining('the submodule sub is at'),
      ]);
      const [, command = ''] = /\(kept: (.*?)\)/.exec(cause) ?? [];
      execSync(command, { cwd: fleet.project.root, stdio: 'pipe' });
      expect(fleet.project.git('-C', 'sub', 'log', '-1', '--format=%s', 'FETCH_HEAD')).toBe('own');
      expect(fleet.landed()).toEqual([]);
    });

    it('says so where what it changed there is not committed', async () => {
      const { fleet, at } = await moved(() => 'echo own >> sub/inner.txt\n');
      await run(fleet, at);
      const { verdict, cause } = fleet.project.iteration(1).decisions;
      expect([verdict.kind, cause]).toEqual([
        'incomplete',
        expect.stringContaining('sub/inner.txt was changed inside of the submodule sub'),
      ]);
    });
  });
});
