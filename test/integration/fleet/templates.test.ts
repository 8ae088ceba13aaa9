import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEngine } from 'ralph-fleet';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort, HAS_REDIS, listens } from '../../helpers/redis.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const template = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../packages/fleet/templates/${name}`, import.meta.url)), 'utf8');

describe('templates of a fleet', () => {
  it.skipIf(!HAS_REDIS)('start a Redis with TLS, whose user does what the engine needs', async () => {
    const folder = temporaryFolder();
    const [tls, plain] = [await freePort(), await freePort()];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
      ...['-keyout', `${folder}/redis.key`, '-out', `${folder}/redis.crt`],
    ]);
    expect(made.status, String(made.stderr)).toBe(0);
    writeFileSync(`${folder}/ca.crt`, readFileSync(`${folder}/redis.crt`));
    writeFileSync(`${folder}/users.acl`, template('users.acl'));
    const settings = template('redis.conf')
      .replaceAll('/etc/redis/tls', folder)
      .replaceAll('/etc/redis', folder)
      .replaceAll('/var/lib/redis', folder)
      .replace('tls-port 6379', `tls-port ${tls}`)
      // The test's own door, as Node reads certificates to trust at its start alone.
      .replace('port 0', `port ${plain}`);
    writeFileSync(`${folder}/redis.conf`, settings);
    const server = spawn('redis-server', [`${folder}/redis.conf`], { stdio: 'ignore' });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    try {
      for (const port of [tls, plain]) while (!(await listens(port))) expect(server.exitCode).toBeNull();
      const url = `redis://ralph:CHANGE-THIS-PASSWORD@127.0.0.1:${plain}`;
      const engine = await openEngine({ url, repository: 'r', leaseMs: 3000 });
      const job = { id: 'a', task: 'T-1', iteration: 1, base: 'b', job: 'c' };
      await engine.add('q', job);
      const claim = await engine.claim('q');
      claim?.log('a line');
      expect([claim?.job, await claim?.beat()]).toEqual([job, 'held']);
      await claim?.finish();
      expect(await engine.stateOf('q', 'a')).toBe('gone');
      expect('heldBy' in (await engine.lock('coordinator', 'me'))).toBe(false);
      expect(await engine.workers()).toEqual([]);
      expect(await engine.server()).toMatchObject({ keeps: null });
      await engine.close();
      const opened = openEngine({ url: `redis://127.0.0.1:${plain}`, repository: 'r', leaseMs: 3000 });
      await expect(opened).rejects.toThrow();
    } finally {
      server.kill('SIGKILL');
      await ended;
    }
  });

  it('are read by what they are for', () => {
    expect(parse(template('compose.yaml'))).toMatchObject({
      services: { redis: { image: 'redis:7-bookworm' } },
    });
    expect(parse(template('compose-postgres.yaml'))).toMatchObject({
      services: { postgres: { image: 'postgres:15-bookworm' } },
    });
    const unit = template('ralph-fleet-worker.service');
    for (const line of unit.split('\n')) expect(line).toMatch(/^(?:#.*|\[\w+\]|\w+=\S.*|)$/);
  });
});
