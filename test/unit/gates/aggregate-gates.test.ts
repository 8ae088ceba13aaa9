import { describe, expect, it } from 'vitest';
import { aggregateGates } from '../../../src/proof/gates/index.ts';
import { baseline, FAILED, MISSING, PASSED, result, SKIPPED, TIMED_OUT } from './inputs.ts';

describe('aggregateGates', () => {
  it.each([
    ['passed → passes', PASSED, PASSED, false, 'passed', 'passed'],
    ['failed → passes', FAILED, PASSED, false, 'fixed', 'passed'],
    ['timed out → passes', TIMED_OUT, PASSED, false, 'fixed', 'passed'],
    ['passed → fails', PASSED, FAILED, false, 'regression', 'failed'],
    ['passed → times out', PASSED, TIMED_OUT, false, 'regression', 'failed'],
    ['failed → fails', FAILED, FAILED, false, 'failed_before', 'passed'],
    ['timed out → fails', TIMED_OUT, FAILED, false, 'failed_before', 'passed'],
    ['failed → times out', FAILED, TIMED_OUT, false, 'failed_before', 'passed'],
    ['failed → fails, required', FAILED, FAILED, true, 'required_failed', 'failed'],
    ['passed → fails, required', PASSED, FAILED, true, 'regression', 'failed'],
    ['unknown → passes', null, PASSED, false, 'passed', 'passed'],
    ['unknown → fails', null, FAILED, false, 'regression', 'failed'],
    ['no tool → fails', MISSING, FAILED, false, 'regression', 'failed'],
    ['passed → no tool', PASSED, MISSING, false, 'regression', 'failed'],
    ['failed → no tool', FAILED, MISSING, false, 'tool_missing', 'none'],
    ['no tool → no tool', MISSING, MISSING, false, 'tool_missing', 'none'],
    ['no tool → no tool, required', MISSING, MISSING, true, 'required_failed', 'failed'],
    ['unknown → no tool, required', null, MISSING, true, 'required_failed', 'failed'],
    ['failed → no tool, required', FAILED, MISSING, true, 'required_failed', 'failed'],
    ['unknown → no tool', null, MISSING, false, 'tool_missing', 'none'],
    ['passed → skipped', PASSED, SKIPPED, true, 'skipped', 'none'],
  ] as const)('%s', (_, before, after, required, expected, status) => {
    const report = aggregateGates(
      [result('test', after)],
      before === null ? baseline({}) : baseline({ test: before }),
      { required: required ? ['test'] : [], changes: [], notGreen: [], dead: [], down: [] },
    );
    expect(report).toEqual({
      status,
      judgements: [
        { name: 'test', outcome: after, standing: expected, counts: status === 'failed', why: null },
      ],
    });
  });

  it('has nothing to say when nothing ran', () => {
    expect(
      aggregateGates([], null, { required: ['test'], changes: [], notGreen: [], dead: [], down: [] }),
    ).toEqual({
      status: 'none',
      judgements: [],
    });
  });

  it('without any baseline holds every failure against the attempt', () => {
    expect(
      aggregateGates([result('test', FAILED)], null, {
        required: [],
        changes: [],
        notGreen: [],
        dead: [],
        down: [],
      }).status,
    ).toBe('failed');
  });

  it('fails by one that counts among others that do not', () => {
    const results = [result('old', FAILED), result('new', FAILED), result('fine', PASSED)];
    const report = aggregateGates(results, baseline({ old: FAILED, new: PASSED, fine: PASSED }), {
      required: [],
      changes: [],
      notGreen: [],
      dead: [],
      down: [],
    });
    expect(report.status).toBe('failed');
    expect(report.judgements.filter(({ counts }) => counts).map(({ name }) => name)).toEqual(['new']);
  });

  it('holds nothing against the attempt of a gate that fails without the work, too', () => {
    const settings = { required: ['test'], changes: [], notGreen: [], dead: [], down: ['test'] };
    const report = aggregateGates([result('test', FAILED)], baseline({ test: PASSED }), settings);
    expect(report).toMatchObject({ status: 'passed', judgements: [{ standing: 'down', counts: false }] });
  });

  it('is not misled by a gate named like a property of objects', () => {
    expect(
      aggregateGates([result('constructor', FAILED)], baseline({}), {
        required: [],
        changes: [],
        notGreen: [],
        dead: [],
        down: [],
      }).judgements[0]?.standing,
    ).toBe('regression');
  });
});
