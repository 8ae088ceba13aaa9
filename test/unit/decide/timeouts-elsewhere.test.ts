import { EMPTY_TASK } from 'ralph-task-lists/task';
import { expect, it } from 'vitest';
import { timeoutFor, timeoutsElsewhere } from '../../../src/decide/index.ts';
import { advanceProfile, emptyProfile } from '../../../src/domain/records/profile.ts';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';

import { settingsOf } from '../timing/settings.ts';

const TASK = { ...EMPTY_TASK, id: 'T-1', title: 'Task', complexity: 'medium' };
const outcome = {
  ...{ iteration: 1, noFiles: false, falseCompletion: false, filesChanged: 1, evidenceCount: 1, done: true },
  ...{ level: 'medium', reinforcedAt: null, thresholdExceeded: false, suspend: null },
};
/** A profile after `count` attempts of so many minutes on machines of these classes. */
const profileOf = (
  made: readonly (readonly [machine: string | undefined, minutes: number, count: number])[],
) =>
  made
    .flatMap(([machine, minutes, count]) => Array.from({ length: count }, () => ({ machine, minutes })))
    .reduce(
      (known, { machine, minutes }) =>
        advanceProfile(known, { ...outcome, machine, durationMs: minutes * 60_000 }),
      emptyProfile('a'),
    );

it('gives slow machines the time that they need, and fast ones no more than before', () => {
  const options = {
    ...{ task: TASK, taskState: EMPTY_TASK_STATE, settings: settingsOf() },
    mode: { name: 'speed', timeoutSeconds: 120 },
  };
  const on = (machine: string | undefined, profile: ReturnType<typeof profileOf>) =>
    timeoutFor({ ...options, profile, machine }).seconds;
  const fresh = on(undefined, emptyProfile('a'));
  const profile = profileOf([
    ['2 x64', 12, 5],
    ['16 arm64', 1, 5],
    // These attempts are too few to learn a time limit from.
    ['8 x64', 12, 4],
  ]);
  // The learned limit is 1.25 times the 90th percentile.
  expect(timeoutsElsewhere({ ...options, profile })).toEqual({
    ...{ '2 x64': 900, '16 arm64': fresh, '8 x64': fresh },
  });
  expect([on(undefined, profile), on('', profile), on('4 x64', profile)]).toEqual([fresh, fresh, fresh]);
  // What this machine took says nothing about workers elsewhere.
  const here = profileOf([[undefined, 12, 5]]);
  expect([on(undefined, here), on('', here)]).toEqual([900, fresh]);
  expect(timeoutsElsewhere({ ...options, profile: here })).toEqual({});
});
