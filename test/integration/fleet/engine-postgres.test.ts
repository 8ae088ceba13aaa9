/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { openEngine } from 'ralph-fleet';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDoor } from '../../helpers/crash/door.ts';
import { engineSuite, job, until } from '../../helpers/engine-suite.ts';
import { ENGINES, startEngine } from '../../helpers/engines.ts';
import { eventually } from '../../helpers/eventually.ts';
import { giveToPostgres, HAS_POSTGRES, startPostgres } from '../../helpers/postgres.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const template = (name: string) =>
  readFileSync(new URL(`../../../packages/fleet/templates/${name}`, import.meta.url), 'utf8');
const LEASE_MS = 2000;
/** A lease so long that no test sees its end, in milliseconds. */
const NEVER_MS = 3_600_000;
/** The machine's clock is decades away from the server's, so times count as equal within this many milliseconds. */
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

  it('hold a job for who asked for it, also where the answer comes late', async () => {
    const engine = await openEngine({ url: server.url, repository: 'r', leaseMs: NEVER_MS });
    await engine.add('q', job('T-1'));
    const letGo = await server.lockTable('ralph_fleet.job');
    expect(await engine.claim('q')).toBeNull();
    // The worker's question was put again, and waits.
    const waiting = `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%move_to_active%'`;
    await eventually(() => expect(server.ask(`${waiting} and pid <> pg_backend_pid()`)).toBe('1'));
    letGo();
    expect((await until(() => engine.claim('q'))).job).toEqual(job('T-1'));
    await engine.close();
  });

  it('are made again where all of it was removed', async () => {
    const engine = await openEngine({ url: server.url, repository: 'r', leaseMs: LEASE_MS });
    await engine.add('q', job('T-1'));
    server.ask('drop schema ralph_fleet cascade');
    await until(async () => ((await engine.stateOf('q', 'T-1-1')) === 'gone' ? true : null));
    await engine.add('q', job('T-1'));
    expect((await until(() => engine.claim('q'))).job).toEqual(job('T-1'));
    await engine.close();
  });
});

describe.for(ENGINES.filter(({ isHere }) => isHere))(
  'a network to $engine that was cut',
  ({ engine: name }) => {
    it('is asked anew, though nothing says that its connections are dead', async () => {
      const server = await startEngine(name);
      const door = await openDoor(server.port);
      const url = server.url.replace(String(server.port), String(door.port));
      const engine = await openEngine({ url, repository: 'r', leaseMs: NEVER_MS });
      try {
        await engine.add('q', job('T-1'));
        door.set('silent');
        expect(await engine.stateOf('q', 'T-1-1')).toBe('away');
        expect(await engine.claim('q')).toBeNull();
        door.set('open');
        await until(async () => ((await engine.stateOf('q', 'T-1-1')) === 'waiting' ? true : null));
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

describe.skipIf(!HAS_POSTGRES)('templates for Postgres', () => {
  it('let the fleet in, by TLS and its password alone', async () => {
    const folder = temporaryFolder();
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', `${folder}/postgres.key`, '-out', `${folder}/postgres.crt`],
    ]);
    expect(made.status, String(made.stderr)).toBe(0);
    // The test's own door beside it.
    const hba = `${template('pg_hba.conf')}host postgres postgres 127.0.0.1/32 trust\n`;
    writeFileSync(`${folder}/pg_hba.conf`, hba);
    writeFileSync(
      `${folder}/postgres.conf`,
      template('postgres.conf').replaceAll('/etc/postgres/tls', folder).replaceAll('/etc/postgres', folder),
    );
    for (const name of ['', 'postgres.key', 'pg_hba.conf', 'postgres.conf'])
      giveToPostgres(`${folder}/${name}`);
    const server = await startPostgres({ settings: [`config_file=${folder}/postgres.conf`] });
    try {
      for (const line of template('postgres.sql').split('\n')) if (/^\w/.test(line)) server.ask(line);
      const open = (address: string) =>
        openEngine({ url: `postgres://${address}`, repository: 'r', leaseMs: LEASE_MS });
      const tls = `sslmode=verify-full&sslrootcert=${folder}/postgres.crt`;
      const at = `localhost:${server.port}/ralph`;
      const engine = await open(`ralph:CHANGE-THIS-PASSWORD@${at}?${tls}`);
      await engine.add('q', job('T-1'));
      expect((await engine.claim('q'))?.job).toEqual(job('T-1'));
      expect((await engine.server()).keeps).toMatchObject({ isSure: true });
      await engine.close();
      await expect(open(`ralph:other@${at}?${tls}`)).rejects.toThrow('password authentication failed');
      await expect(open(`ralph:CHANGE-THIS-PASSWORD@${at}`)).rejects.toThrow('no pg_hba.conf entry');
    } finally {
      await server.stop();
    }
  });
});
