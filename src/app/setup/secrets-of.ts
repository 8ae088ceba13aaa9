import type { Config } from '../../domain/config.ts';
import { secretsFromEnv } from '../../lib/redact.ts';
import { FLEET_ADDRESS } from './fleet-address.ts';

/** What is hidden in what ralph shows: secrets of the environment and of the runners, where notifications go, and where a fleet meets. */
export function secretsOf({ runners, notify }: Config): readonly string[] {
  const given = Object.values(runners).flatMap(({ env }) => secretsFromEnv(env ?? {}));
  const addresses = [notify.webhook, FLEET_ADDRESS.url].filter((one) => one !== '');
  return [...secretsFromEnv(process.env), ...given, ...addresses];
}
