import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { serveLocally } from '../../../src/io/serve/serve-locally.ts';

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

type Answering = Awaited<ReturnType<Parameters<typeof serveLocally>[0]['answerAt']>>;

async function serve(answer: Answering) {
  const stop = new AbortController();
  stops.push(stop);
  let ended: Promise<unknown> = Promise.resolve();
  const url = await new Promise<string>((onReady, failed) => {
    ended = serveLocally({ port: 0, stop: stop.signal, answerAt: () => answer, onReady });
    ended.catch(failed);
  });
  return { url: new URL(url), stop, ended };
}

async function ask(
  url: URL,
  more: { path?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { path = url.pathname, method = 'GET', headers = {} } = more;
  const asking = request({ host: url.hostname, port: url.port, path, method, headers, agent: false }).end();
  const [answer] = await once(asking, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

const same: Answering = async (_, response, name) => {
  response.end(`<p>${name}`);
};

describe('a page that is served', () => {
  it('is for whoever knows the address, and listens on loopback alone', async () => {
    const { url } = await serve(same);
    expect(url.hostname).toBe('127.0.0.1');
    expect(url.pathname).toMatch(/^\/[\w-]{43}\/$/);
    expect(await ask(url)).toMatchObject({ status: 200, body: '<p>' });
    const token = url.pathname.slice(1, -1);
    for (const path of [
      '/',
      '/x/',
      `/${token.slice(1)}/`,
      `/${token}x/`,
      `/?${token}`,
      '//',
      `/${token.toUpperCase()}/`,
    ])
      expect(await ask(url, { path }), path).toMatchObject({ status: 404, body: 'Not found.\n' });
  });

  it('has another address each time', async () => {
    const [one, other] = [await serve(same), await serve(same)];
    expect(one.url.pathname).not.toBe(other.url.pathname);
  });

  it.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '[::2]',
    '10.0.0.1',
    'localhost@evil.example',
  ])('refuses the name %s, as a page elsewhere may have it resolved to this machine', async (host) => {
    const { url } = await serve(same);
    expect(await ask(url, { headers: { host } })).toMatchObject({ status: 403 });
  });

  it.each(['localhost', 'localhost:8080', '127.0.0.1', '[::1]:1'])(
    'answers to %s, also through a tunnel',
    async (host) => {
      const { url } = await serve(same);
      expect(await ask(url, { headers: { host } })).toMatchObject({ status: 200 });
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])(
    'is read-only: %s is refused',
    async (method) => {
      const { url } = await serve(same);
      expect(await ask(url, { method })).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    },
  );

  it('stands in no frame, and its address goes to no other page', async () => {
    const { url } = await serve(same);
    expect((await ask(url)).headers).toMatchObject({
      'content-security-policy': "frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it('survives a bug of what it serves', async () => {
    const answers: Answering[] = [
      async () => {
        throw new Error('secret');
      },
    ];
    const { url } = await serve((...given) => (answers.shift() ?? same)(...given));
    expect(await ask(url)).toMatchObject({ status: 500, body: 'The page could not be made.\n' });
    expect(await ask(url)).toMatchObject({ status: 200, body: '<p>' });
  });

  it('ends when it is stopped, whoever is connected', async () => {
    const { url, stop, ended } = await serve(() => new Promise(() => undefined));
    const open = request({ host: url.hostname, port: url.port, path: url.pathname }).end();
    const closed = once(open, 'error');
    await once(open, 'socket').then(([socket]) => (socket.connecting ? once(socket, 'connect') : undefined));
    stop.abort();
    await ended;
    await closed;
    await expect(ask(url)).rejects.toThrow(/ECONNREFUSED/);
  });
});
