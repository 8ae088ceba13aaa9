import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { type Attempt, detectFindings, streamIssues } from '../../../src/proof/findings/index.ts';
import { attempt, FAILED, judgement } from './facts.ts';
import { earlier, observed } from './seen.ts';

function found(rest: Partial<Attempt>) {
  return detectFindings(attempt(rest)).find(({ type }) => type === 'repetitive_errors');
}

const errors = (...counts: number[]) =>
  observed({
    errors: counts.map((count, index) => ({
      ...{ tool: 'Edit', error: `<path>: not found ${index}`, count },
      ...{ line: `src/a.ts: not found ${index}`, path: 'src/a.ts' },
    })),
  });
const failedBefore = (times: number, rest = {}) =>
  Array.from({ length: times }, () => earlier({ failedGates: ['test'], ...rest }));

describe('the same error in one attempt', () => {
  it.each([
    [[3], 'low'],
    [[4], 'medium'],
    [[5, 3], 'medium'],
    [[6], 'high'],
    [[60, 2, 1], 'high'],
  ])('%j times is %s', (counts, severity) => {
    expect(found({ observed: errors(...counts) })).toMatchObject({
      severity,
      confidence: 0.9,
      impactFactor: 0.2,
    });
  });

  it.each([[[]], [[1]], [[2]], [[2, 2, 2, 2]]])("%j times doesn't count", (counts) => {
    expect(found({ observed: errors(...counts) })).toBeUndefined();
  });

  it('says which and how often', () => {
    const { summary, details } = found({ observed: errors(4, 2) }) ?? {};
    expect(summary).toBe('The same step keeps failing: Edit 4 times with "src/a.ts: not found 0".');
    expect(details).toEqual({
      errors: [
        {
          ...{ tool: 'Edit', error: '<path>: not found 0', count: 4 },
          ...{ line: 'src/a.ts: not found 0', path: 'src/a.ts' },
        },
      ],
      gates: [],
    });
  });

  it('can be told while the attempt continues', () => {
    expect(streamIssues(errors(3), EMPTY_TASK)).toMatchObject([
      { type: 'repetitive_errors', severity: 'low' },
    ]);
    expect(streamIssues(errors(2), EMPTY_TASK)).toEqual([]);
  });
});

describe('the same gate in attempts in a row', () => {
  it.each([
    [2, 'low'],
    [3, 'medium'],
    [4, 'high'],
    [9, 'high'],
  ])('%d is %s', (attempts, severity) => {
    const one = found({ gateReport: FAILED, history: failedBefore(attempts - 1) });
    expect(one).toMatchObject({ severity, details: { gates: [{ gate: 'test', attempts }] } });
    expect(one?.summary).toContain(`gate "test" failed in ${attempts} attempts in a row`);
  });

  it('has the line and the place of its error', () => {
    const outputTail = 'ran 3 tests\nAssertionError: expected 1 to be 2\n ❯ test/sum.test.ts:12:5\n';
    const gates = [
      {
        name: 'test',
        outcome: { kind: 'failed' as const, exitCode: 1, signal: null },
        durationMs: 1,
        outputTail,
        results: null,
        rewrote: [],
      },
    ];
    const one = found({ gateReport: FAILED, gates, history: failedBefore(1) });
    expect(one?.details.gates).toEqual([
      { gate: 'test', attempts: 2, line: 'AssertionError: expected 1 to be 2', path: 'test/sum.test.ts:12' },
    ]);
  });

  it('is not broken by an attempt that was cut short from outside', () => {
    const history = [...failedBefore(1), earlier({ verdict: 'rate_limited' })];
    expect(found({ gateReport: FAILED, history })).toMatchObject({ severity: 'low' });
  });

  it.each<[string, Partial<Attempt>]>([
    ['the first failure', { gateReport: FAILED, history: [] }],
    ['another gate failed before', { gateReport: FAILED, history: [earlier({ failedGates: ['lint'] })] }],
    [
      'it passed in between',
      { gateReport: FAILED, history: [...failedBefore(2), earlier({ verdict: 'progress' })] },
    ],
    ['it passes now', { history: failedBefore(3) }],
    [
      'it failed at the baseline already',
      {
        gateReport: { status: 'passed', judgements: [judgement('test', 'failed_before')] },
        history: failedBefore(3),
      },
    ],
    [
      'its tool is missing',
      {
        gateReport: {
          status: 'failed',
          judgements: [
            { ...judgement('test', 'regression'), outcome: { kind: 'tool_missing', tool: 'pytest' } },
          ],
        },
        history: failedBefore(3),
      },
    ],
    ['nothing was seen before', { gateReport: FAILED }],
  ])('not when %s', (_, rest) => {
    expect(found(rest)).toBeUndefined();
  });

  it('takes the higher severity of errors and gates', () => {
    expect(found({ gateReport: FAILED, history: failedBefore(1), observed: errors(6) })?.severity).toBe(
      'high',
    );
    expect(found({ gateReport: FAILED, history: failedBefore(2), observed: errors(3) })?.severity).toBe(
      'medium',
    );
  });
});
