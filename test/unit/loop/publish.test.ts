import { expect, it } from 'vitest';
import { Config } from '../../../src/domain/config.ts';
import type { LoopContext } from '../../../src/loop/context.ts';
import { publish } from '../../../src/loop/perform/publish.ts';

/** Returns how often something is pushed by a run of a fleet. */
async function pushesOf(isTakenOver: boolean): Promise<number> {
  let pushes = 0;
  const context = {
    config: Config.parse({ git: { push: 'on_done' } }),
    turns: { pushing: (work: () => Promise<void>) => work() },
    remoteWorkers: { isTakenOver: async () => isTakenOver, landings: () => [] },
    ports: {
      line: { current: async () => null },
      git: {
        push: async () => {
          pushes += 1;
          return null;
        },
      },
    },
  };
  await publish(context as unknown as LoopContext, { tasks: [], end: null });
  return pushes;
}

it('a run whose fleet another one has by now pushes nothing', async () => {
  expect(await pushesOf(false)).toBe(1);
  expect(await pushesOf(true)).toBe(0);
});
