/** @module-tag rest */

import { expect, it } from 'vitest';
import { BIN } from '../helpers/cli.ts';
import { workersKills } from '../helpers/crash/workers-kill.ts';
import '../helpers/repository.ts';

// A small dose of `npm run torture -- workers`.

it.runIf(process.platform === 'linux')(
  'a run of four workers that is killed lands every task once, with its work',
  async () => {
    const { wrong, evicted } = await workersKills({ bin: BIN, kills: 5, random: Math.random });
    expect(wrong).toEqual([]);
    expect(evicted).toBeLessThanOrEqual(1);
  },
  // 40 s on a quiet machine; nothing in it is about time.
  600_000,
);
