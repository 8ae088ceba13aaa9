import { openEngine } from 'ralph-fleet';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDoor } from '../../helpers/crash/door.ts';
import { engineSuite, job, until } from '../../helpers/engine-suite.ts';
import { ENGINES, startEngine } from '../../helpers/engines.ts';
import { HAS_POSTGRES, startPostgres } from '../../helpers/postgres.ts';

const LEASE_MS = 2000;
/** The machine's clock is decades from the server's. */
const NEAR_MS = 60_000;

describe('the engine of a fleet on Postgres', () => engineSuite(ENGINES[1]));

describe.skipIf(!HAS_POSTGRES)('leases on Postgres', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeEach(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await server.stop();
  });

  it('go by the clock of the server, whatever the machine says', async () => {
    const engine = await openEngine({ url: server.url, repository: 'r', leaseMs: LEASE_MS });
    const since = (time: string) =>
      Math.abs(Number(server.ask(`select extract(epoch from clock_timestamp()) * 1000 - (${time})::float`)));
    const lease = 'select locked_until_ms from ralph_fleet.job';
    await engine.add('q', job('T-1'));
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const claim = await until(() => engine.claim('q'));
    expect(since(lease)).toBeLessThan(NEAR_MS);
    expect(await claim.beat()).toBe('held');
    expect(since(lease)).toBeLessThan(NEAR_MS);
    expect(since("select value from ralph_fleet.meta where field = 'stalled-check'")).toBeLessThan(NEAR_MS);
    await engine.close();
  });
});

describe.for(ENGINES.filter(({ isHere }) => isHere))(
  'a network to $engine that was cut',
  ({ engine: name }) => {
    it('is asked anew, though nobody says that its connections are dead', async () => {
      const server = await startEngine(name);
      const door = await openDoor(server.port);
      const url = server.url.replace(String(server.port), String(door.port));
      const engine = await openEngine({ url, repository: 'r', leaseMs: LEASE_MS });
      try {
        await engine.add('q', job('T-1'));
        door.set('silent');
        expect(await engine.stateOf('q', 'T-1-1')).toBe('away');
        expect(await engine.claim('q')).toBeNull();
        door.set('open');
        await until(async () => ((await engine.stateOf('q', 'T-1-1')) === 'waiting' ? true : null));
        // What it was asked while it was cut off it may give now.
        const claim = await until(() => engine.claim('q'));
        expect(claim.job.task).toBe('T-1');
      } finally {
        await engine.close();
        door.close();
        await server.stop();
      }
    });

    it('names where nothing answers, without the password', async () => {
      const scheme = name === 'redis' ? 'redis' : 'postgres';
      const nowhere = openEngine({
        url: `${scheme}://user:secret@127.0.0.1:1`,
        repository: 'r',
        leaseMs: LEASE_MS,
      });
      await expect(nowhere).rejects.toThrow(
        /^\w+ at \w+:\/\/127.0.0.1:1 doesn't answer: connect ECONNREFUSED/,
      );
      const elsewhere = openEngine({
        url: 'http://user:secret@127.0.0.1',
        repository: 'r',
        leaseMs: LEASE_MS,
      });
      await expect(elsewhere).rejects.toThrow(/^The address begins with none of [^@]*$/);
    });
  },
);
