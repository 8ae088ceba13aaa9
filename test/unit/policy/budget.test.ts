import { describe, expect, it } from 'vitest';
import { budgetShare, type Cost, NO_COST } from '../../../src/domain/policy.ts';
import {
  budgetLeft,
  budgetStep,
  cheaperModel,
  coveredAtOnce,
  DOWNGRADE_MAKER,
  isSpentWith,
  notCovered,
} from '../../../src/respond/policy/index.ts';

const LIMITS: Cost = { usd: 20, tokens: 1_000_000, iterations: 100, ms: 3_600_000 };

describe('the steps of a budget', () => {
  const rows: [share: number, step: string][] = [
    [0, 'none'],
    [0.49, 'none'],
    [0.5, 'warn'],
    [0.79, 'warn'],
    [0.8, 'downgrade'],
    [0.94, 'downgrade'],
    [0.95, 'finish'],
    [0.99, 'finish'],
    [1, 'stop'],
    [3, 'stop'],
  ];
  for (const by of ['usd', 'tokens', 'iterations', 'ms'] as const) {
    it.each(rows)(`${by}: %f of it asks for: %s`, (share, step) => {
      const limits = { ...NO_COST, [by]: 100 };
      expect(budgetStep(limits, { ...NO_COST, [by]: share * 100 })).toBe(step);
    });
  }

  it('goes by the limit that is nearest to its end', () => {
    const spent = { usd: 1, tokens: 950_000, iterations: 60, ms: 0 };
    expect(budgetShare(LIMITS, spent)).toEqual({ share: 0.95, by: 'tokens' });
    expect(budgetStep(LIMITS, spent)).toBe('finish');
  });

  it('has no step without a limit', () => {
    expect(budgetStep(NO_COST, { ...LIMITS })).toBe('none');
    expect(budgetShare(NO_COST, LIMITS)).toBeNull();
  });
});

describe('what is left of a budget', () => {
  it('is never less than nothing, and unknown without a limit', () => {
    expect(budgetLeft({ ...NO_COST, usd: 5 }, { ...NO_COST, usd: 7 })).toEqual({
      usd: 0,
      tokens: null,
      iterations: null,
      ms: null,
    });
  });

  it.each([
    ['just covers', 5, null],
    ['is a cent short of', 5.01, 'usd'],
  ])('%s another task', (_, usd, by) => {
    expect(notCovered({ ...NO_COST, usd: 20 }, { ...NO_COST, usd: 15 }, { ...NO_COST, usd, tokens: 9 })).toBe(
      by,
    );
  });

  it('covers a task of which nothing is known', () => {
    expect(notCovered({ ...NO_COST, usd: 20 }, { ...NO_COST, usd: 19 }, null)).toBeNull();
  });
});

describe('agents at the same time', () => {
  it.each([
    ['all where there is no limit', NO_COST, { usd: 3, tokens: 9 }, Number.POSITIVE_INFINITY],
    ['all where nothing was used', LIMITS, { usd: 0, tokens: 0 }, Number.POSITIVE_INFINITY],
    ['as many as are just covered', LIMITS, { usd: 2.5, tokens: 0 }, 4],
    ['one less just above', LIMITS, { usd: 2.51, tokens: 0 }, 3],
    ['by the limit that is nearest', LIMITS, { usd: 2.5, tokens: 250_000 }, 2],
    ['one, however little is left', LIMITS, { usd: 15, tokens: 0 }, 1],
  ])('%s', (_, limits, one, most) => {
    expect(coveredAtOnce(limits, { ...NO_COST, usd: 10, tokens: 500_000 }, one)).toBe(most);
  });
});

describe('the cheaper model', () => {
  it.each([
    [0.79, 0.8, null],
    [0.8, 0.8, 'small'],
    [0.89, DOWNGRADE_MAKER, null],
    [0.9, DOWNGRADE_MAKER, 'small'],
  ])('at %f of the budget, used from %f on: %s', (share, from, model) => {
    expect(cheaperModel({ ...NO_COST, usd: 1 }, { ...NO_COST, usd: share }, 'small', from)).toBe(model);
  });
});

describe('an attempt in progress', () => {
  it.each([
    [49_999, null],
    [50_000, 'tokens'],
  ])('with %i tokens', (tokens, by) => {
    expect(isSpentWith(LIMITS, { ...NO_COST, tokens: 950_000 }, { tokens })).toBe(by);
  });

  it('is not ended by what it has no part in', () => {
    expect(isSpentWith(LIMITS, { ...NO_COST, iterations: 100 }, { tokens: 1 })).toBeNull();
  });
});
