import { describe, expect, it } from 'vitest';
import { advanceProfile, emptyProfile } from '../../../src/domain/records/profile.ts';
import type { AgentProfile } from '../../../src/domain/records/state.ts';
import { checkThresholds } from '../../../src/respond/intervene/index.ts';

const SETTINGS: Parameters<typeof checkThresholds>[1] = {
  threshold_no_files: 3,
  threshold_false_completion: 2,
  aggressive_mode: false,
  enabled: true,
};

/** One letter an iteration: `n` no files, `f` false completion, `b` both, `.` neither. */
function profile(iterations: string): AgentProfile {
  return [...iterations].reduce(
    (before, letter, index) =>
      advanceProfile(before, {
        iteration: index + 1,
        noFiles: letter === 'n' || letter === 'b',
        falseCompletion: letter === 'f' || letter === 'b',
        filesChanged: 0,
        evidenceCount: 0,
        done: false,
        level: 'medium',
        durationMs: 1000,
        reinforcedAt: null,
        thresholdExceeded: false,
        suspend: null,
      }),
    emptyProfile('claude'),
  );
}

describe('checkThresholds', () => {
  it.each([
    ['', []],
    ['.....', []],
    ['nn', []],
    ['nnn', ['no_files 3/3']],
    ['n.n.n', ['no_files 3/5']],
    ['nnn..', ['no_files 3/5']],
    ['nnn...', []],
    ['f', []],
    ['ff', ['false_completion 2/2']],
    ['f...f', ['false_completion 2/5']],
    ['f....f', []],
    ['bb', ['false_completion 2/2']],
    ['bbb', ['no_files 3/3', 'false_completion 3/3']],
    ['nnnnnnnn', ['no_files 5/5']],
  ])('iterations "%s": %j', (iterations, expected) => {
    const { exceeded, suspend } = checkThresholds(profile(iterations), SETTINGS);
    expect(exceeded.map(({ which, count, window }) => `${which} ${count}/${window}`)).toEqual(expected);
    expect(suspend).toBeNull();
  });

  it('reports whether the newest iteration is one of those counted', () => {
    const current = (iterations: string) =>
      checkThresholds(profile(iterations), SETTINGS).exceeded.map((fact) => fact.current);
    expect(current('n.nn')).toEqual([true]);
    expect(current('nnn.')).toEqual([false]);
  });

  it('obeys the configured numbers', () => {
    expect(checkThresholds(profile('n'), { ...SETTINGS, threshold_no_files: 1 }).exceeded).toEqual([
      { which: 'no_files', count: 1, threshold: 1, window: 1, current: true },
    ]);
  });

  it('says nothing while interventions are switched off', () => {
    const settings = { ...SETTINGS, aggressive_mode: true, enabled: false };
    expect(checkThresholds(profile('bbbbb'), settings)).toEqual({ exceeded: [], suspend: null });
  });

  describe('with aggressive_mode', () => {
    const aggressive = { ...SETTINGS, aggressive_mode: true };

    it.each([
      ['nn', null],
      ['nnn', 'claude wrote no files in 3 of its last 3 iterations (threshold 3)'],
      ['nnn.', null],
      [
        'bbb',
        'claude wrote no files in 3 of its last 3 iterations (threshold 3) and claimed a false completion in 3 of its last 3 iterations (threshold 2)',
      ],
    ])('iterations "%s" suspend the agent: %s', (iterations, suspend) => {
      expect(checkThresholds(profile(iterations), aggressive).suspend).toBe(suspend);
    });
  });
});
