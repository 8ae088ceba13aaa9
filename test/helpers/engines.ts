import { HAS_POSTGRES, startPostgres } from './postgres.ts';
import { HAS_REDIS, startRedis } from './redis.ts';

/** Servers that carry a fleet, and whether this machine has them. */
export const ENGINES = [
  { engine: 'redis', isHere: HAS_REDIS },
  { engine: 'postgres', isHere: HAS_POSTGRES },
] as const;

export type EngineName = (typeof ENGINES)[number]['engine'];

/** Starts a server of its own, as docs/FLEET.md requires it. */
export function startEngine(name: EngineName, options: Parameters<typeof startRedis>[0] = {}) {
  return name === 'redis' ? startRedis(options) : startPostgres(options);
}
