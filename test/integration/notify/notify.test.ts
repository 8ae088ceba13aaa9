/** @module-tag rest */

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Config } from '../../../src/domain/config.ts';
import type { Notification } from '../../../src/domain/notification.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { NO_CHATS } from '../../../src/io/notify/channel.ts';
import { openNotify } from '../../../src/io/notify/index.ts';
import { carriersOf, killCarriersOf, uniqueToken } from '../../helpers/adversaries/token.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const NOTIFICATION: Notification = {
  result: null,
  waits: null,
  kind: 'emergency_stop',
  at: '2026-05-01T10:00:00.500Z',
  run: 'r-1',
  taskId: 'T-1',
  incident: 'INC-1',
  severity: 'critical',
  title: 'Emergency stop: the agent wanted <!channel> & more',
  text: 'It wanted to delete the house.\nIt was ended.',
  next: ['ralph incidents show INC-1', 'ralph resume INC-1 --option abort'],
};

/** Notifications that run nothing of the repository need no box. */
const NO_BOX = { box: null, runsRepository: () => false, sentFile: null, chats: NO_CHATS };

type Settings = Partial<Config['notify']> & { readonly tryMs?: number };

/** Sleeps at once, and remembers for how long it should have. */
function quickClock() {
  const slept: number[] = [];
  return {
    ...systemClock(),
    slept,
    // Time limits of processes go by the same clock: they stay real.
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (signal !== undefined) return systemClock().sleep(ms, signal);
      slept.push(ms);
    },
  };
}

function notifyOf(
  { tryMs = 10_000, ...settings }: Settings,
  env: NodeJS.ProcessEnv = process.env,
  ofStops: Parameters<typeof openNotify>[0]['ofStops'] = [],
) {
  const root = temporaryFolder();
  const clock = quickClock();
  const notify = openNotify({
    settings: { ...Config.parse({}).notify, ...settings },
    clock,
    root,
    tryMs,
    env: { ...env, PATH: `${join(root, 'bin')}:${env.PATH}` },
    atTerminal: false,
    ofStops,
    ...NO_BOX,
  });
  return {
    root,
    clock,
    notify,
    send: (given: Partial<Notification> = {}) => notify.send({ ...NOTIFICATION, ...given }),
  };
}

it.each([
  ['all, where none is named', [], 'INC-1', ['command', 'webhook']],
  ['those that are named', ['command'], 'INC-1', ['command']],
  ['the command, which sends mail', ['email'], 'INC-1', ['command']],
  ['all, where none of the named has an address', ['ntfy'], 'INC-1', ['command', 'webhook']],
  ['all, of anything else', ['command'], null, ['command', 'webhook']],
] as const)('an emergency stop is told to %s', async (_what, ofStops, incident, channels) => {
  const { url } = await webhookThat(200);
  const { send } = notifyOf({ command: 'cat > told', webhook: url }, process.env, [...ofStops]);
  expect((await send({ incident })).map(({ channel }) => channel)).toEqual(channels);
});

