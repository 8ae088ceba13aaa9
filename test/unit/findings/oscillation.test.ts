import { describe, expect, it } from 'vitest';
import { type Attempt, detectFindings } from '../../../src/proof/findings/index.ts';
import { attempt, BLOCKED_CLAIM, changeSet } from './facts.ts';
import { earlier } from './seen.ts';

function found(before: string, after: string, rest: Partial<Attempt>) {
  const changes = changeSet('a.ts');
  const snapshot = changes.before;
  const moved = { ...changes, before: { ...snapshot, tree: before }, after: { ...snapshot, tree: after } };
  return detectFindings(attempt({ changes: moved, ...rest })).find(({ type }) => type === 'oscillation');
}

describe('oscillation', () => {
  it.each<[string, string, string, Partial<Attempt>, object]>([
    ['A → B → A', 'B', 'A', { history: [earlier({ before: 'A', tree: 'B' })] }, { seen_at: 'before' }],
    [
      'A → B → C → B',
      'C',
      'B',
      { history: [earlier({ before: 'A', tree: 'B', iteration: 4 }), earlier({ before: 'B', tree: 'C' })] },
      { seen_at: 'after', seen_iteration: 4 },
    ],
    [
      'A → B, put back, A → C → B → C',
      'B',
      'C',
      {
        history: [
          earlier({ before: 'A', tree: 'B', rolledBack: true }),
          earlier({ before: 'A', tree: 'C', iteration: 5 }),
          earlier({ before: 'C', tree: 'B' }),
        ],
      },
      { seen_at: 'after', seen_iteration: 5 },
    ],
  ])('%s', (_, before, after, rest, details) => {
    expect(found(before, after, rest)).toMatchObject({
      severity: 'medium',
      confidence: 0.9,
      details: { tree: after, ...details },
    });
  });

  it.each<[string, string, string, Partial<Attempt>]>([
    ['the first attempt', 'A', 'B', { history: [] }],
    ['steady work', 'B', 'C', { history: [earlier({ before: 'A', tree: 'B' })] }],
    ['nothing changed', 'B', 'B', { history: [earlier({ before: 'A', tree: 'B' })] }],
    [
      'blocked, and cleaned up',
      'B',
      'A',
      { history: [earlier({ before: 'A', tree: 'B' })], claim: BLOCKED_CLAIM },
    ],
    [
      'done again what an outage had cut short',
      'A',
      'B',
      { history: [earlier({ tree: 'B', verdict: 'outage' })] },
    ],
    [
      'done again what was rolled back',
      'A',
      'B',
      { history: [earlier({ before: 'A', tree: 'B', rolledBack: true })] },
    ],
    [
      'done again what was rolled back two attempts far',
      'A',
      'B',
      {
        history: [earlier({ before: 'A', tree: 'B' }), earlier({ before: 'B', tree: 'C', rolledBack: true })],
      },
    ],
    ['an imported attempt, of which no tree is known', 'B', 'A', { history: [earlier({ tree: 'B' })] }],
  ])('not for %s', (_, before, after, rest) => {
    expect(found(before, after, rest)).toBeUndefined();
  });
});
