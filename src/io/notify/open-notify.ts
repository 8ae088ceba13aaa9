import { basename } from 'node:path';
import { oneByOne } from 'ralph-kit/one-by-one';
import { redact, secretsFromEnv } from 'ralph-kit/redact';
import { stripControl } from 'ralph-kit/text';
import { channelOf } from '../../domain/config.ts';
import { type AnswerChat, type Notification, waitsKey } from '../../domain/notification.ts';
import type { Delivery, Notify } from '../../domain/ports.ts';
import { withLocalTimes } from '../../tell/index.ts';
import { systemIds } from '../ids.ts';
import {
  type Channel,
  type Chat,
  type NotifyOptions,
  notificationDocument,
  TRY_MS,
  thrown,
} from './channel.ts';
import { type Health, listenTo, openHealth, readOnce } from './chat/listen.ts';
import { ntfyChat } from './chat/ntfy.ts';
import { telegramChat } from './chat/telegram.ts';
import { desktopChannel } from './desktop.ts';
import { openShell, type RunShell } from './run-shell.ts';
import { openSent, type Request } from './sent.ts';
import { webhookChannel } from './webhook.ts';

/** Tries to deliver a message in each channel. */
const TRIES = 3;
/** Letters and digits of a message's code: too many to guess, few enough to type. */
const NONCE_LENGTH = 10;
/** Milliseconds before the second try to deliver; they double with each further try. */
const RETRY_MS = 1000;

/** The longest wait, in milliseconds, that a service may ask for between two tries. */
const LONGEST_PAUSE_MS = 30_000;
/** Milliseconds for reading the answers that have arrived when a run starts. */
const COLLECT_MS = 10_000;

type OpenedNotify = Notify & {
  /** Carries out answers that arrived while no run was active. Never throws. */
  readonly collect: (answer: AnswerChat) => Promise<void>;
  /** Tries to read each chat, without taking any answer from it; returns those that can't be read. */
  readonly unreadable: () => Promise<readonly Pick<Delivery, 'channel' | 'error'>[]>;
};

/**
 * Opens the channels of `[notify]`. All of them get a notification at the same time; failures are reported,
 * never thrown.
 */
export function openNotify(options: NotifyOptions): OpenedNotify {
  const { clock } = options;
  const channels = channelsOf(options);
  const chats = channels.filter((channel) => 'read' in channel);
  const readable = chats.filter(({ isUsable }) => isUsable);
  const health = openHealth();
  const sent = openSent(options.sentFile);
  const requestOf = ({ waits }: Notification) => {
    if (waits === null) return null;
    const { answerable, ...what } = waits;
    const offered = answerable.ok ? answerable.choices.map(({ name }) => name) : [];
    return sent.request(what, offered, () => systemIds().random(NONCE_LENGTH));
  };
  return {
    send: (given) => {
      // Records hold times in UTC; a message has them in the time zone of the machine that ralph runs on.
      const now = new Date(given.at);
      const notification = {
        ...given,
        title: withLocalTimes(given.title, now),
        text: withLocalTimes(given.text, now),
      };
      const able = channels.filter(({ wants }) => wants?.(notification) ?? true);
      const named = able.filter(({ name }) => options.ofStops.some((one) => channelOf(one) === name));
      const wanted = notification.incident === null || named.length === 0 ? able : named;
      const request = wanted.length === 0 ? null : requestOf(notification);
      const missing = wanted.filter(({ name }) => request?.channels[name] === undefined);
      return Promise.all(
        missing.map(async (channel) => {
          const { id, ...delivery } = await deliver(channel, { notification, request, health }, options);
          if (delivery.ok && request !== null) sent.taken(request.nonce, channel.name, id);
          return delivery;
        }),
      );
    },
    whenBack: health.whenBack,
    isAsked: (waits) => {
      const key = waitsKey(waits);
      const request = sent.find((one) => waitsKey(one.waits) === key);
      return readable.some(({ name }) => request?.channels[name] !== undefined);
    },
    listen: async (answer, onAway, signal) => {
      const away: typeof onAway = (channel, error) => onAway(channel, hidden(error, options));
      const listening = { sent, health, clock, answer: inTurn(answer), onAway: away, signal };
      await Promise.all(readable.map((chat) => listenTo(chat, listening)));
    },
    collect: async (answer) => {
      const signal = AbortSignal.timeout(COLLECT_MS);
      const listening = { sent, health, clock, answer: inTurn(answer), onAway: () => undefined, signal };
      if (sent.find(({ answered }) => answered === null) === null) return;
      await Promise.all(readable.map((chat) => readOnce(chat, listening)));
    },
    unreadable: async () => {
      const read = async (chat: Chat) => {
        const signal = AbortSignal.timeout(COLLECT_MS);
        const looking = { cursor: null, wait: false, signal, find: sent.find, on: async () => false };
        const result = await chat.read(looking);
        return result.ok ? [] : [{ channel: chat.name, error: hidden(result.error, options) }];
      };
      return (await Promise.all(chats.map(read))).flat();
    },
  };
}

