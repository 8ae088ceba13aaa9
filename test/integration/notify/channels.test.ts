import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Config } from '../../../src/domain/config.ts';
import type { Notification } from '../../../src/domain/notification.ts';
import type { Delivery } from '../../../src/domain/ports.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { type ChatSettings, NO_CHATS } from '../../../src/io/notify/channel.ts';
import { openNotify } from '../../../src/io/notify/index.ts';
import { ACCESS, openNtfy, TOPIC } from '../../helpers/chats/ntfy.ts';
import { type Mode, serve } from '../../helpers/chats/server.ts';
import { CHAT, openTelegram, TOKEN } from '../../helpers/chats/telegram.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

/** The other end of a channel: a program or a service that works, refuses messages or never answers. */
type OtherEnd = {
  readonly settings?: Partial<Config['notify']>;
  readonly chats?: Partial<ChatSettings>;
  readonly is: (mode: Mode) => void;
  /** Returns the number of messages that came. */
  readonly came: () => number;
  readonly secrets: readonly string[];
  /** Settings that can't work. */
  readonly wrong: { readonly settings?: Partial<Config['notify']>; readonly chats?: Partial<ChatSettings> };
};

const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

/** Returns a program that goes by a mode in a file beside it. */
function programAt(path: string): Pick<OtherEnd, 'is' | 'came'> {
  const lines = ['#!/bin/sh', `case "$(cat ${path}.mode)" in`];
  const forms = ['up) echo x >> "$0".came ;;', 'hangs) exec sleep 60 ;;', '*) exit 3 ;;', 'esac'];
  writeFileSync(path, [...lines, ...forms].join('\n'));
  chmodSync(path, 0o755);
  const is = (mode: Mode) => writeFileSync(`${path}.mode`, typeof mode === 'string' ? mode : 'refuses');
  is('up');
  const linesOf = (file: string) =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  return { is, came: () => linesOf(`${path}.came`) };
}

const OTHER_ENDS: Readonly<Record<Delivery['channel'], () => Promise<OtherEnd>>> = {
  command: async () => {
    const path = join(temporaryFolder(), 'tell');
    const wrong = { settings: { command: 'no-such-notifier' } };
    return { ...programAt(path), settings: { command: path }, secrets: [], wrong };
  },
  webhook: async () => {
    let came = 0;
    const service = await serve((_request, response) => {
      came += 1;
      response.writeHead(200).end();
    });
    const settings = { webhook: `${service.url}/s3cret-path` };
    const wrong = { settings: { webhook: 'ftp://example.com/s3cret-path' } };
    return { settings, is: service.is, came: () => came, secrets: ['s3cret-path', service.url], wrong };
  },
  desktop: async () => {
    const bin = temporaryFolder();
    process.env.PATH = `${bin}:/usr/bin:/bin`;
    const program = programAt(join(bin, 'notify-send'));
    return { ...program, settings: { desktop: true }, secrets: [], wrong: { settings: { desktop: false } } };
  },
  telegram: async () => {
    const service = await openTelegram();
    const chats = { telegram: { chat: CHAT, token: TOKEN, server: service.url } };
    const wrong = { chats: { telegram: { chat: CHAT, token: 'a word', server: service.url } } };
    return { chats, is: service.is, came: () => service.posted().length, secrets: [TOKEN], wrong };
  },
  ntfy: async () => {
    const service = await openNtfy();
    const chats = { ntfy: { server: service.url, topic: TOPIC, token: ACCESS } };
    const wrong = { chats: { ntfy: { server: service.url, topic: 'short', token: ACCESS } } };
    return { chats, is: service.is, came: () => service.published().length, secrets: [TOPIC, ACCESS], wrong };
  },
};

const MESSAGE: Notification = {
  kind: 'awaiting_human',
  at: '2026-05-01T10:00:00.500Z',
  run: 'r-1',
  taskId: 'T-1',
  incident: null,
  severity: 'warning',
  title: 'T-1 waits',
  text: 'It waits for you.',
  next: [],
  result: null,
  waits: null,
};

function opened({ settings, chats }: Pick<OtherEnd, 'settings' | 'chats'>, tryMs = 10_000) {
  const slept: number[] = [];
  const clock = {
    ...systemClock(),
    // Time limits of programs go by the same clock: they stay real.
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (signal !== undefined) return systemClock().sleep(ms, signal);
      slept.push(ms);
    },
  };
  const notify = openNotify({
    settings: { ...Config.parse({}).notify, desktop: false, ...settings },
    chats: { ...NO_CHATS, ...chats },
    ofStops: [],
    clock,
    root: temporaryFolder(),
    env: { ...process.env, DISPLAY: ':7' },
    box: null,
    runsRepository: () => false,
    tryMs,
    atTerminal: false,
    sentFile: null,
  });
  return { slept, send: () => notify.send(MESSAGE) };
}

const onLinux = process.platform === 'linux';
const CHANNELS = (Object.keys(OTHER_ENDS) as Delivery['channel'][]).filter(
  (name) => onLinux || name !== 'desktop',
);

describe.each(CHANNELS)('the channel %s', (channel) => {
  const open = OTHER_ENDS[channel];
  /** A message on the desktop is a convenience: that it isn't shown isn't a failure. */
  const canFail = channel !== 'desktop';

  it('delivers each message at the first try', async () => {
    const end = await open();
    const { send } = opened(end);
    const delivered = { channel, ok: true, tries: 1, error: null };
    expect([await send(), await send(), end.came()]).toEqual([[delivered], [delivered], 2]);
  });

  it('is tried three times, twice as late each time, and names no secret', async () => {
    const end = await open();
    const { slept, send } = opened(end);
    end.is({ status: 503, body: { error: end.secrets.join(' '), description: end.secrets.join(' ') } });
    const [delivery] = await send();
    expect(delivery).toMatchObject({ channel, ok: !canFail, tries: canFail ? 3 : 1 });
    expect(slept).toEqual(canFail ? [1000, 2000] : []);
    for (const secret of end.secrets) expect(delivery?.error).not.toContain(secret);
  });

  it('ends where the other end hangs', async () => {
    const end = await open();
    const { send } = opened(end, 200);
    end.is('hangs');
    expect(await send()).toMatchObject([{ channel, ok: !canFail, tries: canFail ? 3 : 1 }]);
  });

  it('works again when the other end does', async () => {
    const end = await open();
    const { send } = opened(end);
    end.is({ status: 503 });
    await send();
    end.is('up');
    expect(await send()).toMatchObject([{ channel, ok: true, tries: 1 }]);
  });

  it('is tried once with settings that cannot work, and says so without them', async () => {
    const end = await open();
    const deliveries = await opened(end.wrong).send();
    expect(deliveries).toMatchObject(canFail ? [{ channel, ok: false, tries: 1 }] : []);
    for (const secret of end.secrets) expect(JSON.stringify(deliveries)).not.toContain(secret);
    expect(end.came()).toBe(0);
  });
});
