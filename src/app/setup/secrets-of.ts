import type { Config } from '../../domain/config.ts';
import { secretsFromEnv } from '../../lib/redact.ts';

/** What is hidden in what ralph shows: secrets of the environment and of the runners, and where notifications go. */
export function secretsOf({ runners, notify }: Config): readonly string[] {
  const given = Object.values(runners).flatMap(({ env }) => secretsFromEnv(env ?? {}));
  return [...secretsFromEnv(process.env), ...given, ...(notify.webhook === '' ? [] : [notify.webhook])];
}
