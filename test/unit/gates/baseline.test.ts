import { describe, expect, it } from 'vitest';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import { NOT_TRIED } from '../../../src/domain/gate.ts';
import { gatesForBaseline, nextBaseline } from '../../../src/proof/gates/index.ts';
import { baseline, FAILED, MISSING, PASSED, result, SKIPPED, spec } from './inputs.ts';

const TEST = spec('test');
const KNOWN = baseline({ test: PASSED }, { commands: { test: 'run test' } });

describe('gatesForBaseline', () => {
  const LINT = spec('lint');
  it.each([
    ['none yet', null, 'tree-1', [TEST], ['test']],
    ['all known and the same tree', KNOWN, 'tree-1', [TEST], []],
    ['another tree', KNOWN, 'tree-2', [TEST], ['test']],
    ['a new gate', KNOWN, 'tree-1', [TEST, LINT], ['test', 'lint']],
    ['another command', KNOWN, 'tree-1', [{ ...TEST, run: 'other' }], ['test']],
    ['a gate that is gone', KNOWN, 'tree-1', [], []],
    ['no gates at all', null, 'tree-1', [], []],
  ] as const)('%s', (_, previous, tree, specs, wanted) => {
    expect(gatesForBaseline(previous, tree, specs).map(({ name }) => name)).toEqual(wanted);
  });
});

describe('nextBaseline', () => {
  const next = (previous: GateOutcome | null, now: GateOutcome | null, run = 'run test') =>
    nextBaseline({
      previous: previous === null ? null : baseline({ test: previous }, { commands: { test: 'run test' } }),
      specs: [{ ...TEST, run }],
      fresh: now === null ? [] : [result('test', now)],
      tree: 'tree-2',
      at: '2026-01-21T10:00:00.000Z',
      sources: {},
    });

  it.each([
    ['first results stand', null, FAILED, FAILED],
    ['newer results replace older ones', FAILED, PASSED, PASSED],
    ['a break counts as well: the tree is a verified one', PASSED, FAILED, FAILED],
    ['a gate that did not run keeps its standing', PASSED, null, PASSED],
    ['a gate that was skipped keeps its standing', FAILED, SKIPPED, FAILED],
    ['a tool that is missing now forgets nothing', PASSED, MISSING, PASSED],
    ['a tool that was always missing', null, MISSING, MISSING],
    ['nothing known, nothing run', null, null, undefined],
  ] as const)('%s', (_, previous, now, expected) => {
    expect(next(previous, now).outcomes.test).toEqual(expected);
  });

  it('forgets what another command said', () => {
    expect(next(PASSED, null, 'other').outcomes).toEqual({});
    expect(next(PASSED, FAILED, 'other').outcomes).toEqual({ test: FAILED });
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
      }),
    ).toEqual({
      ...NOT_TRIED,
      tree: 'tree-2',
      takenAt: '2026-01-21T10:00:00.000Z',
      outcomes: { test: PASSED },
      results: {},
      commands: { test: 'run test' },
      sources: {},
    });
  });
});
