import { describe, expect, it } from 'vitest';
import { planAutoUnblock, unblockingOf } from '../../../src/decide/index.ts';
import type { StrategyFacts } from '../../../src/domain/records/blocked.ts';
import { selectBlocked, waitingForBlocked } from '../../../src/respond/blocked/index.ts';
import { suggestStrategy } from '../../../src/tell/suggest-strategy.ts';
import { blockedBy, facts, noFiles, timedOut } from './facts.ts';

const LEVELS = ['simple', 'medium', 'complex', 'ui_heavy'];
const BLOCKED = [
  { id: 'UI-1', level: 'ui_heavy', reason: 'timeout' },
  { id: 'UI-2', level: 'medium', reason: 'no_files' },
  { id: 'api/4', level: 'medium', reason: 'timeout' },
  { id: 'T[1]', level: 'simple', reason: 'marked_in_tracker' },
];

describe('selectBlocked', () => {
  it.each([
    ['ui_heavy', ['UI-1']],
    ['UI-heavy', ['UI-1']],
    ['medium', ['UI-2', 'api/4']],
    ['timeout', ['UI-1', 'api/4']],
    ['no_files', ['UI-2']],
    ['marked_in_tracker', ['T[1]']],
    ['UI-*', ['UI-1', 'UI-2']],
    ['*', ['UI-1', 'UI-2', 'api/4', 'T[1]']],
    ['api/*', ['api/4']],
    ['T[1]', ['T[1]']],
    // Words that ralph-gold uses for a selection of blocked tasks.
    ['all', ['UI-1', 'UI-2', 'api/4', 'T[1]']],
    ['manual', ['T[1]']],
    ['complex', []],
    ['gate_failed', []],
    ['gate_failure', []],
    ['X-*', []],
    ['', []],
  ])('%s', (filter, ids) => {
    expect(selectBlocked(filter, BLOCKED, LEVELS)).toEqual(ids);
  });
});

describe('waitingForBlocked', () => {
  it('finds what waits, also through others, and names what it waits for', () => {
    const task = (id: string, status: 'open' | 'done' | 'blocked', ...dependsOn: string[]) => ({
      id,
      title: id,
      status,
      dependsOn,
    });
    const tasks = [
      task('a', 'blocked'),
      task('b', 'open', 'a'),
      task('c', 'open', 'b', 'e'),
      task('d', 'open', 'f'),
      task('e', 'blocked', 'a'),
      task('f', 'done', 'a'),
    ];
    expect(waitingForBlocked(tasks)).toEqual([
      { id: 'b', title: 'b', waitsFor: ['a'] },
      { id: 'c', title: 'c', waitsFor: ['a', 'e'] },
    ]);
  });
});

describe('what is unblocked without being asked', () => {
  const late = facts({ taskId: 'late', blocked: blockedBy('timeout', [timedOut(), timedOut()]) });
  const silent = facts({ taskId: 'silent', blocked: blockedBy('no_files', [noFiles]) });
  const plan = (limit: number, ...candidates: (readonly [number, StrategyFacts])[]) =>
    planAutoUnblock({
      limit,
      candidates: candidates.map(([automatic, one]) => ({ automatic, facts: one })),
    }).map(({ taskId, timeoutSeconds }) => [taskId, timeoutSeconds]);

  it('needs more time, and nothing else', () => {
    expect(plan(1, [0, silent], [0, late])).toEqual([['late', 240]]);
  });

  it('at most as often as is allowed', () => {
    expect(plan(0, [0, late])).toEqual([]);
    expect(plan(1, [1, late])).toEqual([]);
    expect(plan(2, [1, { ...late, unblocks: 1, reviewAfter: 2 }])).toEqual([['late', 240]]);
    expect(plan(2, [1, { ...late, unblocks: 2, reviewAfter: 2 }])).toEqual([]);
  });

  it('and a retry leaves to the user what the user has to do first', () => {
    const retried = (given: StrategyFacts, agent: string | null) =>
      unblockingOf(given, suggestStrategy(given), agent)?.strategy ?? null;
    expect(retried(late, null)).toBe('increase_timeout');
    expect(retried(silent, null)).toBe('show_evidence');
    expect(retried(facts(), null)).toBeNull();
    const better = facts({ agents: [{ name: 'codex', attempts: 4, done: 3 }] });
    expect(retried(better, 'claude')).toBeNull();
    expect(retried(better, 'codex')).toBe('switch_agent');
  });
});
