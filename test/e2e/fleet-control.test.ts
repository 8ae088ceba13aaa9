/** @module-tag slow */

import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import type { Project } from '../helpers/cli.ts';
import { appears } from '../helpers/cli.ts';
import { ENGINES } from '../helpers/engines.ts';
import { eventually } from '../helpers/eventually.ts';
import { fleetProject, LEASE } from '../helpers/fleet.ts';
import { named, OWN_FILE } from '../helpers/workers.ts';

const ACTS = `
  const meet = process.env.MEET + '/';
  console.log('looks at ' + id);
  fs.writeFileSync(meet + 'at-' + id, '');
  while (!fs.existsSync(meet + 'go-' + id)) await new Promise((done) => setTimeout(done, 20));
  ${OWN_FILE}`;

describe.for(ENGINES.filter(({ isHere }) => isHere))('commands of a fleet on $engine', ({ engine }) => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of open.splice(0).toReversed()) await stop();
  });

  it('show it, follow, pause, cancel and drain', async () => {
    const fleet = await fleetProject(named(2), { acts: ACTS, together: 1 }, engine);
    open.push(fleet.server.stop);
    const { project } = fleet;
    const meet = (name: string) => project.path(`.git/meet/${name}`);
    const one = fleet.worker('one', fleet.place());
    open.push(() => one.child.kill('SIGKILL'));
    const run = fleet.coordinate();
    await appears(meet('at-T-1'));
    expect(project.json('fleet', 'pause')).toMatchObject({ paused: true });
    const status = await eventually(() => {
      const now = project.json('fleet', 'status');
      expect(now.queues).toEqual([
        { agent: 'mine', labels: [], held: false, why: 'paused', waiting: ['T-2'], active: ['T-1'] },
      ]);
      return now;
    });
    expect(status).toMatchObject({ paused: true, workers: [{ name: 'one', state: 'working', task: 'T-1' }] });
    expect(status.coordinator).toContain('process ');
    const [watched] = project.json('watch').repositories;
    expect(watched.fleet).toMatchObject({
      problem: null,
      status: { paused: true, workers: [{ name: 'one', task: 'T-1', host: hostname() }] },
    });
    expect(Date.parse(watched.fleet.status.workers[0].began)).toBeLessThanOrEqual(Date.now());
    expect(project.ralph('fleet', 'logs', 'T-1').stdout).toContain('looks at T-1');
    expect(project.ralph('fleet', 'logs', 'T-9').stderr).toContain('no attempt at T-9');
    // No worker works on T-2, and none may start it.
    expect(project.json('fleet', 'cancel', 'T-2')).toMatchObject({ task: 'T-2', at_work: false });
    project.json('fleet', 'resume');
    project.write('.git/meet/go-T-1', '');
    expect((await run.ended).code).not.toBe(0);
    expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
    expect(project.json('queue', 'hold', 'T-2', '--off')).toMatchObject({ exit_code: 0 });
    const again = fleet.coordinate();
    await appears(meet('at-T-2'));
    expect(project.ralph('fleet', 'drain', 'one').stdout).toContain('one ends after its attempt at T-2');
    expect(project.json('fleet', 'cancel', 'T-2')).toMatchObject({ at_work: true });
    await again.ended;
    const verdicts = project.iterations().map((number) => project.iteration(number).decisions.verdict.kind);
    expect(verdicts.filter((kind) => kind === 'interrupted')).toHaveLength(2);
    expect((await one.ended).stdout).toContain('drained');
  });

  it('check what it needs', async () => {
    const fleet = await fleetProject(named(1), { acts: OWN_FILE, together: 1 }, engine);
    open.push(fleet.server.stop);
    const { findings, counts } = fleet.project.json('fleet', 'doctor');
    expect(counts.error).toBe(0);
    expect(findings.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`)).toEqual([
      'fleet.server ok',
      'fleet.persistence ok',
      'fleet.eviction ok',
      'fleet.clock ok',
      'fleet.remote ok',
      'fleet.workers warning',
    ]);
    expect(fleet.refs()).toEqual([]);
    fleet.project.git('config', '--file', `${fleet.bare}/config`, 'receive.hideRefs', 'refs/ralph');
    expect(fleet.project.json('fleet', 'doctor')).toMatchObject({ exit_code: 2, counts: { error: 1 } });
  });
});

describe.skipIf(!ENGINES[0].isHere)('machines of a fleet', () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of open.splice(0).toReversed()) await stop();
  });

  it('let only machines in that believe each other and run the same', async () => {
    const fleet = await fleetProject(named(1), { acts: OWN_FILE, together: 1 });
    open.push(fleet.server.stop);
    const { project } = fleet;
    const start = async (one: Project, name: string) => {
      const worker = one.start('fleet', 'worker', '--name', name, '--lease', String(LEASE), '--once');
      open.push(() => worker.child.kill('SIGKILL'));
      return worker.ended;
    };
    const stranger = fleet.clone();
    const run = fleet.coordinate();
    const [mine, its] = [project.json('fleet', 'key').key, stranger.json('fleet', 'key').key];
    expect((await start(stranger, 'a')).stderr).toContain(`ralph fleet enrol ${mine}`);
    stranger.json('fleet', 'enrol', mine);
    const toml = stranger.read('.ralph/ralph.toml');
    stranger.write('.ralph/ralph.toml', toml.replace('sh check.sh', 'sh other.sh'));
    expect((await start(stranger, 'b')).stderr).toContain('The commands of ralph.toml here');
    stranger.write('.ralph/ralph.toml', toml);
    expect((await start(stranger, 'c')).stderr).toContain(`Run there: ralph fleet enrol ${its}`);
    expect(stranger.ralph('fleet', 'enrol', 'nonsense').code).toBe(2);
    // The run continues meanwhile, and a worker that waits starts once both keys are enrolled.
    const patient = fleet.clone();
    const { key } = patient.json('fleet', 'key');
    const waiting = patient.start('fleet', 'worker', '--name', 'd', '--lease', String(LEASE));
    open.push(() => waiting.child.kill('SIGKILL'));
    const saysItWaits = (command: string) =>
      waiting.says(`${command}. This worker waits until that is done.`);
    await saysItWaits(`ralph fleet enrol ${mine}`);
    patient.json('fleet', 'enrol', mine);
    await saysItWaits(`Run there: ralph fleet enrol ${key}`);
    project.json('fleet', 'enrol', key, '--name', 'patient');
    expect(project.json('fleet', 'key').enrolled).toEqual([{ key, name: 'patient' }]);
    expect(JSON.parse((await run.ended).stdout)).toMatchObject({ exit_code: 0 });
    expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
  });

  it('say what is missing', async () => {
    const fleet = await fleetProject(named(1), { acts: OWN_FILE, together: 1 });
    open.push(fleet.server.stop);
    fleet.project.git('remote', 'remove', 'origin');
    expect(fleet.project.ralph('fleet', 'status').stderr).toContain('git push -u origin HEAD');
    delete process.env.RALPH_FLEET_URL;
    expect(fleet.project.ralph('fleet', 'run').stderr).toContain("RALPH_FLEET_URL isn't set");
  });
});
