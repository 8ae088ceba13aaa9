import { type Claim, type Engine, openEngine } from 'ralph-fleet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ENGINES, startEngine } from './engines.ts';

/** Milliseconds of a lease, short so that lost ones are noticed at once. */
const LEASE_MS = 900;

export const job = (task: string) => ({
  id: `${task}-1`,
  task,
  iteration: 1,
  base: 'b'.repeat(40),
  job: 'c'.repeat(40),
});

/** Asks until there is an answer, and returns it. */
export async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
  }
}

/** Tests that every engine has to pass, whatever its server is. */
export function engineSuite({ engine, isHere }: (typeof ENGINES)[number]) {
  const it = test.skipIf(!isHere);
  let server: Awaited<ReturnType<typeof startEngine>>;
  const engines: Engine[] = [];
  let repositories = 0;
  const open = async (repository: string) => {
    const engine = await openEngine({ url: server.url, repository, leaseMs: LEASE_MS });
    engines.push(engine);
    return engine;
  };
  /** Opens a fleet that no other test uses. */
  const fleet = async () => {
    repositories += 1;
    const repository = `r${repositories}`;
    return [await open(repository), await open(repository)] as const;
  };
  beforeAll(async () => {
    if (isHere) server = await startEngine(engine);
  });
  afterAll(async () => {
    await Promise.all(engines.map((one) => one.close()));
    await server?.stop();
  });

  it('gives each job to one worker', async () => {
    const [one, other] = await fleet();
    await Promise.all(['T-1', 'T-2', 'T-3'].map((task) => one.add('q', job(task))));
    await one.add('q', job('T-1'));
    const claims = await Promise.all([one, other, one, other, one].map((engine) => engine.claim('q')));
    const tasks = claims.flatMap((claim) => (claim === null ? [] : [claim.job.task]));
    expect(tasks.toSorted()).toEqual(['T-1', 'T-2', 'T-3']);
    expect(await one.queues()).toEqual(['q']);
  });

  it('gives a job again once its lease is lost, and says so to who had it', async () => {
    const [one, other] = await fleet();
    await one.add('q', job('T-1'));
    const first = await until(() => one.claim('q'));
    expect(await first.beat()).toBe('held');
    const second = await until(() => other.claim('q'));
    expect(second.job).toEqual(first.job);
    expect(await first.beat()).toBe('lost');
    await first.finish();
    expect(await second.beat()).toBe('held');
    expect(await one.stateOf('q', 'T-1-1')).toBe('active');
  });

  it('forgets what is finished, reports it to who waits for it, and takes it again', async () => {
    const [one, other] = await fleet();
    await one.add('q', job('T-1'));
    expect(await one.stateOf('q', 'T-1-1')).toBe('waiting');
    const never = new AbortController();
    const ended = one.ended('T-1-1', never.signal);
    const claim = await until(() => other.claim('q'));
    await claim.finish();
    await ended;
    expect(await one.stateOf('q', 'T-1-1')).toBe('gone');
    await one.add('q', job('T-1'));
    expect(await one.stateOf('q', 'T-1-1')).toBe('waiting');
    await one.remove('q', 'T-1-1');
    expect(await one.stateOf('q', 'T-1-1')).toBe('gone');
  });

  it('starts nothing while it is paused, and gives back what is released', async () => {
    const [one, other] = await fleet();
    await one.add('q', job('T-1'));
    await one.pause(true);
    expect(await other.claim('q')).toBeNull();
    expect(await one.queueReports()).toEqual([
      { queue: 'q', held: false, waiting: [job('T-1')], active: [] },
    ]);
    await one.pause(false);
    await one.hold('q', 60_000);
    expect([await one.isPaused(), await other.isHeld('q'), await other.claim('q')]).toEqual([
      ...[false, true, null],
    ]);
    expect(await one.queueReports()).toMatchObject([{ held: true }]);
    await one.hold('q', 0);
    expect(await other.isHeld('q')).toBe(false);
    const claim = await until(() => other.claim('q'));
    await claim.release();
    const again = await until(() => one.claim('q'));
    expect(again.job).toEqual(job('T-1'));
  });

  it('holds a queue no longer than it was asked to, though nothing lifts it', async () => {
    const [one, other] = await fleet();
    await one.add('q', job('T-1'));
    await one.hold('q', 300);
    expect(await other.claim('q')).toBeNull();
    expect((await until(() => other.claim('q'))).job).toEqual(job('T-1'));
  });

  it('has one holder of a lock, until its lease is lost', async () => {
    const [one, other] = await fleet();
    const lock = await one.lock('merger', 'host 1');
    expect(await other.lock('merger', 'host 2')).toEqual({ heldBy: 'host 1' });
    expect(await other.holder('merger')).toBe('host 1');
    const taken = await until(async () => {
      const got = await other.lock('merger', 'host 2');
      return 'heldBy' in got ? null : got;
    });
    expect('heldBy' in lock ? null : await lock.beat()).toBe('lost');
    await taken.release();
    expect('heldBy' in (await one.lock('merger', 'host 3'))).toBe(false);
  });

  it('takes a lock from no holder whose renewals come together, as after the server was away', async () => {
    const [one] = await fleet();
    const lock = await one.lock('merger', 'host 1');
    if ('heldBy' in lock) throw new Error('It was free.');
    await lock.release();
    expect(await Promise.all([lock.beat(), lock.beat(), lock.beat()])).toEqual(['held', 'held', 'held']);
  });

  const worker = {
    ...{ name: 'w', key: 'a', host: 'h', pid: 1, version: '1', agents: ['scripted'], labels: [], task: null },
    ...{ began: null, since: '2030-01-01T00:00:00.000Z', leaseMs: 1000, state: 'idle' as const },
  };

  it('shows no worker that has left, and wishes nothing of the next one by its name', async () => {
    const [one, other] = await fleet();
    await one.report(worker);
    await other.drain('w');
    await one.leave('w');
    expect(await other.workers()).toEqual([]);
    expect(await one.report(worker)).toEqual({ drains: false });
  });

  it('shows workers, passes on lines, and wishes to drain and to cancel', async () => {
    const [one, other] = await fleet();
    expect(await one.report(worker)).toEqual({ drains: false });
    expect(await other.workers()).toEqual([worker]);
    await other.drain('w');
    expect(await one.report(worker)).toEqual({ drains: true });
    await one.add('q', job('T-1'));
    const claim = await until(() => one.claim('q'));
    claim.log('reads a file');
    claim.log('writes one');
    const lines = await until(async () => {
      const known = await other.logs('q', 'T-1-1', 0);
      return known.length < 2 ? null : known;
    });
    expect(lines).toEqual(['reads a file', 'writes one']);
    await other.cancel('T-1-1');
    expect(await claim.beat()).toBe('cancelled');
    expect(await one.isCancelled('T-1-1')).toBe(true);
  });

  it('knows nothing while the server is away, and a job is there when it is back', async () => {
    const [one, other] = await fleet();
    await one.add('q', job('T-1'));
    await one.add('q', job('T-2'));
    const claim = await until(() => one.claim('q'));
    await server.kill();
    expect(await claim.beat()).toBe('away');
    expect(await other.stateOf('q', 'T-2-1')).toBe('away');
    expect(await other.claim('q')).toBeNull();
    await server.start();
    const left: Claim = await until(() => other.claim('q'));
    expect(['T-1', 'T-2']).toContain(left.job.task);
    await server.kill();
    server.wipe();
    await server.start();
    await until(async () => ((await one.stateOf('q', 'T-2-1')) === 'gone' ? true : null));
    expect(await claim.beat()).not.toBe('held');
  });

  it('names how the server keeps what it is told', async () => {
    const [one] = await fleet();
    const { keeps, evicts, now } = await one.server();
    expect([keeps?.isSure, evicts?.isSure ?? true]).toEqual([true, true]);
    expect(now).toBeGreaterThan(Date.parse('2020-01-01'));
  });
}
