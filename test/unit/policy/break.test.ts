import { describe, expect, it } from 'vitest';
import {
  type AgentFailure,
  type BreakFacts,
  type CycleFacts,
  HARD_TRIGGERS,
} from '../../../src/domain/policy.ts';
import {
  afterAttempt,
  type BreakStep,
  changeBetween,
  convergence,
} from '../../../src/respond/policy/index.ts';
import { cycleOf, NO_BREAK } from '../../helpers/policy.ts';

const KEPT = 10;
const STEP: BreakStep = { taskId: 'T-1', failure: null, task: 'open', cycle: null, redSince: null };

/** Returns the trigger that is armed after these attempts. */
function armedAfter(steps: readonly Partial<BreakStep>[], start: Partial<BreakFacts> = {}) {
  let facts: BreakFacts = { ...NO_BREAK, ...start };
  for (const step of steps) facts = { ...facts, ...afterAttempt(facts, { ...STEP, ...step }, KEPT) };
  return facts.armed === null ? null : { kind: facts.armed.kind, hard: facts.armed.hard };
}

const failed = (taskId: string, idle: boolean): Partial<BreakStep> => ({
  taskId,
  failure: { taskId, idle } satisfies AgentFailure,
});
const cycles = (...all: CycleFacts[]): Partial<BreakStep>[] => all.map((cycle) => ({ cycle }));
const HARD = (kind: string) => ({ kind, hard: true });
const SOFT = (kind: string) => ({ kind, hard: false });

