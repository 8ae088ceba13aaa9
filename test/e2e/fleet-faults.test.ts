/** @module-tag slow */

import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { appears, isAlive, type Project } from '../helpers/cli.ts';
import { eventually, LIMIT_MS } from '../helpers/eventually.ts';
import { fleetProject, LEASE, reportOf } from '../helpers/fleet.ts';
import { HAS_REDIS } from '../helpers/redis.ts';
import { named, OWN_FILE } from '../helpers/workers.ts';

/** The first agent of a task is `a`, the next `b`; each says by a file that it runs, and works once it may. */
const IN_TURN = `
  const meet = process.env.MEET + '/';
  const name = fs.existsSync(meet + 'a') ? 'b' : 'a';
  fs.writeFileSync(meet + name, String(process.pid));
  while (!fs.existsSync(meet + 'go-' + name)) await new Promise((done) => setTimeout(done, 20));
  ${OWN_FILE}`;

/** Each agent writes down when it began; the first works once it may. */
const SAID = `
  const beside = process.env.MEET + '/../';
  fs.appendFileSync(beside + 'starts', id + ' ' + Date.now() + '\\n');
  const isFirst = fs.readFileSync(beside + 'starts', 'utf8').startsWith(id + ' ');
  while (isFirst && !fs.existsSync(beside + 'go')) await new Promise((done) => setTimeout(done, 20));
  ${OWN_FILE}`;

/**
 * Milliseconds that the engine is away at least; by hand, some minutes (`REDIS_AWAY_MS=180000 TEST_LIMIT_MS=600000`).
 */
const AWAY_MS = Number(process.env.REDIS_AWAY_MS ?? 0);

