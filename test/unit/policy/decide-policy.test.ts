import { describe, expect, it } from 'vitest';
import { NO_COST, type PolicyFacts } from '../../../src/domain/policy.ts';
import { decidePolicy, qualityScore } from '../../../src/respond/policy/index.ts';
import { NO_POLICY } from '../../helpers/policy.ts';

const NEW = { taskId: 'T-2', current: false, level: 'medium', mean: null };
const CURRENT = { ...NEW, current: true };

function decided(more: Partial<PolicyFacts>, next: PolicyFacts['next'] = NEW) {
  const decision = decidePolicy({ ...NO_POLICY, ...more, next });
  return decision.kind === 'stop' ? decision.stop.kind : decision.kind;
}

const usd = (amount: number) => ({ ...NO_COST, usd: amount });

describe('the budget', () => {
  it.each([
    [9.49, NEW, 'continue'],
    [9.5, NEW, 'budget'],
    [9.5, CURRENT, 'continue'],
    [9.99, CURRENT, 'continue'],
    [10, CURRENT, 'budget'],
    [10, null, 'budget'],
    [9.5, null, 'budget'],
  ])('of $10, with $%f spent', (amount, next, kind) => {
    expect(decided({ limits: usd(10), spent: usd(amount) }, next)).toBe(kind);
  });

  it.each([
    ['covers the mean', 4, NEW, 'continue'],
    ['does not cover the mean', 4.01, NEW, 'budget'],
    ['is finished with all the same', 4.01, CURRENT, 'continue'],
  ])('%s', (_, mean, task, kind) => {
    expect(decided({ limits: usd(10), spent: usd(6) }, { ...task, mean: usd(mean) })).toBe(kind);
    // What is reserved for tasks of other workers counts as spent.
    expect(decided({ limits: usd(10), spent: usd(2), reserved: usd(4) }, { ...task, mean: usd(mean) })).toBe(
      kind,
    );
  });
});

describe('what other workers take', () => {
  it.each([
    ['leaves enough for a task of which nothing is known', 9.4, NEW, 'continue'],
    ['leaves nothing to another task', 9.5, NEW, 'budget'],
    ['lets one continue that has begun', 9.99, CURRENT, 'continue'],
    ['which would be ended at once with nothing left', 10, CURRENT, 'budget'],
  ])('%s', (_, reserved, task, kind) => {
    expect(decided({ limits: usd(10), spent: usd(0), reserved: usd(reserved) }, task)).toBe(kind);
  });
});

describe('checkpoints', () => {
  const at = (ms: number, done: number): Partial<PolicyFacts> => ({
    checkpoint: { ...NO_POLICY.checkpoint, ms, done },
  });
  it.each([
    [2_699_999, 2, 'continue'],
    [2_700_000, 0, 'checkpoint'],
    [0, 3, 'checkpoint'],
  ])('after %i ms and %i tasks', (ms, done, kind) => {
    expect(decided(at(ms, done))).toBe(kind);
  });

  it('are switched off by 0', () => {
    const checkpoint = { ...NO_POLICY.checkpoint, everyMs: 0, everyTasks: 0, ms: 1e9, done: 99 };
    expect(decided({ checkpoint })).toBe('continue');
  });

  it.each([
    ['at 80 %', 8, 'checkpoint'],
    ['above', 8.01, 'budget'],
  ])('stop %s of the budget', (_, amount, kind) => {
    const checkpoint = { ...NO_POLICY.checkpoint, done: 3 };
    expect(decided({ limits: usd(10), spent: usd(amount), checkpoint })).toBe(kind);
  });

  it('stop above 80 % of the budget when they are due alone', () => {
    expect(decided({ limits: usd(10), spent: usd(9) })).toBe('continue');
  });

  it.each([
    ['at 80 % of the first', 0.8, false],
    ['under', 0.799, true],
  ])('quality %s', (_, score, degrading) => {
    const quality = { first: { taskId: 'T-1', score: 1 }, last: { taskId: 'T-3', score } };
    const decision = decidePolicy({ ...NO_POLICY, ...at(0, 3), quality });
    expect(decision.kind).toBe(degrading ? 'stop' : 'checkpoint');
  });

  it('scores what was done in one clean attempt highest', () => {
    const best = { gatesAtFirstTry: true, attempts: 1, findings: 0, diffLines: 400 };
    expect(qualityScore(best)).toBeCloseTo(1);
    const worse = [{ gatesAtFirstTry: false }, { attempts: 2 }, { findings: 1 }, { diffLines: 401 }];
    for (const more of worse) expect(qualityScore({ ...best, ...more })).toBeLessThan(qualityScore(best));
  });

  it.each([
    ['a second attempt, with its finding', { gatesAtFirstTry: false, attempts: 2, findings: 1 }, false],
    ['a third attempt, with a finding of each', { gatesAtFirstTry: false, attempts: 3, findings: 2 }, true],
    ['a diff of 4,000 lines alone', { diffLines: 4000 }, false],
  ])('%s ends a run: %j → %j', (_, more, stops) => {
    const best = { gatesAtFirstTry: true, attempts: 1, findings: 0, diffLines: 10 };
    const quality = {
      first: { taskId: 'T-1', score: qualityScore(best) },
      last: { taskId: 'T-3', score: qualityScore({ ...best, ...more }) },
    };
    const { kind } = decidePolicy({ ...NO_POLICY, ...at(0, 3), quality });
    expect(kind).toBe(stops ? 'stop' : 'checkpoint');
  });
});

describe('the break', () => {
  const armed = (hard: boolean) => ({
    armed: { kind: 'same_findings' as const, hard, taskId: 'T-2', reason: 'because', unresolved: [] },
  });
  it.each([
    ['hard, at once', true, CURRENT, 'break'],
    ['soft, not before the task is finished', false, CURRENT, 'continue'],
    ['soft, then', false, NEW, 'break'],
    ['soft, with another task in progress', false, { ...CURRENT, taskId: 'T-3' }, 'break'],
    ['soft, with nothing left', false, null, 'break'],
  ])('%s', (_, hard, next, kind) => {
    expect(decided(armed(hard), next)).toBe(kind);
  });

  it('comes after the budget', () => {
    expect(decided({ ...armed(true), limits: usd(1), spent: usd(1) })).toBe('budget');
  });
});
