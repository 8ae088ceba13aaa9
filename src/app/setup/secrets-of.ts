import { redact, secretsFromEnv } from 'ralph-kit/redact';
import type { Config } from '../../domain/config.ts';
import type { Store } from '../../domain/ports.ts';
import { chatSecrets } from './chat-secrets.ts';
import { FLEET_ADDRESS } from './fleet-address.ts';

/** Values to hide in output: secrets of the environment and of runners, the webhook, chats' tokens
 * and topics, and the fleet's address. */
export function secretsOf({ runners, notify }: Config): readonly string[] {
  const given = Object.values(runners).flatMap(({ env }) => secretsFromEnv(env ?? {}));
  const addresses = [notify.webhook, FLEET_ADDRESS.url].filter((one) => one !== '');
  return [...secretsFromEnv(process.env), ...given, ...addresses, ...chatSecrets()];
}

/**
 * Returns your words without secrets for the records. The store keeps the original for the agent's prompt. @throws
 * StoreError
 */
export function wordsOnRecord(
  { store, config }: { readonly store: Store; readonly config: Config },
  about: { readonly at: string; readonly taskId: string | null },
  words: string,
): string {
  const text = redact(words, secretsOf(config));
  const entry = { ...about, iteration: null, kind: 'guidance', source: 'person', text } as const;
  if (text !== words) store.keepWords(entry, words);
  return text;
}
