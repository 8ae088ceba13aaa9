import { expect, it } from 'vitest';
import {
  advanceProfile,
  allDurations,
  durationsOn,
  emptyProfile,
  PROFILE_DURATIONS,
  PROFILE_WINDOW,
} from '../../../src/domain/records/profile.ts';

const outcome = {
  iteration: 1,
  noFiles: false,
  falseCompletion: false,
  filesChanged: 2,
  evidenceCount: 1,
  done: true,
  level: 'high',
  durationMs: 10,
  reinforcedAt: null,
  thresholdExceeded: false,
  suspend: null,
};

it('counts over the lifetime and looks back over the window', () => {
  let profile = emptyProfile('claude');
  for (let iteration = 1; iteration <= 60; iteration += 1) {
    profile = advanceProfile(profile, {
      ...outcome,
      iteration,
      noFiles: iteration <= 4,
      durationMs: iteration,
    });
  }
  expect(profile).toMatchObject({ totalIterations: 60, noFilesCount: 4, filesChanged: 120, doneCount: 60 });
  expect(profile.window).toHaveLength(PROFILE_WINDOW);
  expect(profile.window.map((one) => one.iteration)).toEqual([56, 57, 58, 59, 60]);
  const { attempts, durationsMs } = profile.levels.high ?? { attempts: 0, durationsMs: [] };
  expect([attempts, durationsMs.length, durationsMs.at(-1)]).toEqual([60, PROFILE_DURATIONS, 60]);
});

it('files no duration of an attempt that was cut short', () => {
  const profile = advanceProfile(emptyProfile('claude'), { ...outcome, done: false, durationMs: null });
  expect(profile.levels.high).toEqual({ attempts: 1, done: 0, durationsMs: [] });
});

it('files durations of workers by the class of their machines, apart from those of this one', () => {
  const made: [string | undefined, number][] = [
    [undefined, 1],
    ['2 x64', 9],
    ['16 arm64', 3],
    ['2 x64', 8],
  ];
  const profile = made.reduce(
    (known, [machine, durationMs]) => advanceProfile(known, { ...outcome, machine, durationMs }),
    emptyProfile('claude'),
  );
  const level = profile.levels.high;
  expect(level).toMatchObject({
    attempts: 4,
    durationsMs: [1],
    elsewhere: { '2 x64': [9, 8], '16 arm64': [3] },
  });
  expect([durationsOn(level, undefined), durationsOn(level, '2 x64'), durationsOn(level, '')]).toEqual([
    ...[[1], [9, 8], []],
  ]);
  expect(allDurations(level)).toEqual([1, 9, 8, 3]);
});

it('remembers the last reinforcement and the suspension', () => {
  const first = advanceProfile(emptyProfile('x'), {
    ...outcome,
    reinforcedAt: 't1',
    thresholdExceeded: true,
    suspend: 'why',
  });
  const second = advanceProfile(first, outcome);
  expect(second).toMatchObject({ lastReinforcement: 't1', thresholdExceeded: false, suspended: 'why' });
});
