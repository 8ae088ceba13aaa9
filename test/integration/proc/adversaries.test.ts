/** @module-tag slow */

import { beforeAll, describe, expect, it } from 'vitest';
import { ADVERSARIES, type Adversary, AGENT_DRIVER, runTrial } from '../../helpers/adversaries/trial.ts';
import { bundle } from '../../helpers/bundle.ts';

let driver = '';
beforeAll(async () => {
  driver = await bundle(AGENT_DRIVER);
});

describe.runIf(process.platform === 'linux')('the sub-reaper ends every adversary', () => {
  it.each(ADVERSARIES)('%s after a timeout', async (adversary) => {
    const result = await runTrial({ adversary, ending: 'timeout' });
    expect(result).toMatchObject({ alive: 0, end: { kind: 'timed_out', which: 'wall' } });
  });

  it.each(['ignore-term', 'leak-setsid', 'daemon-clear-env', 'self-stop'] as const)(
    '%s after a polite stop',
    async (adversary) => {
      const result = await runTrial({ adversary, ending: 'stop' });
      expect(result).toMatchObject({
        alive: 0,
        end: { kind: 'interrupted', signal: 'SIGINT', forced: false },
      });
    },
  );

  it.each(ADVERSARIES)('%s after a forced stop', async (adversary) => {
    const result = await runTrial({ adversary, ending: 'forced' });
    expect(result).toMatchObject({ alive: 0, end: { kind: 'interrupted', forced: true } });
  });

  it.each(ADVERSARIES)('%s after the main process has ended', async (adversary) => {
    const result = await runTrial({ adversary, ending: 'exit' });
    expect(result).toMatchObject({ alive: 0, end: { kind: 'exited', code: 0 } });
    expect(result.leftBehind).toBeGreaterThan(0);
  });

  it.each([...ADVERSARIES, 'stop-supervisor'] as const)('%s when ralph is killed', async (adversary) => {
    expect(await runTrial({ adversary, ending: 'killed', driver })).toMatchObject({ alive: 0 });
  });
});

/** Without a sub-reaper: who is a daemon with a cleared environment, or hops faster than one can look, may escape. */
const FOLLOWED: readonly Adversary[] = [
  'plain',
  'ignore-term',
  'setsid',
  'daemon',
  'leak-setsid',
  'leak-group',
  'clear-env',
  'self-stop',
];

describe.runIf(process.platform === 'linux')('the group scan ends', () => {
  it.each(FOLLOWED)('%s after a timeout', async (adversary) => {
    const result = await runTrial({ adversary, ending: 'timeout', supervision: 'group-scan' });
    expect(result).toMatchObject({ alive: 0, end: { kind: 'timed_out' } });
  });
  it.each(FOLLOWED.filter((kind) => kind !== 'clear-env'))(
    '%s after the main process has ended',
    async (adversary) => {
      const result = await runTrial({ adversary, ending: 'exit', supervision: 'group-scan' });
      expect(result).toMatchObject({ alive: 0, end: { kind: 'exited', code: 0 } });
      expect(result.leftBehind).toBeGreaterThan(0);
    },
  );
});