describe('a command', () => {
  it('gets the notification as one JSON document, in the repository', async () => {
    const { root, send } = notifyOf({
      command: 'cat > told && printf %s "$PWD" > here && test -z "$RALPH_RUN"',
    });
    expect(await send()).toEqual([{ channel: 'command', ok: true, tries: 1, error: null }]);
    const { taskId, waits: _, ...rest } = NOTIFICATION;
    expect(JSON.parse(readFileSync(join(root, 'told'), 'utf8'))).toEqual({
      schema: 'ralph.notification.v1',
      task_id: taskId,
      ...rest,
    });
    expect(readFileSync(join(root, 'here'), 'utf8')).toBe(root);
  });

  it('may be of several parts, of which each reads the same document', async () => {
    const { root, send } = notifyOf({
      command: '# tell\nread -r first; printf "%s\\n" "$first" | wc -l > lines\n',
    });
    expect(await send()).toMatchObject([{ ok: true }]);
    expect(readFileSync(join(root, 'lines'), 'utf8').trim()).toBe('1');
  });

  it('that reads nothing works as well', async () => {
    const { send } = notifyOf({ command: 'exec <&-; true' });
    expect(await send({ text: 'x'.repeat(300_000) })).toMatchObject([{ ok: true }]);
  });

  it('that fails is told with its last words, without secrets', async () => {
    const env = { ...process.env, MAIL_PASSWORD: 'hunter2-hunter2' };
    const { send } = notifyOf({ command: 'echo first; echo "no hunter2-hunter2" >&2; exit 3' }, env);
    expect(await send()).toEqual([
      { channel: 'command', ok: false, tries: 3, error: 'the command ended with exit code 3: no [redacted]' },
    ]);
  });

  it('that does not exist is tried once', async () => {
    const { send } = notifyOf({ command: 'no-such-notifier --now' });
    expect(await send()).toMatchObject([
      { ok: false, tries: 1, error: expect.stringContaining('needs no-such-notifier, which was not found') },
    ]);
  });

  it('that hangs is ended at its limit with all that it started', async () => {
    const token = uniqueToken();
    const { send } = notifyOf({
      command: `trap '' TERM; sh -c 'sleep 50; :' ${token} & setsid sh -c 'sleep 50; :' ${token} & sleep 50; : ${token}`,
      tryMs: 500,
    });
    try {
      expect(await send()).toEqual([
        { channel: 'command', ok: false, tries: 3, error: 'the command took over 0.5 s and was ended' },
      ]);
      expect(carriersOf(token)).toEqual([]);
    } finally {
      killCarriersOf(token);
    }
  });
});

type Call = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string };

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** Answers with these statuses in turn, the last one for ever; 0: no answer, -1: the connection is cut. */
async function webhookThat(...statuses: number[]): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const made = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      calls.push({ headers: request.headers, body, path: request.url ?? '' });
      const status = statuses[Math.min(calls.length, statuses.length) - 1] ?? 200;
      if (status === -1) request.socket.destroy();
      if (status <= 0) return;
      response.writeHead(status, { location: `http://${request.headers.host}/elsewhere` }).end('said');
    });
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}/hook/s3cret-path`, calls };
}

describe('a webhook', () => {
  it('gets the document', async () => {
    const { url, calls } = await webhookThat(204);
    const { send } = notifyOf({ webhook: url.replace('http://', 'http://me:a%40b@') });
    expect(await send()).toEqual([{ channel: 'webhook', ok: true, tries: 1, error: null }]);
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
      schema: 'ralph.notification.v1',
      incident: 'INC-1',
    });
    expect(calls[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('me:a@b').toString('base64')}`,
    });
  });

  it('gets the form of Slack, without mentions', async () => {
    const { url, calls } = await webhookThat(200);
    const { send } = notifyOf({ webhook: `${url}/slack` });
    expect(await send({ text: `<@U1> ${'long '.repeat(2000)}` })).toMatchObject([{ ok: true }]);
    const message = JSON.parse(calls[0]?.body ?? '');
    expect(message.text).toBe('ralph: Emergency stop: the agent wanted &lt;!channel&gt; &amp; more');
    expect(message.blocks).toHaveLength(2);
    for (const { type, text } of message.blocks) {
      expect([type, text.type]).toEqual(['section', 'mrkdwn']);
      expect(text.text.length).toBeLessThanOrEqual(3000);
      expect(text.text).not.toContain('<');
    }
  });

  it.each<[string, number[], number, string]>([
    ['429', [429], 3, 'the webhook answered 429 Too Many Requests'],
    ['503', [503], 3, 'the webhook answered 503 Service Unavailable'],
    ['404', [404], 1, 'the webhook answered 404 Not Found'],
    ['a redirection', [307], 1, 'the webhook answered 307 Temporary Redirect: redirections are not followed'],
    ['a cut connection', [-1], 3, 'the webhook could not be reached (UND_ERR_SOCKET)'],
    ['no answer', [0], 3, 'the webhook gave no answer within 0.3 s'],
  ])('that gives %s', async (_what, statuses, tries, error) => {
    const { url, calls } = await webhookThat(...statuses);
    const { send } = notifyOf({ webhook: url, tryMs: 300 });
    const [delivery] = await send();
    expect(delivery).toMatchObject({ channel: 'webhook', ok: false, tries });
    expect(delivery?.error).toContain(error);
    expect(delivery?.error).not.toMatch(/s3cret|127\.0\.0\.1/);
    expect(calls.map(({ path }) => path)).toEqual(Array(tries).fill('/hook/s3cret-path'));
  });

  it.each(['ftp://example.com/x', 'hooks.example.com', 'file:///etc/passwd'])(
    "that isn't one: %s",
    async (webhook) => {
      const { send } = notifyOf({ webhook });
      const [delivery] = await send();
      expect(delivery).toMatchObject({
        ok: false,
        tries: 1,
        error: expect.stringContaining('[notify] webhook'),
      });
      expect(delivery?.error).not.toContain(webhook);
    },
  );

  it('where nothing listens', async () => {
    const { url } = await webhookThat(200);
    await new Promise((resolve) => server?.close(resolve));
    const { send } = notifyOf({ webhook: url });
    expect(await send()).toMatchObject([
      { ok: false, error: 'the webhook could not be reached (ECONNREFUSED)' },
    ]);
  });
});