describe.skipIf(!HAS_REDIS)('a fleet in trouble', () => {
  const open: (() => unknown)[] = [];
  const make = async () => {
    const fleet = await fleetProject(named(1), { acts: IN_TURN, together: 1 });
    const meet = (name: string) => fleet.project.path(`.git/meet/${name}`);
    open.push(fleet.server.stop);
    const places = { one: fleet.place(), two: fleet.place() };
    const worker = (name: 'one' | 'two', ...args: string[]) => {
      const started = fleet.worker(name, places[name], ...args);
      open.push(() => started.child.kill('SIGKILL'));
      return started;
    };
    return {
      ...fleet,
      places,
      worker,
      meet,
      go: (name: string) => fleet.project.write(`.git/meet/go-${name}`, ''),
    };
  };
  afterEach(async () => {
    for (const stop of open.splice(0).toReversed()) await stop();
  });
  /** Returns how often the records of the only task are on the remote. */
  const records = (fleet: Awaited<ReturnType<typeof make>>) =>
    fleet.refs().filter((ref) => ref.startsWith('refs/ralph/records/T-1/')).length;

  it('gives a silent worker’s job to another one, and takes nothing of the first when it is back', async () => {
    const fleet = await make();
    const first = fleet.worker('one', '--once');
    const run = fleet.coordinate();
    await appears(fleet.meet('a'));
    first.child.kill('SIGSTOP');
    const second = fleet.worker('two', '--once');
    await appears(fleet.meet('b'));
    fleet.go('b');
    expect(await reportOf(run)).toMatchObject({ exit_code: 0, iterations: 1 });
    first.child.kill('SIGCONT');
    // The first worker's agent could have finished by now, but has lost its task.
    const { stdout } = await first.ended;
    expect(stdout).toContain('T-1: lease lost, so its agent was ended; only its record is kept');
    expect(isAlive(Number(readFileSync(fleet.meet('a'), 'utf8')))).toBe(false);
    expect((await second.ended).stdout).toContain('T-1: delivered');
    expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
    expect(records(fleet)).toBe(2);
    expect(fleet.project.iteration(1).facts.attempt).toBe(1);
  });

  it('continues without a worker that was killed, whose agent ends with it: the next one learns of it', async () => {
    const fleet = await make();
    const first = fleet.worker('one');
    const run = fleet.coordinate();
    await appears(fleet.meet('a'));
    first.child.kill('SIGKILL');
    fleet.worker('two');
    await appears(fleet.meet('b'));
    const prompts = (at: Project) => {
      const [run = ''] = readdirSync(at.path('.ralph/runs'));
      return at.read(`.ralph/runs/${run}/jobs/1/prompt.md`).replace(/\s+/g, ' ');
    };
    const seen = 'An attempt at this task (iteration 1) was cut off before it ended';
    expect(prompts(fleet.places.two)).toContain(seen);
    expect(prompts(fleet.places.two)).toContain(
      'Nothing of it is in the files; it may have had effects elsewhere',
    );
    expect(prompts(fleet.places.one)).not.toContain(seen);
    expect(isAlive(Number(readFileSync(fleet.meet('a'), 'utf8')))).toBe(false);
    fleet.go('b');
    expect(await reportOf(run)).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
    expect(records(fleet)).toBe(1);
  });

  it('queues again what the engine lost', async () => {
    const fleet = await make();
    fleet.worker('one');
    const run = fleet.coordinate();
    await appears(fleet.meet('a'));
    await fleet.server.kill();
    fleet.server.wipe();
    await fleet.server.start();
    await appears(fleet.meet('b'));
    fleet.go('b');
    expect(await reportOf(run)).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
  });

  it('delivers and lands what runs while the engine is away', async () => {
    const fleet = await make();
    const worker = fleet.worker('one');
    const run = fleet.coordinate();
    await appears(fleet.meet('a'));
    await fleet.server.kill();
    fleet.go('a');
    expect(await reportOf(run)).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).stdout).toContain('T-1: delivered');
  });

  it(
    'starts nothing while the engine is away, however long, and all of it once that is back',
    async () => {
      const fleet = await fleetProject(named(3), { acts: SAID, together: 1 });
      open.push(fleet.server.stop);
      const { project } = fleet;
      const { child } = fleet.worker('one', fleet.place());
      open.push(() => child.kill('SIGKILL'));
      const run = fleet.coordinate();
      open.push(() => run.child.kill('SIGKILL'));
      await appears(project.path('.git/starts'));
      const queued = () => project.json('fleet', 'status').queues[0];
      await eventually(() =>
        expect(queued()).toMatchObject({
          waiting: [expect.any(String), expect.any(String)],
          active: [expect.any(String)],
        }),
      );
      await fleet.server.kill();
      const from = Date.now();
      project.write('.git/go', '');
      // The engine stays away until one task has landed, and for `AWAY_MS` at least.
      await eventually(() => {
        expect(fleet.landed()).toHaveLength(1);
        expect(Date.now() - from).toBeGreaterThanOrEqual(AWAY_MS);
      }, AWAY_MS + LIMIT_MS);
      const back = Date.now();
      await fleet.server.start();
      expect(await reportOf(run)).toMatchObject({ exit_code: 0, iterations: 3 });
      const starts = project
        .read('.git/starts')
        .trim()
        .split('\n')
        .map((line) => Number(line.split(' ')[1]));
      expect(starts).toHaveLength(3);
      expect(starts.filter((at) => at > from && at < back)).toEqual([]);
      expect(fleet.landed()).toHaveLength(3);
      if (AWAY_MS > 0)
        process.stdout.write(
          `away ${(back - from) / 1000} s; starts after it: ${starts.slice(1).map((at) => (at - back) / 1000)} s\n`,
        );
    },
    AWAY_MS + 180_000,
  );

  it('has one coordinator, and one that is stopped leaves an attempt that counts for nothing', async () => {
    const fleet = await make();
    const worker = fleet.worker('one');
    const first = fleet.coordinate();
    await appears(fleet.meet('a'));
    const other = fleet.clone();
    expect(other.json('fleet', 'run', '--lease', String(LEASE))).toMatchObject({ exit_code: 10 });
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    expect(isAlive(Number(readFileSync(fleet.meet('a'), 'utf8')))).toBe(false);
    fleet.go('b');
    expect(await reportOf(fleet.coordinate())).toMatchObject({ exit_code: 0 });
    expect(fleet.project.iteration(1).decisions.verdict.kind).toBe('interrupted');
    expect(fleet.project.iteration(2).facts.attempt).toBe(1);
    expect(fleet.landed()).toEqual(['Task 1 (T-1)']);
    worker.child.kill('SIGTERM');
    await worker.ended;
  });
});
