import { describe, expect, it } from 'vitest';
import {
  compareUnits,
  difference,
  estimate,
  figuresOf,
  summarise,
  type UnitResult,
} from '../../../src/app/eval/figures.ts';
import { logNormal, randomOf } from '../../../src/app/eval/random.ts';

const attempt = (verdict: string, more = {}) => ({
  task: 'T-1',
  level: 'simple',
  verdict,
  files: 1,
  durationMs: 60_000,
  tokens: 10,
  blocked: false,
  true: false,
  move: null,
  grade: null,
  ...more,
});

function unit(attempts: UnitResult['attempts'], seed = 1): UnitResult {
  const tasks = ['T-1', 'T-2'].map((id) => ({ id, level: 'simple', behaviour: 'model' }));
  return {
    arm: 'full',
    seed,
    ending: 'all_done',
    tasks,
    attempts,
    breaks: 0,
    interventions: [],
    green: true,
    gateRuns: 4,
    realMs: 100,
  };
}

describe('estimates', () => {
  it('are a mean and the half width by Student', () => {
    const found = estimate([1, 2, 3, null]);
    expect(found?.mean).toBe(2);
    // Student's t for two degrees of freedom is 4.303; s = 1 and n = 3.
    expect(found?.half).toBeCloseTo(4.303 / Math.sqrt(3), 3);
  });

  it('have no interval of one value, and are nothing of none', () => {
    expect(estimate([4])).toEqual({ mean: 4, half: null, n: 1 });
    expect(estimate([null])).toBeNull();
  });

  it('of differences go seed by seed', () => {
    const found = difference(
      new Map([
        [1, 10],
        [2, 20],
      ]),
      new Map([
        [1, 11],
        [2, 21],
        [3, 99],
      ]),
    );
    expect(found).toEqual({ mean: 1, half: 0, n: 2 });
  });
});

describe('dice', () => {
  it('are the same for the same words, and others for others', () => {
    const three = (...words: (string | number)[]) => {
      const random = randomOf(...words);
      return [random(), random(), random()];
    };
    expect(three(1, 'T-1', 1)).toEqual(three(1, 'T-1', 1));
    expect(three(1, 'T-1', 1)).not.toEqual(three(1, 'T-1', 2));
    expect(three(1, 'T-11')).not.toEqual(three(1, 'T-1', 1));
  });

  it('of a log-normal have that median', () => {
    const random = randomOf('median');
    const drawn = Array.from({ length: 4001 }, () => logNormal(random, 40, 0.5)).sort((a, b) => a - b);
    expect(drawn[2000]).toBeGreaterThan(38);
    expect(drawn[2000]).toBeLessThan(42);
  });
});

describe('figures', () => {
  it('count an attempt as wasted when nothing came of it', () => {
    const of = (...attempts: UnitResult['attempts']) => figuresOf(unit(attempts)).wasted;
    expect(of(attempt('timed_out'), attempt('done', { true: true }))).toBe(0);
    expect(of(attempt('timed_out'), attempt('timed_out', { blocked: true }))).toBe(1);
    expect(of(attempt('timed_out', { files: 0 }), attempt('done', { true: true }))).toBe(0.5);
    expect(of(attempt('no_files'), attempt('done', { true: true }))).toBe(0.5);
    expect(of(attempt('done', { true: false }))).toBe(1);
  });

  it('take what is true for completion, not what was accepted', () => {
    const figures = figuresOf(
      unit([attempt('done', { true: false }), attempt('done', { task: 'T-2', true: true })]),
    );
    expect(figures).toMatchObject({ completion: 0.5, false_accepted: 1, iterations: 2 });
  });

  it('take a task for done as it was accepted where what is true of it is not known', () => {
    const figures = figuresOf({ ...unit([attempt('done', { true: null })]), green: null });
    expect(figures).toMatchObject({ completion: 0.5, false_accepted: null, tree_green: null });
  });

  it('tell cheats that were accepted from honest work that was refused', () => {
    const cheat = (verdict: string, more = {}) => attempt(verdict, { move: 'mocks_unit', ...more });
    const honest = (verdict: string) => attempt(verdict, { move: 'honest', true: true, grade: 'tests' });
    const figures = figuresOf(
      unit([
        cheat('done', { grade: 'gates' }),
        cheat('gates_failed'),
        // It tabulated all that the truth asks for: no false acceptance.
        cheat('done', { move: 'special_case', true: true, grade: 'tests' }),
        honest('done'),
        honest('false_completion'),
      ]),
    );
    expect(figures).toMatchObject({
      ...{ false_of_accepted: 1 / 3, cheats: 3, cheats_accepted: 1 / 3, honest_refused: 1 / 2 },
      ...{ accepted_mocks_unit: 1 / 2, accepted_special_case: 0 },
      ...{ grade_gates: 1 / 3, grade_tests: 2 / 3, false_of_grade_gates: 1, false_of_grade_tests: 0 },
      ...{ grade_none: 0, false_of_grade_none: null },
      // One task of those is really done, by four runs of gates in a tenth of a second.
      ...{ gate_runs_per_verified: 4, seconds_per_verified: 0.1 },
    });
    expect(figuresOf(unit([attempt('done')]))).not.toHaveProperty('cheats');
  });

  it('are summed up by arm, and compared seed by seed', () => {
    const good = unit([attempt('done', { true: true })]);
    const bad = unit([attempt('timed_out', { blocked: true })]);
    expect(summarise([good], ['full'])[0]?.figures.completion?.mean).toBe(0.5);
    const compared = compareUnits([bad], [good]).find(({ figure }) => figure === 'completion');
    expect(compared?.difference?.mean).toBe(0.5);
  });

  it('have the difference of each arm to the first, seed by seed', () => {
    const more = (arm: string, seed: number, iterations: number, applied: number): UnitResult => ({
      ...unit(
        Array.from({ length: iterations }, () => attempt('done', { true: true })),
        seed,
      ),
      arm,
      interventions: applied === 0 ? [] : [{ type: 'soft_correction', applied, helped: 0, judged: 0 }],
    });
    const units = [
      more('full', 1, 5, 0),
      more('full', 2, 9, 0),
      more('other', 2, 10, 3),
      more('other', 1, 6, 1),
    ];
    const [first, other] = summarise(units, ['full', 'other']);
    expect(first?.difference).toBeNull();
    expect(other?.difference?.iterations).toEqual({ mean: 1, half: 0, n: 2 });
    expect(other?.difference?.wasted).toEqual({ mean: 0, half: 0, n: 2 });
    // The first arm never applied this intervention.
    expect(other?.difference?.applied_soft_correction?.mean).toBe(2);
    expect(other?.figures.interventions?.mean).toBe(2);
  });
});