/** The line of docs/CONFIGURATION.md, with an `msmtp` in front of the PATH that keeps what it is told. */
async function mailOf(given: Partial<Notification>) {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/CONFIGURATION.md'), 'utf8');
  const [, command = ''] = /^command = '''\n?([\s\S]*?)'''$/m.exec(document) ?? [];
  const { root, send } = notifyOf({ command });
  mkdirSync(join(root, 'bin'));
  const path = join(root, 'bin', 'msmtp');
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > "${root}/arguments"\ncat > "${root}/mail"\n`);
  chmodSync(path, 0o755);
  const deliveries = await send(given);
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const [head = '', ...body] = read('mail').split('\n\n');
  return {
    deliveries,
    arguments: read('arguments').trim(),
    headers: head.split('\n'),
    body: body.join('\n\n'),
  };
}

const HAS_JQ = process.env.PATH?.split(':').some((folder) => existsSync(join(folder, 'jq'))) === true;

describe.skipIf(!HAS_JQ)('a mail, by the documented command', () => {
  it.each([
    ['plain text', 'plain'],
    ['letters of the world', 'Größe überschritten: 走れ 🏃'],
    ['headers of its own', 'first\r\nBcc: thief@example.com\r\n\r\nbody'],
  ])('has its text, and a subject that is nothing else: %s', async (_what, title) => {
    const text = 'Größe überschritten\n.\nFrom here';
    const mail = await mailOf({ title, text });
    expect(mail.deliveries).toEqual([{ channel: 'command', ok: true, tries: 1, error: null }]);
    expect(mail.arguments).toBe('-t');
    const [to, subject = '', ...types] = mail.headers;
    expect(to).toBe('To: you@example.org');
    expect(types).toEqual(['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8']);
    const [, base64 = ''] = /^Subject: =\?utf-8\?B\?([\w+/=]+)\?=$/.exec(subject) ?? [];
    expect(Buffer.from(base64, 'base64').toString('utf8')).toBe(`ralph: ${title}`);
    expect(mail.body).toContain(text);
    expect(mail.body).toContain('ralph resume INC-1 --option abort');
  });
});

describe('the channels', () => {
  it("are told at the same time, and the failure of one doesn't block another", async () => {
    const { url, calls } = await webhookThat(200);
    const { root, send } = notifyOf({ command: 'exit 1', webhook: url });
    expect((await send()).map(({ channel, ok }) => [channel, ok])).toEqual([
      ['command', false],
      ['webhook', true],
    ]);
    expect(calls).toHaveLength(1);
    expect(existsSync(join(root, 'told'))).toBe(false);
  });

  it("don't exist where none is configured", async () => {
    expect(await notifyOf({}).send()).toEqual([]);
  });
});
