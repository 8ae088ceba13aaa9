import type { Action, ActionKind } from 'ralph-kit/actions/action';
import type { Severity } from 'ralph-kit/severity';
import type { EffectKind } from '../../effects/index.ts';
import type { ReviewPlace } from '../../forms/place.ts';
import type { RiskSettings } from '../../forms/settings.ts';
import { type Earlier, isReadOnly } from './history.ts';
import { BASE_RISK, type Rating } from './ratings.ts';

export type RiskFactor = {
  readonly name:
    | 'out_of_scope'
    | 'repeated_failures'
    | 'privilege'
    | 'dangerous_pattern'
    /** All effects can be undone, so the severity is medium at most. */
    | 'reversible';
  readonly value: number;
};

export type Risk = {
  /** Score from 0 to 1. */
  readonly score: number;
  readonly severity: Severity;
  readonly base: number;
  readonly factors: readonly RiskFactor[];
};

export type RiskFacts = {
  readonly action: Action;
  readonly ratings: readonly Rating[];
  readonly outOfScope: readonly string[];
  /** A rule that changes or stops the action applied. */
  readonly dangerous: boolean;
  readonly earlier: Earlier | null;
  readonly place: ReviewPlace;
};

/** Base risk of an action by its kind, for one whose effects aren't parsed. */
export const KIND_RISK: Readonly<Record<ActionKind, number>> = {
  file_read: BASE_RISK.read,
  message: BASE_RISK.read,
  file_create: BASE_RISK.creation,
  file_modify: BASE_RISK.modification,
  file_write: BASE_RISK.modification,
  patch: BASE_RISK.modification,
  network_request: BASE_RISK.network,
  system_command: BASE_RISK.command,
  typing: BASE_RISK.command,
  file_delete: BASE_RISK.deletion,
  unknown: BASE_RISK.unknown,
};

const RAISED_BY = { out_of_scope: 0.3, privilege: 0.2, dangerous_pattern: 0.2 } as const;
/** Added risk after one, two, and more failures of the same action. */
const REPEATED_FAILURES = [0.1, 0.2, 0.4];

/** Returns the risk of an action (docs/STEP_REVIEW.md). */
export function riskOf(facts: RiskFacts, settings: RiskSettings): Risk {
  const base = baseOf(facts);
  const raised = base + lasting(facts).reduce((sum, { value }) => sum + value, 0);
  const highest = settings.high_threshold - STEP;
  // Reversible effects are medium at most (ADR 0035).
  const reversible = raised > highest && isReversible(facts.ratings);
  const before = Math.min(1, reversible ? highest : raised);
  const failures = facts.earlier?.failures ?? 0;
  const repeated =
    failures === 0 ? 0 : (REPEATED_FAILURES[Math.min(failures, REPEATED_FAILURES.length) - 1] ?? 0);
  // Repeated failure doesn't make an action dangerous, so it can't raise a severity below high to high, or high to critical.
  const limit = before > highest ? settings.critical_threshold - STEP : highest;
  const score = rounded(Math.max(before, Math.min(before + repeated, limit)));
  const factors: RiskFactor[] = [
    ...lasting(facts),
    ...(reversible ? [{ name: 'reversible' as const, value: rounded(before - raised) }] : []),
    ...(repeated > 0 ? [{ name: 'repeated_failures' as const, value: rounded(score - before) }] : []),
  ];
  return { score, severity: severityOf(score, settings), base: rounded(base), factors };
}

const STEP = 0.01;

function baseOf({ action, ratings }: RiskFacts): number {
  const worst = Math.max(
    0,
    ...ratings.filter(({ effect }) => !SAYS_LITTLE.has(effect.kind)).map(({ risk }) => risk),
  );
  const isUnknown = action.kind === 'unknown';
  if (worst > 0) return isUnknown ? Math.max(worst, BASE_RISK.network) : worst;
  if (isReadOnly(action)) return BASE_RISK.read;
  // An unknown tool whose name says that it reads.
  if (isUnknown && ratings.length > 0) return BASE_RISK.network;
  // A command without known effects keeps the risk of its kind.
  return KIND_RISK[action.kind];
}

/** A program that reads a file, or gets its path, may do more with it. */
const SAYS_LITTLE: ReadonlySet<EffectKind> = new Set(['reads', 'names']);

function lasting({ ratings, outOfScope, dangerous }: RiskFacts): RiskFactor[] {
  const names: (keyof typeof RAISED_BY)[] = [];
  if (outOfScope.length > 0 || ratings.some(isOutside)) names.push('out_of_scope');
  if (ratings.some(({ privilege }) => privilege)) names.push('privilege');
  if (dangerous) names.push('dangerous_pattern');
  return names.map((name) => ({ name, value: RAISED_BY[name] }));
}

function isOutside({ side, privilege }: Rating): boolean {
  return side?.type === 'file' && privilege && !side.reversible;
}

function isReversible(ratings: readonly Rating[]): boolean {
  const sides = ratings.flatMap(({ side }) => side ?? []);
  return sides.length > 0 && sides.every(({ reversible, severity }) => reversible && severity !== 'critical');
}

function severityOf(score: number, settings: RiskSettings): Severity {
  if (score >= settings.critical_threshold) return 'critical';
  if (score >= settings.high_threshold) return 'high';
  return score >= settings.medium_threshold ? 'medium' : 'low';
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
