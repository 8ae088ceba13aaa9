import { describe, expect, it } from 'vitest';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import { aggregateGates, heldGates, needsBaseline, nextBaseline } from '../../../src/gates/index.ts';
import { attemptSummary } from '../../helpers/facts.ts';
import { baseline, FAILED, MISSING, PASSED, result, SKIPPED, spec } from './inputs.ts';

const TEST = spec('test');
const KNOWN = baseline({ test: PASSED }, { commands: { test: 'run test' } });

describe('needsBaseline', () => {
  it.each([
    ['none yet', null, 'tree-1', [TEST], 'no baseline yet'],
    ['all known and the same tree', KNOWN, 'tree-1', [TEST], null],
    ['another tree', KNOWN, 'tree-2', [TEST], 'the work tree changed since ralph last looked'],
    ['a new gate', KNOWN, 'tree-1', [TEST, spec('lint')], 'gates new or changed: lint'],
    ['another command', KNOWN, 'tree-1', [{ ...TEST, run: 'other' }], 'gates new or changed: test'],
    ['a gate that is gone', KNOWN, 'tree-1', [], null],
    ['a record without commands', baseline({ test: PASSED }), 'tree-1', [TEST], null],
    ['no gates at all', null, 'tree-1', [], null],
  ] as const)('%s', (_, previous, tree, specs, reason) => {
    expect(needsBaseline(previous, tree, specs)).toEqual(
      reason === null ? { needed: false } : { needed: true, reason },
    );
  });
});

describe('nextBaseline', () => {
  const next = (
    previous: GateOutcome | null,
    now: GateOutcome | null,
    heldPassed: readonly string[] = [],
    run = 'run test',
  ) =>
    nextBaseline({
      previous: previous === null ? null : baseline({ test: previous }, { commands: { test: 'run test' } }),
      specs: [{ ...TEST, run }],
      fresh: now === null ? [] : [result('test', now)],
      tree: 'tree-2',
      at: '2026-01-21T10:00:00.000Z',
      sources: {},
      heldPassed,
    });

  it.each([
    ['first results stand', null, FAILED, [], FAILED],
    ['newer results replace older ones', FAILED, PASSED, [], PASSED],
    ['a break that is not held is accepted', PASSED, FAILED, [], FAILED],
    ['a break that is held stays passed', PASSED, FAILED, ['test'], PASSED],
    ['a break of a gate unknown before is held too', null, FAILED, ['test'], PASSED],
    ['what failed before is not turned into passed', FAILED, FAILED, ['test'], FAILED],
    ['what was fixed is passed, held or not', FAILED, PASSED, ['test'], PASSED],
    ['a gate that did not run keeps its standing', PASSED, null, [], PASSED],
    ['a gate that was skipped keeps its standing', FAILED, SKIPPED, [], FAILED],
    ['a tool that is missing now forgets nothing', PASSED, MISSING, [], PASSED],
    ['a tool that was always missing', null, MISSING, [], MISSING],
    ['nothing known, nothing run', null, null, [], undefined],
  ] as const)('%s', (_, previous, now, held, expected) => {
    expect(next(previous, now, held).outcomes.test).toEqual(expected);
  });

  it('forgets what another command said, held or not', () => {
    expect(next(PASSED, null, [], 'other').outcomes).toEqual({});
    expect(next(PASSED, FAILED, ['test'], 'other').outcomes).toEqual({ test: FAILED });
  });

  it('forgets gates that are no longer configured, and notes tree, time and commands', () => {
    const previous = baseline({ gone: FAILED });
    expect(
      nextBaseline({
        previous,
        specs: [TEST],
        fresh: [result('gone', FAILED), result('test', PASSED)],
        tree: 'tree-2',
        at: '2026-01-21T10:00:00.000Z',
        sources: {},
        heldPassed: [],
      }),
    ).toEqual({
      tree: 'tree-2',
      takenAt: '2026-01-21T10:00:00.000Z',
      outcomes: { test: PASSED },
      commands: { test: 'run test' },
      sources: {},
    });
  });

  it('does not forgive a break that an unfinished attempt left behind', () => {
    const after = next(PASSED, FAILED, ['test']);
    expect(aggregateGates([result('test', FAILED)], after, { required: [], changes: [] }).status).toBe(
      'failed',
    );
    expect(needsBaseline(after, 'tree-2', [TEST])).toEqual({ needed: false });
  });
});

describe('heldGates', () => {
  const attempt = (failedGates: string[]) => attemptSummary({ verdict: 'gates_failed', failedGates });

  it('names each gate once, also when a later attempt ran none', () => {
    const attempts = [attempt(['test', 'lint']), attempt(['test']), attempt([])];
    expect(heldGates({ ...EMPTY_TASK_STATE, attempts })).toEqual(['lint', 'test']);
  });

  it('remembers the series before the last unblocking', () => {
    const series = (gate: string) => ({
      at: '2026-01-20T11:00:00.000Z',
      reason: 'try again',
      blockReason: 'gate_failed' as const,
      attempts: [attempt([gate])],
      strategy: null,
      automatic: false,
    });
    const state = { ...EMPTY_TASK_STATE, history: [series('old'), series('test')] };
    expect(heldGates(state)).toEqual(['test']);
  });

  it('is empty for a task that was never attempted', () => {
    expect(heldGates(EMPTY_TASK_STATE)).toEqual([]);
  });
});
