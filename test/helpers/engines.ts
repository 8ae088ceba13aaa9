import { HAS_POSTGRES, startPostgres } from './postgres.ts';
import { HAS_REDIS, startRedis } from './redis.ts';

/** The servers that carry a fleet, as far as this machine has them. */
export const ENGINES = [
  { engine: 'redis', isHere: HAS_REDIS },
  { engine: 'postgres', isHere: HAS_POSTGRES },
] as const;

export type EngineName = (typeof ENGINES)[number]['engine'];

/** A server of its own, as docs/FLEET.md wants it. */
export function startEngine(name: EngineName, options: Parameters<typeof startRedis>[0] = {}) {
  return name === 'redis' ? startRedis(options) : startPostgres(options);
}
