import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Config } from '../../domain/config.ts';
import type { Clock, Delivery, Notification, Notify } from '../../domain/ports.ts';
import { redact, secretsFromEnv } from '../../lib/redact.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { stripControl } from '../../lib/text.ts';
import type { Channel } from './channel.ts';
import { emailMessage, isAddress } from './email.ts';
import { notificationDocument } from './notification-document.ts';
import { openShell, type RunShell } from './run-shell.ts';
import { webhookChannel } from './webhook.ts';

export type NotifyOptions = {
  readonly settings: Config['notify'];
  readonly clock: Clock;
  /** The repository: commands are run there. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
};

/** The channels of `[notify]`. All of them get a notification at the same time; what fails is reported, and never thrown. */
export function openNotify(options: NotifyOptions): Notify {
  const channels = channelsOf(options);
  return {
    send: (notification) => Promise.all(channels.map((channel) => deliver(channel, notification, options))),
  };
}

function channelsOf(options: NotifyOptions): Channel[] {
  const { command, webhook, webhook_format, email, timeout } = options.settings;
  const timeoutMs = timeout * 1000;
  const shell = openShell(options);
  const channels: Channel[] = [];
  if (command !== '') channels.push(commandChannel(command, shell, options));
  if (webhook !== '') channels.push(webhookChannel({ url: webhook, format: webhook_format, timeoutMs }));
  if (email.length > 0) channels.push(emailChannel(shell, options));
  return channels;
}

function commandChannel(command: string, shell: RunShell, { settings, root }: NotifyOptions): Channel {
  return {
    name: 'command',
    attempt: (notification) =>
      shell({
        command,
        name: 'the command',
        input: `${notificationDocument(notification)}\n`,
        cwd: root,
        timeoutMs: settings.timeout * 1000,
      }),
  };
}

function emailChannel(shell: RunShell, { settings, root, env }: NotifyOptions): Channel {
  const wrong = settings.email.find((address) => !isAddress(address));
  const program = sendmailOf(env);
  return {
    name: 'email',
    attempt: async (notification) => {
      if (wrong !== undefined) {
        const error = `"${wrong}" isn't a mail address: correct [notify] email`;
        return { ok: false, error, again: false };
      }
      if (program === null) {
        const error = 'there is no sendmail on PATH, in /usr/sbin or in /usr/lib: install a mail program';
        return { ok: false, error, again: false };
      }
      return shell({
        command: `${shellQuote(program)} -t -i`,
        name: 'sendmail',
        input: await emailMessage(notification, settings.email),
        cwd: root,
        timeoutMs: settings.timeout * 1000,
      });
    },
  };
}

/** It is seldom on the PATH of the user. */
function sendmailOf({ PATH = '' }: NodeJS.ProcessEnv): string | null {
  const folders = [...PATH.split(delimiter).filter(isAbsolute), '/usr/sbin', '/usr/lib'];
  const candidates = folders.map((folder) => join(folder, 'sendmail'));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
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
    if (!result.again || tries >= settings.tries) {
      const error = redact(stripControl(result.error), secrets);
      return { channel: channel.name, ok: false, tries, error };
    }
    await clock.sleep(settings.retry_delay * 1000 * 2 ** (tries - 1));
  }
}
