import { openEngine } from 'ralph-fleet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineSuite } from '../../helpers/engine-suite.ts';
import { ENGINES } from '../../helpers/engines.ts';
import { HAS_REDIS, startRedis } from '../../helpers/redis.ts';

describe('the engine of a fleet on Redis', () => engineSuite(ENGINES[0]));

describe.skipIf(!HAS_REDIS)('a Redis that refuses', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  const open = (url: string) => openEngine({ url, repository: 'r', leaseMs: 5000 });
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it('says so in its own words', async () => {
    const engine = await open(`${redis.url}/15`);
    try {
      redis.tell('config', 'set', 'maxmemory', '1');
      const refused = { name: 'EngineError', message: expect.stringContaining('OOM') };
      await expect(engine.lock('coordinator', 'me')).rejects.toMatchObject(refused);
      await expect(engine.pause(true)).rejects.toMatchObject(refused);
    } finally {
      redis.tell('config', 'set', 'maxmemory', '0');
      await engine.close();
    }
  });

  it('has no database by a name', async () => {
    await expect(open(`${redis.url}/jobs`)).rejects.toThrow('The database of a Redis is a number');
  });
});