/** Two services may bring answers at the same time, so they are taken one after the other. */
function inTurn(answer: AnswerChat): AnswerChat {
  const turn = oneByOne();
  return (one) => turn(() => answer(one));
}

function channelsOf(options: NotifyOptions): readonly (Channel | Chat)[] {
  const { settings, chats, root, tryMs = TRY_MS } = options;
  const shell = openShell(options);
  const place = { repository: basename(root), tryMs };
  const channels = [
    settings.command === '' ? null : commandChannel(shell, settings.command),
    settings.webhook === '' ? null : webhookChannel(options),
    desktopChannel(shell, options),
    chats.telegram === null ? null : telegramChat(chats.telegram, place),
    chats.ntfy === null ? null : ntfyChat(chats.ntfy, place),
  ];
  return channels.filter((channel) => channel !== null);
}

function commandChannel(shell: RunShell, command: string): Channel {
  return {
    name: 'command',
    attempt: (notification) => {
      const input = `${JSON.stringify(notificationDocument(notification))}\n`;
      return shell({ command, name: 'the command', input });
    },
  };
}

type Delivering = {
  readonly notification: Notification;
  readonly request: Request | null;
  readonly health: Health;
};

async function deliver(
  channel: Channel | Chat,
  { notification, request, health }: Delivering,
  options: NotifyOptions,
): Promise<Delivery & { readonly id: string }> {
  const { name } = channel;
  const isChat = 'read' in channel;
  // A service that is out of reach gets one try, so that it doesn't delay each message again.
  const most = isChat && health.isAway(name) ? 1 : TRIES;
  for (let tries = 1; ; tries += 1) {
    const result = await channel.attempt(notification, request).catch(thrown);
    if (result.ok) {
      if (isChat) health.worked(name);
      return { channel: name, ok: true, tries, error: null, id: result.id ?? '' };
    }
    const pauseMs = result.afterMs ?? RETRY_MS * 2 ** (tries - 1);
    if (!result.isRetryable || tries >= most || pauseMs > LONGEST_PAUSE_MS) {
      const isKnown = isChat && !health.failed(name) ? ({ isKnown: true } as const) : {};
      return { channel: name, ok: false, tries, error: hidden(result.error, options), ...isKnown, id: '' };
    }
    await options.clock.sleep(pauseMs);
  }
}

/** Returns an error's text without the secrets in it. */
function hidden(error: string, { env, settings, chats }: NotifyOptions): string {
  const { telegram, ntfy } = chats;
  const own = [settings.webhook, telegram?.token ?? '', ntfy?.topic ?? '', ntfy?.token ?? ''];
  return redact(stripControl(error), [...secretsFromEnv(env), ...own.filter((one) => one !== '')]);
}
