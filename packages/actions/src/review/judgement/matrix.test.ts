import { SEVERITIES } from 'ralph-kit/severity';
import { describe, expect, it } from 'vitest';
import { type Adjustment, type Decision, stricter, type Weighed, weigh } from './matrix.ts';

const LEVELS = ['high', 'medium', 'low'] as const;
const PLAIN = { criticalEffects: false, dangerous: false, firstTime: false, rewritable: true };

/** Spec 4-step-review, Decision: by risk, then by rationality high, medium, low. */
const SPECIFIED = {
  low: ['allow', 'allow', 'warn'],
  medium: ['allow', 'warn', 'modify'],
  high: ['warn', 'modify', 'deny'],
  critical: ['deny', 'deny', 'deny'],
} as const;

describe('the matrix', () => {
  const cells = SEVERITIES.flatMap((risk) =>
    LEVELS.map((rationality, index) => [risk, rationality, SPECIFIED[risk][index] ?? ''] as const),
  );
  it.each(cells)('%s risk, %s rationality: %s', (risk, rationality, decision) => {
    expect(weigh({ ...PLAIN, risk, rationality })).toEqual({ decision, adjustments: [] });
  });

  it.each(cells)('critical side effects block at %s risk, %s rationality', (risk, rationality) => {
    const all = { ...PLAIN, risk, rationality, criticalEffects: true, firstTime: true };
    expect(weigh(all)).toEqual({ decision: 'deny', adjustments: ['critical_side_effects'] });
  });
});

describe('the adjustments', () => {
  it.each<[string, Partial<Weighed>, Decision, readonly Adjustment[]]>([
    [
      'a dangerous pattern turns a warning into a change',
      { dangerous: true },
      'modify',
      ['dangerous_pattern'],
    ],
    [
      '… which needs something to put in its place',
      { dangerous: true, rewritable: false },
      'warn',
      ['dangerous_pattern', 'no_rewrite'],
    ],
    [
      'a dangerous pattern leaves what is allowed alone',
      { dangerous: true, rationality: 'high' },
      'allow',
      [],
    ],
    [
      'a dangerous pattern at high risk',
      { dangerous: true, risk: 'high', rationality: 'high' },
      'modify',
      ['dangerous_pattern'],
    ],
    [
      '… without a rewrite',
      { dangerous: true, risk: 'high', rationality: 'high', rewritable: false },
      'deny',
      ['dangerous_pattern', 'no_rewrite'],
    ],
    ['the first time, a warning is left out', { firstTime: true }, 'allow', ['first_time']],
    ['… at low risk, too', { firstTime: true, risk: 'low', rationality: 'low' }, 'allow', ['first_time']],
    ['… never at high risk', { firstTime: true, risk: 'high', rationality: 'high' }, 'warn', []],
    [
      '… never with a dangerous pattern',
      { firstTime: true, dangerous: true },
      'modify',
      ['dangerous_pattern'],
    ],
    ['the first time changes no change', { firstTime: true, rationality: 'low' }, 'modify', []],
    [
      'a change that cannot be made is a warning at medium risk',
      { rationality: 'low', rewritable: false },
      'warn',
      ['no_rewrite'],
    ],
    ['… and blocks at high risk', { risk: 'high', rewritable: false }, 'deny', ['no_rewrite']],
  ])('%s', (_, more, decision, adjustments) => {
    const weighed: Weighed = { ...PLAIN, risk: 'medium', rationality: 'medium', ...more };
    expect(weigh(weighed)).toEqual({ decision, adjustments });
  });

  it('of two decisions the stricter counts', () => {
    const order = ['allow', 'warn', 'modify', 'deny'] as const;
    for (const [one, left] of order.entries())
      for (const [other, right] of order.entries())
        expect(stricter(left, right)).toBe(order[Math.max(one, other)]);
  });
});
