import { describe, expect, it } from 'vitest';
import { type JudgedSession, stopAnswer } from '../../../src/decide/index.ts';
import type { Remark, WorkVerdict } from '../../../src/domain/verification.ts';

const RED: Remark = {
  ...{ rule: 'gates', level: 'error', text: 'Gate "test" failed (exit 1)', path: 'test/a.js', line: 3 },
  excerpt: ['10 !== 5'],
};
const WARNING: Remark = {
  ...RED,
  level: 'warning',
  text: 'you have to decide: 4 tests removed',
  excerpt: [],
};
const NOTE: Remark = { ...RED, level: 'note', text: 'nothing was asked for' };

function judged(verdict: WorkVerdict, ...remarks: Remark[]): JudgedSession {
  return { kind: 'judged', verdict, remarks };
}

describe('an agent that wants to stop', () => {
  it('is sent back with the reasons alone, and told how often that happens', () => {
    const answer = stopAnswer(judged('not_verified', NOTE, RED, WARNING), { count: 1, limit: 3 });
    expect(answer).toEqual({
      kind: 'continue',
      reason: [
        "ralph checked your work, and it isn't done (request 2 of 3):",
        '- Gate "test" failed (exit 1). (test/a.js:3)',
        '    10 !== 5',
        "Fix that, then finish. If you can't, or it is wrong, say so and stop.",
      ].join('\n'),
    });
  });

  it.each<[what: string, judged: JudgedSession, most: number, note: string | null]>([
    ['verified', judged('verified', RED), 3, null],
    ['weakly verified', judged('verified_weak', WARNING), 3, null],
    [
      "can't be told",
      judged('cant_tell', NOTE, WARNING),
      3,
      "ralph can't tell whether this is done: you have to decide: 4 tests removed",
    ],
    [
      'asked three times',
      judged('not_verified', RED),
      3,
      'ralph: not verified, after 3 requests to fix it: Gate "test" failed (exit 1). ralph verify shows all.',
    ],
    [
      'never to be asked',
      judged('not_verified', RED),
      0,
      'ralph: not verified: Gate "test" failed (exit 1). ralph verify shows all.',
    ],
    [
      'not trusted',
      { kind: 'unjudged', message: 'No.', next: 'ralph trust' },
      3,
      "ralph didn't check this session: No.\n  Next: ralph trust",
    ],
  ])('is let go: %s', (_what, given, limit, note) => {
    expect(stopAnswer(given, { count: 3, limit })).toEqual({ kind: 'stop', note });
  });

  it('gets a bounded text', () => {
    const long = { ...RED, excerpt: Array.from({ length: 900 }, () => 'x'.repeat(9000)) };
    const answer = stopAnswer(judged('not_verified', ...Array.from({ length: 50 }, () => long)), {
      count: 0,
      limit: 1,
    });
    expect(answer.kind === 'continue' && answer.reason.length).toBeLessThan(60_000);
  });
});
