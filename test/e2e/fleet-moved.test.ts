/** @module-tag slow */

import { cpSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { appears } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { enrol, fleetProject, LEASE, reportOf } from '../helpers/fleet.ts';
import { HAS_REDIS } from '../helpers/redis.ts';
import { named, OWN_FILE } from '../helpers/workers.ts';

/** The second task works until the test lets it end. */
const ACTS = `
  const beside = process.env.MEET + '/../';
  fs.appendFileSync(beside + 'starts', id + '\\n');
  while (id === 'T-2' && !fs.existsSync(beside + 'go')) await new Promise((done) => setTimeout(done, 20));
  ${OWN_FILE}`;

describe.skipIf(!HAS_REDIS)('a run of a fleet whose machine is gone', () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of open.splice(0).toReversed()) await stop();
  });

  it('continues in a fresh clone with its journal: nothing is done or lands twice, and nothing is lost', async () => {
    const fleet = await fleetProject(named(3), { acts: ACTS, together: 1 });
    open.push(fleet.server.stop);
    const { project: old } = fleet;
    // Your file blocks the result of T-3, which waits.
    old.write('T-3.txt', 'mine\n');
    const places = [fleet.place(), fleet.place()];
    for (const [at, place] of places.entries()) {
      const { child } = fleet.worker(`w${at}`, place);
      open.push(() => child.kill('SIGKILL'));
    }
    const first = fleet.coordinate();
    open.push(() => first.child.kill('SIGKILL'));
    await eventually(() => {
      expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
      expect(old.read('.ralph/journal.jsonl')).toMatch(/"commit_skipped".*"T-3"/);
      expect(old.read('.git/starts')).toContain('T-2');
    });
    first.child.kill('SIGKILL');
    await first.ended;
    old.write('.git/go', '');
    await eventually(() => expect(fleet.refs()).toContain('refs/ralph/tasks/T-2 ralph fleet: result'));

    const next = fleet.clone();
    for (const file of ['.ralph/journal.jsonl', '.ralph/PRD.md']) cpSync(old.path(file), next.path(file));
    expect(next.ralph('trust', '--journal').code).toBe(0);
    await eventually(() => expect(next.json('fleet', 'status').coordinator).toBeNull());
    const options = ['fleet', 'run', '--lease', String(LEASE), '--workers', '3'];
    // The other machine has keys of its own.
    const { stdout, stderr } = next.ralph(...options);
    const text = (stdout + stderr).replace(/\s+/g, ' ');
    expect(text).toContain(`At each worker: ralph fleet enrol ${next.json('fleet', 'key').key}`);
    expect(text).toMatch(/2 results on origin can't be taken before .*ralph fleet enrol [0-9a-f]{64}/);
    for (const place of places) {
      enrol(place, next);
      enrol(next, place);
    }
    const run = next.start('--format', 'json', ...options);
    open.push(() => run.child.kill('SIGKILL'));
    expect(await reportOf(run)).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(fleet.landed().toSorted()).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)', 'Task 3 (T-3)']);
    expect(old.read('.git/starts').trim().split('\n').toSorted()).toEqual(['T-1', 'T-2', 'T-3']);
    expect(next.read('T-3.txt')).toBe('T-3\n');
    expect(next.ralph('replay').stdout).toContain('0 differences');
  });

  it('is started again where it was, and takes what workers were at', async () => {
    const fleet = await fleetProject(named(2), { acts: ACTS, together: 1 });
    open.push(fleet.server.stop);
    const { project } = fleet;
    const { child } = fleet.worker('one', fleet.place());
    open.push(() => child.kill('SIGKILL'));
    const first = fleet.coordinate();
    open.push(() => first.child.kill('SIGKILL'));
    await eventually(() => {
      expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
      expect(project.read('.git/starts')).toContain('T-2');
    });
    first.child.kill('SIGKILL');
    await first.ended;
    await eventually(() => expect(project.json('fleet', 'status').coordinator).toBeNull());
    const again = fleet.coordinate();
    open.push(() => again.child.kill('SIGKILL'));
    await appears(project.path('.ralph/run.lock'));
    project.write('.git/go', '');
    expect(await reportOf(again)).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 1 });
    expect(fleet.landed()).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)']);
    expect(project.read('.git/starts')).toBe('T-1\nT-2\n');
    expect(project.ralph('replay').stdout).toContain('0 differences');
  });

  it('takes a task for done whose work was there already, and leaves nothing of it on the remote', async () => {
    const same = "fs.writeFileSync('same.txt', 'same\\n'); return 'same.txt:1-1 it';";
    const fleet = await fleetProject(named(2), { acts: same, together: 2 });
    open.push(fleet.server.stop);
    for (const name of ['one', 'two']) {
      const { child } = fleet.worker(name, fleet.place());
      open.push(() => child.kill('SIGKILL'));
    }
    expect(await reportOf(fleet.coordinate())).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(fleet.landed()).toHaveLength(1);
    expect(fleet.refs().filter((ref) => ref.startsWith('refs/ralph/tasks/'))).toEqual([]);
  });
});
