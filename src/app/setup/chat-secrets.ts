import type { Config } from '../../domain/config.ts';

const NAMES = {
  telegramToken: 'RALPH_TELEGRAM_TOKEN',
  /** Variable with the address of your own Bot API server. */
  telegramServer: 'RALPH_TELEGRAM_SERVER',
  ntfyTopic: 'RALPH_NTFY_TOPIC',
  ntfyToken: 'RALPH_NTFY_TOKEN',
} as const;
type Name = keyof typeof NAMES;

/** Tokens and topic of chats. They are removed from ralph's environment before any program starts. */
const taken = Object.fromEntries(
  Object.entries(NAMES).map(([key, name]) => [key, (process.env[name] ?? '').trim()]),
) as Readonly<Record<Name, string>>;
for (const name of Object.values(NAMES)) delete process.env[name];

/** Puts the secrets back into the environment for a copy of ralph in this process, which removes them again. */
export function returnChatSecrets(): void {
  for (const [key, name] of Object.entries(NAMES)) {
    const value = taken[key as Name];
    if (value !== '') process.env[name] = value;
  }
}

/** Returns the secrets by which someone could read or write your chat. */
export function chatSecrets(): readonly string[] {
  const { telegramToken, ntfyTopic, ntfyToken } = taken;
  return [telegramToken, ntfyTopic, ntfyToken].filter((one) => one !== '');
}

const TELEGRAM_SERVER = 'https://api.telegram.org';

/** Returns the services that the settings name, with their secrets from the environment. */
export function chatSettings({ notify }: Pick<Config, 'notify'>) {
  const { telegramToken, telegramServer, ntfyTopic, ntfyToken } = taken;
  const server = telegramServer === '' ? TELEGRAM_SERVER : telegramServer;
  return {
    telegram: notify.telegram === undefined ? null : { chat: notify.telegram, token: telegramToken, server },
    ntfy: notify.ntfy === '' ? null : { server: notify.ntfy, topic: ntfyTopic, token: ntfyToken },
  };
}
