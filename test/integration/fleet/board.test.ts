import { type IncomingHttpHeaders, request } from 'node:http';
import { type Engine, openEngine } from 'ralph-fleet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveBoard } from '../../../src/app/setup/fleet.ts';
import { HAS_REDIS, startRedis } from '../../helpers/redis.ts';

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

/** A path as it stands, unlike `fetch`, which tidies it up and sets `Host` itself. */
function ask(url: string, path: string, options: { method?: string; host?: string } = {}): Promise<Answer> {
  const { hostname, port, host } = new URL(url);
  const { method = 'GET', host: named = host } = options;
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname, port, path, method, agent: false, headers: { host: named } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    asked.once('error', reject).end();
  });
}

describe.skipIf(!HAS_REDIS)('the page of the engine', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let engine: Engine;
  let url = '';
  let served: Promise<boolean>;
  const stop = new AbortController();
  const at = (path: string) => `${new URL(url).pathname}${path}`;
  beforeAll(async () => {
    redis = await startRedis();
    const place = { url: redis.url, repository: 'r' };
    engine = await openEngine({ ...place, leaseMs: 30_000 });
    url = await new Promise((onReady) => {
      served = serveBoard(place, { port: 0, stop: stop.signal, onReady });
    });
  });
  afterAll(async () => {
    await engine.close();
    await redis.stop();
  });

  it('shows queues and jobs, those that come later, too', async () => {
    const job = { iteration: 1, base: 'b'.repeat(40), job: 'c'.repeat(40) };
    await engine.add('mine', { ...job, id: 'T-1-1', task: 'T-1' });
    const page = await ask(url, at(''));
    expect(page.status).toBe(200);
    expect(page.text).toContain('ralph fleet');
    await engine.add('mine gpu', { ...job, id: 'T-2-1', task: 'T-2' });
    const { queues } = JSON.parse(
      (await ask(url, at('api/queues?activeQueue=mine&status=waiting&page=1'))).text,
    );
    expect(queues).toMatchObject([
      { name: 'mine', readOnlyMode: true, counts: { waiting: 1 }, jobs: [{ data: { task: 'T-1' } }] },
      { name: 'mine gpu', readOnlyMode: true, counts: { waiting: 1 } },
    ]);
  });

  it('loads its own files alone', async () => {
    const page = await ask(url, at(''));
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    const [, script = ''] = /src="(static\/js\/main[^"]+)"/.exec(page.text) ?? [];
    expect(await ask(url, at(script))).toMatchObject({ status: 200 });
    for (const path of ['static/../../package.json', 'static/..%2f..%2fpackage.json'])
      expect((await ask(url, at(path))).text).not.toContain('"dependencies"');
  });

  it.each([
    ['a name that was resolved to this machine', { host: 'evil.example:80' }, '', 403],
    ['another method', { method: 'PUT' }, 'api/queues/mine/pause', 405],
    ['the same by POST', { method: 'POST' }, 'api/queues/mine/add', 405],
  ] as const)('refuses %s', async (_, options, path, status) => {
    expect(await ask(url, at(path), options)).toMatchObject({ status });
    const [mine] = await engine.queueReports();
    expect(mine).toMatchObject({ waiting: [{ task: 'T-1' }] });
  });

  it('is nowhere without its token', async () => {
    for (const path of ['/', '/api/queues', `/${'x'.repeat(43)}/`, '/static/'])
      expect(await ask(url, path)).toMatchObject({ status: 404 });
  });

  it('says that the engine is away, and shows it again when it is back', async () => {
    await redis.kill();
    const away = await ask(url, at(''));
    expect(away.status).toBe(503);
    expect(away.text).toBe(
      `The Redis of the fleet doesn't answer: connect ECONNREFUSED 127.0.0.1:${redis.port}\n`,
    );
    await redis.start();
    expect(await ask(url, at('api/queues'))).toMatchObject({ status: 200 });
  });

  it('ends when it is stopped', async () => {
    stop.abort();
    await served;
    await expect(ask(url, at(''))).rejects.toThrow('ECONNREFUSED');
  });
});
