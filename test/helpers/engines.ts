import { HAS_POSTGRES, startPostgres } from './postgres.ts';
import { HAS_REDIS, startRedis } from './redis.ts';

/** The servers that carry a fleet, as far as this machine has them. */
export const ENGINES = [
  { engine: 'redis', isHere: HAS_REDIS, start: startRedis },
  { engine: 'postgres', isHere: HAS_POSTGRES, start: startPostgres },
] as const;

export type EngineName = (typeof ENGINES)[number]['engine'];
