import { describe, expect, test } from 'vitest';
import { NEW_WORKFLOW, SYSTEM_SHADOWS, type SystemShadow } from '../../../src/domain/workflow/roles.ts';
import { type SystemObservation, systemSigns, THRESHOLDS } from '../../../src/respond/roles/index.ts';
import { answer, finding, past, system, unnoticed } from './observations.ts';

type Row = {
  readonly shadow: SystemShadow;
  readonly sign: string;
  readonly fires: Partial<SystemObservation>;
  readonly below: Partial<SystemObservation>;
  /** Observation in which the sign doesn't count; absent: it always counts. */
  readonly immune?: Partial<SystemObservation>;
};

const approved = [
  { role: 'guardian' as const, answer: answer([], 'APPROVED') },
  { role: 'sage' as const, answer: answer([], 'APPROVED') },
];
const security = (claim: string, over = {}) => finding({ category: 'security', claim, ...over });
const both = (first: ReturnType<typeof finding>[], second: ReturnType<typeof finding>[]) => [
  { role: 'guardian' as const, answer: answer(first) },
  { role: 'sage' as const, answer: answer(second) },
];
const critical = finding({ severity: 'CRITICAL', file: 'src/core.ts', claim: 'the index is lost' });
const info = finding({ severity: 'INFO', file: 'src/style.ts', claim: 'rename it' });
const planned = (planMs: number, doMs: number, explorerStarts = 1) => ({
  task: { ...NEW_WORKFLOW, planMs, doMs, explorerStarts },
});

const ROWS: readonly Row[] = [
  {
    shadow: 'tunnel_vision',
    sign: 'one_category',
    fires: { reviews: both([security('keys leak'), security('paths escape')], [security('tokens stay')]) },
    below: {
      reviews: both([security('keys leak'), security('paths escape'), security('tokens stay')], []).slice(
        0,
        1,
      ),
    },
    immune: { reviews: both([security('keys leak'), security('the keys leak')], [security('keys leak')]) },
  },
  {
    shadow: 'broken_window',
    sign: 'deferred_warnings',
    fires: { deferred: [3, 3] },
    below: { deferred: [2, 3] },
    immune: { deferred: [3, 3], cleanUp: 'T-9' },
  },
  {
    shadow: 'tunnel_vision',
    sign: 'one_category',
    fires: { reviews: both([security('keys leak'), security('paths escape')], [security('tokens stay')]) },
    below: { reviews: both([security('keys leak')], [security('tokens stay')]) },
    immune: { reviews: both([security('keys leak'), security('the keys leak')], [security('keys leak')]) },
  },
  {
    shadow: 'echo_chamber',
    sign: 'quick_approval',
    fires: { reviews: approved, checkMs: 29_999 },
    below: { reviews: approved, checkMs: 30_000 },
    immune: { reviews: approved, checkMs: 10, allRead: true },
  },
  {
    shadow: 'gold_plating',
    sign: 'info_before_critical',
    fires: {
      task: { ...NEW_WORKFLOW, reviews: [past({ findings: [critical, info] })] },
      reviews: both([critical], []),
      changed: ['src/style.ts'],
    },
    below: {
      task: { ...NEW_WORKFLOW, reviews: [past({ findings: [critical, info] })] },
      reviews: both([critical], []),
      changed: ['src/core.ts'],
    },
    immune: {
      task: {
        ...NEW_WORKFLOW,
        reviews: [past({ findings: [critical, info, finding({ file: 'src/style.ts' })] })],
      },
      reviews: both([critical], []),
      changed: ['src/style.ts'],
    },
  },
  {
    shadow: 'analysis_paralysis',
    sign: 'plan_over_do',
    fires: planned(120_001, 60_000),
    below: planned(120_000, 60_000),
    immune: planned(119_999, 10),
  },
  {
    shadow: 'analysis_paralysis',
    sign: 'explorer_again',
    fires: planned(0, 10, 3),
    below: planned(0, 10, 2),
  },
  {
    shadow: 'cargo_cult',
    sign: 'lesson_without_effect',
    fires: {
      lessons: ['close the socket'],
      reviews: both([finding({ claim: 'The socket is not closed' })], []),
    },
    below: { lessons: [], reviews: both([finding({ claim: 'The socket is not closed' })], []) },
    immune: {
      lessons: ['close the socket'],
      reviews: both([finding({ claim: 'The socket is not closed', file: 'src/old.ts' })], []),
    },
  },
  {
    shadow: 'broken_window',
    sign: 'deferred_warnings',
    fires: { deferred: [0, 3, 3] },
    below: { deferred: [3, 2] },
    immune: { deferred: [3, 4], cleanUp: 'T-9' },
  },
  {
    shadow: 'scope_creep',
    sign: 'over_proposal',
    fires: { proposal: ['a.ts'], changed: ['a.ts', 'b.ts', 'c.ts'], outside: ['b.ts', 'c.ts'] },
    below: { proposal: ['a.ts'], changed: ['a.ts', 'b.ts'], outside: ['b.ts'] },
    immune: { proposal: ['src/**'], changed: ['src/a.ts', 'src/b.ts', 'src/c.ts'], outside: [] },
  },
];

describe.each(ROWS)('$shadow: $sign', ({ shadow, sign, fires, below, immune }) => {
  const seen = (over: Partial<SystemObservation>) =>
    systemSigns(system(over)).find((one) => one.shadow === shadow && one.sign === sign);

  test('is seen at its number', () => expect(seen(fires)).toMatchObject({ immune: null }));
  test('is not seen just below it', () => expect(seen(below)).toBeUndefined());
  if (immune !== undefined)
    test('counts for nothing where it serves the goal, with the reason', () =>
      expect(seen(immune)).toMatchObject({ immune: expect.stringMatching(/\w/) }));
});

test('every shadow has scenarios, and every number one just at it and one just below', () => {
  expect([...new Set(ROWS.map(({ shadow }) => shadow))].sort()).toEqual([...SYSTEM_SHADOWS].sort());
  const outcomes = () =>
    ROWS.flatMap(({ shadow, sign, fires, below, immune }) =>
      [fires, below, immune ?? {}].map((over) => {
        const found = systemSigns(system(over)).find((one) => one.shadow === shadow && one.sign === sign);
        return found === undefined ? 'none' : found.immune === null ? 'found' : 'immune';
      }),
    );
  expect(unnoticed(THRESHOLDS.system, outcomes)).toEqual([]);
});

test('a quiet workflow shows none', () => expect(systemSigns(system())).toEqual([]));

test('one WARNING run in between ends a row of deferred ones', () =>
  expect(systemSigns(system({ deferred: [3, 0, 3] }))).toEqual([]));
