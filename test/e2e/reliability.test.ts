/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { BIN } from '../helpers/cli.ts';
import { clockJumpTrial, timeZoneTrial } from '../helpers/clock-trial.ts';
import { canMount, fullDiskTrial } from '../helpers/crash/full-disk.ts';
import { killLoop } from '../helpers/crash/kill-loop.ts';
import { fileTargets, projectTargets } from '../helpers/damage/project-targets.ts';
import { storeTargets } from '../helpers/damage/store-targets.ts';
import { damageTrials, SMALL_VERSIONS } from '../helpers/damage/target.ts';
import { outputTrial } from '../helpers/output/output-trial.ts';
import { randomNumbers } from '../helpers/random-tree.ts';
import '../helpers/repository.ts';

// These are small doses of the rows of `npm run torture` that no other test covers (docs/internals/measuring.md).

describe.runIf(process.platform === 'linux')('a running loop that is killed', () => {
  // The third kind, `plain`, is in the torture run.
  it.each(['gates', 'commit'] as const)('loses nothing and continues: %s', async (kind) => {
    const { wrong } = await killLoop({ bin: BIN, kind, kills: 2, random: Math.random });
    expect(wrong).toEqual([]);
  });
});

it('a damaged file is never a crash and never a silent reset', async () => {
  const random = randomNumbers(1);
  const wrong: string[] = [];
  for (const target of [...storeTargets(), ...fileTargets(), ...projectTargets(BIN)])
    wrong.push(...(await damageTrials(target, 6, random, SMALL_VERSIONS)));
  expect(wrong).toEqual([]);
});

it('a clock that jumps makes no duration and no record wrong', async () => {
  expect(await clockJumpTrial('2026-10-25T00:59:59.500Z')).toEqual([]);
});

it('records are in UTC wherever it runs', () => {
  expect(timeZoneTrial(BIN, 'Asia/Kathmandu')).toEqual([]);
});

describe.runIf(canMount())('a full disk', () => {
  it.each([
    ['.ralph', 0],
    ['state home', 0],
    // This much space suffices to start the box of the gates.
    ['state home', 36],
    ['checkout', 0],
    // The disk is read-only.
    ['checkout', null],
  ] as const)(
    'refuses the run before the agent, and nothing is half-written: %s, %s KiB free',
    (place, freeKib) => {
      expect(fullDiskTrial(BIN, { place, freeKib }).wrong).toEqual([]);
    },
  );

  it('that the agent filled has space again once its copy is removed', () => {
    expect(fullDiskTrial(BIN, { place: 'checkout', freeKib: 0, agentFills: true }).wrong).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')(
  'all output is kept, whatever its size, and the claim behind it read',
  () => {
    expect(outputTrial(BIN, 4, 2).wrong).toEqual([]);
  },
);
