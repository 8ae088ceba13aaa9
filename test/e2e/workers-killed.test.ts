/** @module-tag rest */

import { expect, it } from 'vitest';
import { BIN } from '../helpers/cli.ts';
import { workersKills } from '../helpers/crash/workers-kill.ts';
import '../helpers/repository.ts';

// This is a small dose of `npm run torture -- workers`.

it.runIf(process.platform === 'linux')(
  'a run of four workers that is killed lands every task once, with its work',
  async () => {
    const { wrong, evicted } = await workersKills({ bin: BIN, kills: 5, random: Math.random });
    expect(wrong).toEqual([]);
    expect(evicted).toBeLessThanOrEqual(1);
  },
  // The test takes 40 s on a quiet machine, and asserts nothing about time.
  600_000,
);
