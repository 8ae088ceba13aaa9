import { describe, expect, it } from 'vitest';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import { canaryBefore, isOfAgentsCopy, NOT_TRIED, runBefore } from '../../../src/domain/gate-baseline.ts';
import { gatesForBaseline, nextBaseline } from '../../../src/proof/gates/index.ts';
import { commandRun } from '../../helpers/facts.ts';
import { baseline, FAILED, MISSING, PASSED, SKIPPED, spec } from './inputs.ts';

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
      newRuns: now === null ? [] : [commandRun({ name: 'test', outcome: now })],
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
    expect(runBefore(next(previous, now), 'test')?.outcome).toEqual(expected);
  });

  it('forgets what another command said', () => {
    expect(next(PASSED, null, 'other').runs).toEqual([]);
    expect(next(PASSED, FAILED, 'other').runs).toMatchObject([{ name: 'test', outcome: FAILED }]);
  });

  it('forgets gates that are no longer configured, and notes tree, time and commands', () => {
    const previous = baseline({ gone: FAILED });
    expect(
      nextBaseline({
        previous,
        specs: [TEST],
        newRuns: [
          commandRun({ name: 'gone', outcome: FAILED }),
          commandRun({ name: 'test', outputTail: 'x' }),
        ],
        tree: 'tree-2',
        at: '2026-01-21T10:00:00.000Z',
        sources: {},
      }),
    ).toEqual({
      ...NOT_TRIED,
      tree: 'tree-2',
      takenAt: '2026-01-21T10:00:00.000Z',
      runs: [commandRun({ name: 'test', outputTail: '' })],
      commands: { test: 'run test' },
      sources: {},
    });
  });

  const canary = commandRun({
    ...{ why: 'canary', outcome: FAILED, results: null },
    put: {
      files: ['test/b.js'],
      ignored: [],
      mutant: null,
      canary: { path: 'test/b.js', name: 'b', loads: [], runner: 'node', beside: 'test/a.js' },
    },
  });
  const FRESH = { specs: [TEST], tree: 'tree-2', at: '', sources: {} };
  const [failed, tried] = [
    commandRun({ outcome: FAILED }),
    { needs: NOT_TRIED.needs, builtAnew: NOT_TRIED.builtAnew },
  ];

  it('keeps a failing test that was seen to fail a gate, until it is looked for again', () => {
    const first = nextBaseline({ ...FRESH, previous: null, newRuns: [failed, canary], tried });
    expect(canaryBefore(first, 'test')?.beside).toBe('test/a.js');
    expect(runBefore(first, 'test')?.why).toBe('deciding');
    const later = nextBaseline({ ...FRESH, previous: first, newRuns: [commandRun()] });
    expect([runBefore(later, 'test')?.outcome, canaryBefore(later, 'test')?.runner]).toEqual([
      PASSED,
      'node',
    ]);
    const again = nextBaseline({ ...FRESH, previous: first, newRuns: [commandRun()], tried });
    expect(canaryBefore(again, 'test')).toBeNull();
    const other = [{ ...TEST, run: 'other' }];
    expect(
      canaryBefore(nextBaseline({ ...FRESH, specs: other, previous: first, newRuns: [] }), 'test'),
    ).toBeNull();
  });

  it('knows a gate that passes in the copy of the agent alone', () => {
    const of = (place: 'clean' | 'agents-copy', outcome: GateOutcome) =>
      isOfAgentsCopy(
        nextBaseline({ ...FRESH, previous: null, newRuns: [commandRun({ place, outcome })] }),
        'test',
      );
    expect([of('clean', PASSED), of('agents-copy', PASSED), of('agents-copy', FAILED)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
