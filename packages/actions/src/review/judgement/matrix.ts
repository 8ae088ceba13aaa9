import type { Severity } from 'ralph-kit/severity';
import type { Rationality } from './rationality.ts';

export const DECISIONS = ['allow', 'warn', 'modify', 'deny'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Decisions by risk, then by rationality (spec 4-step-review, Decision). */
const MATRIX: Readonly<Record<Severity, Readonly<Record<Rationality['level'], Decision>>>> = {
  low: { high: 'allow', medium: 'allow', low: 'warn' },
  medium: { high: 'allow', medium: 'warn', low: 'modify' },
  high: { high: 'warn', medium: 'modify', low: 'deny' },
  critical: { high: 'deny', medium: 'deny', low: 'deny' },
};

export type Weighed = {
  readonly risk: Severity;
  readonly rationality: Rationality['level'];
  readonly criticalEffects: boolean;
  /** A rule that changes or stops the action applied. */
  readonly dangerous: boolean;
  /** No action of this kind was requested before. */
  readonly firstTime: boolean;
  /** A rule offers a command to run in place of the action. */
  readonly rewritable: boolean;
};

export type Adjustment = 'critical_side_effects' | 'dangerous_pattern' | 'first_time' | 'no_rewrite';

/** Returns the matrix's decision and the adjustments to it, in order. The rules' own ruling isn't included. */
export function weigh(weighed: Weighed): {
  readonly decision: Decision;
  readonly adjustments: readonly Adjustment[];
} {
  const { risk, rationality, criticalEffects, dangerous, firstTime, rewritable } = weighed;
  if (criticalEffects) return { decision: 'deny', adjustments: ['critical_side_effects'] };
  let decision = MATRIX[risk][rationality];
  const adjustments: Adjustment[] = [];
  if (decision === 'warn' && dangerous) {
    decision = 'modify';
    adjustments.push('dangerous_pattern');
  } else if (decision === 'warn' && firstTime && risk !== 'high') {
    decision = 'allow';
    adjustments.push('first_time');
  }
  if (decision === 'modify' && !rewritable) {
    // There is no command to run in its place (decisions.md, Review).
    decision = risk === 'high' ? 'deny' : 'warn';
    adjustments.push('no_rewrite');
  }
  return { decision, adjustments };
}

export function stricter(one: Decision, other: Decision): Decision {
  return DECISIONS.indexOf(one) >= DECISIONS.indexOf(other) ? one : other;
}