describe('hard triggers', () => {
  const rows: [string, Partial<BreakStep>[], boolean, unknown][] = [
    ['2 idle failures', [failed('T-1', true), failed('T-1', true)], false, null],
    [
      '3 idle failures',
      [failed('T-1', true), failed('T-1', true), failed('T-1', true)],
      false,
      HARD('agent_failures'),
    ],
    [
      '3 failures of one task, one at work',
      [failed('T-1', true), failed('T-1', false), failed('T-1', true)],
      false,
      null,
    ],
    [
      'the same, strict',
      [failed('T-1', true), failed('T-1', false), failed('T-1', true)],
      true,
      HARD('agent_failures'),
    ],
    ['2 failures, strict', [failed('T-1', true), failed('T-2', true)], true, null],
    [
      '3 failures at work over 2 tasks',
      [failed('T-1', false), failed('T-1', false), failed('T-2', false)],
      false,
      HARD('agent_failures'),
    ],
    ['a success between', [failed('T-1', true), failed('T-2', true), {}, failed('T-3', true)], false, null],
    [
      'an outage between changes nothing',
      [failed('T-1', true), failed('T-1', true), { failure: undefined }, failed('T-1', true)],
      false,
      HARD('agent_failures'),
    ],
    [
      'gates that fail since a result landed',
      [{ redSince: { taskId: 'T-9', gates: ['test'] } }, {}],
      false,
      HARD('red_after_landing'),
    ],
    ['2 tasks blocked', [{ task: 'blocked' }, { taskId: 'T-2', task: 'blocked' }], false, null],
    [
      '3 tasks blocked',
      [
        { task: 'blocked' },
        { taskId: 'T-2' },
        { taskId: 'T-2', task: 'blocked' },
        { taskId: 'T-3', task: 'blocked' },
      ],
      false,
      HARD('task_failures'),
    ],
    [
      'the same task blocked 3 times',
      [{ task: 'blocked' }, { task: 'blocked' }, { task: 'blocked' }],
      true,
      null,
    ],
    [
      'a done task between',
      [
        { task: 'blocked' },
        { taskId: 'T-2', task: 'blocked' },
        { taskId: 'T-4', task: 'done' },
        { taskId: 'T-3', task: 'blocked' },
      ],
      false,
      null,
    ],
    [
      'a shadow 2 times',
      cycles(cycleOf(1, [], { shadows: [{ role: 'maker', shadow: 'rogue', times: 2 }] })),
      false,
      null,
    ],
    [
      'a shadow 3 times',
      cycles(cycleOf(1, [], { shadows: [{ role: 'maker', shadow: 'rogue', times: 3 }] })),
      false,
      HARD('repeated_shadow'),
    ],
    [
      '1 oscillating finding',
      cycles(cycleOf(1, ['a', 'b']), cycleOf(2, ['b']), cycleOf(3, ['a'])),
      false,
      null,
    ],
    [
      '2 oscillating findings',
      cycles(cycleOf(1, ['a', 'b']), cycleOf(2, []), cycleOf(3, ['a', 'b'])),
      false,
      HARD('oscillating_findings'),
    ],
  ];
  it.each(rows)('%s', (_, steps, strict, armed) => {
    expect(armedAfter(steps, { strict })).toEqual(armed);
  });

  it('every hard trigger has a row that fires it', () => {
    const fired = rows.map(([, , , armed]) => (armed as { kind?: string } | null)?.kind).filter(Boolean);
    expect([...new Set(fired)].sort()).toEqual([...HARD_TRIGGERS].sort());
  });

  it('names the unresolved findings', () => {
    const last = cycleOf(3, ['a', 'b', 'c']);
    const facts = { ...NO_BREAK, cycles: [cycleOf(1, ['a', 'b']), cycleOf(2, [])] };
    const { armed } = afterAttempt(facts, { ...STEP, cycle: last }, KEPT);
    expect(armed?.unresolved.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(armed?.reason).toContain('2 findings');
  });
});

describe('soft triggers', () => {
  const rows: [string, CycleFacts[], unknown][] = [
    ['one cycle', [cycleOf(1, ['a'])], null],
    ['the same findings again', [cycleOf(1, ['a', 'b']), cycleOf(2, ['b', 'a'])], SOFT('same_findings')],
    ['nothing found twice', [cycleOf(1, []), cycleOf(2, [])], null],
    ['more findings', [cycleOf(1, ['a']), cycleOf(2, ['b', 'c'])], SOFT('growing_findings')],
    ['as many others', [cycleOf(1, ['a', 'b']), cycleOf(2, ['a', 'c'])], null],
    ['findings after none', [cycleOf(1, []), cycleOf(2, ['a', 'b'])], null],
    [
      'twice under a half',
      [cycleOf(1, ['a', 'b', 'c']), cycleOf(2, ['b', 'c']), cycleOf(3, ['c', 'd'])],
      SOFT('low_convergence'),
    ],
    ['once under a half', [cycleOf(1, ['a', 'b', 'c']), cycleOf(2, ['b', 'c']), cycleOf(3, ['c'])], null],
  ];
  it.each(rows)('%s', (_, all, armed) => {
    expect(armedAfter(cycles(...all))).toEqual(armed);
  });

  it('are of attempts with strict alone', () => {
    const attempts = [1, 2].map((number) => cycleOf(number, ['a'], { kind: 'attempt' }));
    expect(armedAfter(cycles(...attempts))).toBeNull();
    expect(armedAfter(cycles(...attempts), { strict: true })).toEqual(SOFT('same_findings'));
  });

  it('stay until the run stops, whatever comes after, unless a hard one does', () => {
    const equal = cycles(cycleOf(1, ['a']), cycleOf(2, ['a']));
    expect(armedAfter([...equal, { task: 'done' }])).toEqual(SOFT('same_findings'));
    const shadows = [{ role: 'guardian', shadow: 'paranoid', times: 3 }];
    const hard = cycles(cycleOf(3, ['b'], { shadows }));
    expect(armedAfter([...equal, ...hard])).toEqual(HARD('repeated_shadow'));
  });

  it('of a task that waits for you end with that: you are asked already', () => {
    const equal = cycles(cycleOf(1, ['a']), cycleOf(2, ['a']));
    expect(armedAfter([...equal, { task: 'waiting' }])).toBeNull();
    expect(armedAfter([...equal, { taskId: 'T-9', task: 'waiting' }])).toEqual(SOFT('same_findings'));
  });

  it('begin anew with another task', () => {
    expect(
      armedAfter([
        ...cycles(cycleOf(1, ['a'])),
        { taskId: 'T-2', cycle: cycleOf(1, ['a'], { taskId: 'T-2' }) },
      ]),
    ).toBeNull();
    expect(
      armedAfter([{ cycle: cycleOf(1, ['a']), task: 'blocked' }, { cycle: cycleOf(1, ['a']) }]),
    ).toBeNull();
  });
});

describe('convergence', () => {
  it.each([
    ['the first cycle', null, ['a'], null],
    ['nothing before and now', [], [], null],
    ['all resolved', ['a', 'b'], [], 1],
    ['half of it', ['a', 'b'], ['b'], 0.5],
    ['new ones count', ['a', 'b'], ['b', 'c', 'd'], 0.25],
  ])('%s', (_, before, now, score) => {
    expect(convergence(before === null ? null : cycleOf(1, before), cycleOf(2, now))).toBe(score);
  });

  it('names what became of each finding', () => {
    expect(changeBetween(cycleOf(1, ['a', 'b']), cycleOf(2, ['b', 'c']))).toEqual({
      resolved: ['a'],
      open: ['b'],
      fresh: ['c'],
    });
  });
});
