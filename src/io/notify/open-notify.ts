import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Delivery, Notification, Notify } from '../../domain/ports.ts';
import { redact, secretsFromEnv } from '../../lib/redact.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { stripControl } from '../../lib/text.ts';
import { tryOr } from '../../lib/try-or.ts';
import { agentsReach } from '../programs/start/agents-reach.ts';
import { withLocalTimes } from '../ui/times.ts';
import { type Channel, type NotifyOptions, notificationDocument } from './channel.ts';
import { desktopChannel } from './desktop.ts';
import { emailMessage, isAddress } from './email.ts';
import { openShell, type RunShell } from './run-shell.ts';
import { webhookChannel } from './webhook.ts';

/** For each channel. */
const TRIES = 3;
/** Before the second try; it doubles with each. */
const RETRY_MS = 1000;

/** The channels of `[notify]`. All of them get a notification at the same time; what fails is reported, and never thrown. */
export function openNotify(options: NotifyOptions): Notify {
  const channels = channelsOf(options);
  return {
    send: (given) => {
      // Records hold times in UTC; you read them where ralph runs.
      const now = new Date(given.at);
      const notification = {
        ...given,
        title: withLocalTimes(given.title, now),
        text: withLocalTimes(given.text, now),
      };
      const able = channels.filter(({ wants }) => wants?.(notification) ?? true);
      const named = able.filter(({ name }) =>
        options.ofStops.some((one) => (one === 'slack' ? 'webhook' : one) === name),
      );
      const wanted = notification.incident === null || named.length === 0 ? able : named;
      return Promise.all(wanted.map((channel) => deliver(channel, notification, options)));
    },
  };
}

function channelsOf(options: NotifyOptions): Channel[] {
  const { command, webhook, email } = options.settings;
  const shell = openShell(options);
  const channels: Channel[] = [];
  if (command !== '')
    channels.push({
      name: 'command',
      attempt: (one) => shell({ command, name: 'the command', input: `${notificationDocument(one)}\n` }),
    });
  if (webhook !== '') channels.push(webhookChannel(options));
  if (email.length > 0) channels.push(emailChannel(shell, options));
  const desktop = desktopChannel(shell, options);
  if (desktop !== null) channels.push(desktop);
  return channels;
}

function emailChannel(shell: RunShell, { settings: { email }, env, root }: NotifyOptions): Channel {
  const wrong = email.find((address) => !isAddress(address));
  const program = sendmailOf(env, root);
  const unusable =
    wrong !== undefined
      ? `"${wrong}" isn't a mail address: correct [notify] email`
      : program === null
        ? 'there is no sendmail on PATH, in /usr/sbin or in /usr/lib: install a mail program'
        : null;
  const command = `${shellQuote(program ?? '')} -t -i`;
  return {
    name: 'email',
    attempt: async (notification) =>
      unusable === null
        ? shell({ command, name: 'sendmail', input: await emailMessage(notification, email) })
        : { ok: false, error: unusable, again: false },
  };
}

/** It is seldom on the PATH of the user. Where agents can write it isn't taken. */
function sendmailOf({ PATH = '' }: NodeJS.ProcessEnv, root: string): string | null {
  const folders = [...PATH.split(delimiter).filter(isAbsolute), '/usr/sbin', '/usr/lib'];
  const candidates = folders.map((folder) => join(folder, 'sendmail'));
  const isExecutable = (path: string) =>
    tryOr(false, () => {
      accessSync(path, constants.X_OK);
      return true;
    });
  return candidates.find((path) => isExecutable(path) && agentsReach(path, root) === null) ?? null;
}

async function deliver(
  channel: Channel,
  notification: Notification,
  { settings, clock, env }: NotifyOptions,
): Promise<Delivery> {
  const secrets = [...secretsFromEnv(env), settings.webhook].filter((secret) => secret !== '');
  for (let tries = 1; ; tries += 1) {
    const result = await channel.attempt(notification).catch((error: unknown) => ({
      ok: false as const,
      error: error instanceof Error ? error.message : String(error),
      again: true,
    }));
    if (result.ok) return { channel: channel.name, ok: true, tries, error: null };
    if (!result.again || tries >= TRIES) {
      const error = redact(stripControl(result.error), secrets);
      return { channel: channel.name, ok: false, tries, error };
    }
    await clock.sleep(RETRY_MS * 2 ** (tries - 1));
  }
}
