import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { openEngine } from 'ralph-fleet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineSuite } from '../../helpers/engine-suite.ts';
import { ENGINES } from '../../helpers/engines.ts';
import { HAS_REDIS, startRedis } from '../../helpers/redis.ts';

describe('the engine of a fleet on Redis', () => engineSuite(ENGINES[0]));

/** Prints for each line of the README's example that ends with a comment whether it is so. */
function shown(url: string): string {
  const text = readFileSync(new URL('../../../packages/fleet/README.md', import.meta.url), 'utf8');
  const [, example = ''] = /^```ts\n(import \{ openEngine [\s\S]*?)^```$/m.exec(text) ?? [];
  const is = 'console.log(JSON.stringify($1) === JSON.stringify($2));';
  const program = example.replaceAll(/^(.+); \/\/ (.+)$/gm, is);
  const env = { ...process.env, RALPH_FLEET_URL: url };
  const args = ['--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    env,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}

describe.skipIf(!HAS_REDIS)('a Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  const open = (url: string) => openEngine({ url, repository: 'r', leaseMs: 5000 });
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it('that refuses says so in its own words', async () => {
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

  it('does what the README shows', () => {
    expect(shown(`${redis.url}/14`)).toBe('true\n'.repeat(4));
  });

  it('has no database by a name', async () => {
    await expect(open(`${redis.url}/jobs`)).rejects.toThrow('The database of a Redis is a number');
  });
});
