import type { Action, ActionKind } from '../../../lib/actions/action.ts';
import type { ReviewPlace } from '../../../lib/actions/review.ts';
import type { RiskSettings } from '../../../lib/actions/settings.ts';
import type { Severity } from '../../../lib/severity.ts';
import type { EffectKind } from '../../effects/index.ts';
import { type Earlier, isReadOnly } from './history.ts';
import { BASE_RISK, type Rating } from './ratings.ts';

/** Something that raises the risk, or keeps it down. */
export type RiskFactor = {
  readonly name:
    | 'out_of_scope'
    | 'repeated_failures'
    | 'privilege'
    | 'dangerous_pattern'
    /** Everything that it does can be undone: at most medium. */
    | 'reversible';
  readonly value: number;
};

export type Risk = {
  /** 0 to 1. */
  readonly score: number;
  readonly severity: Severity;
  /** By what the action does, before the factors. */
  readonly base: number;
  readonly factors: readonly RiskFactor[];
};

export type RiskFacts = {
  readonly action: Action;
  readonly ratings: readonly Rating[];
  /** Paths outside of what the task expects. */
  readonly outOfScope: readonly string[];
  /** A rule that changes or stops the action spoke. */
  readonly dangerous: boolean;
  readonly earlier: Earlier | null;
  readonly place: ReviewPlace;
};

/** The base risk of an action by its kind alone, before anything of it is parsed. */
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

/** What raises the risk. */
const RAISED_BY = { out_of_scope: 0.3, privilege: 0.2, dangerous_pattern: 0.2 } as const;
/** By how often the same action failed before: once, twice, more often. */
const REPEATED_FAILURES = [0.1, 0.2, 0.4];

/** The risk of an action (spec 4-step-review, Risk). */
export function riskOf(facts: RiskFacts, settings: RiskSettings): Risk {
  const base = baseOf(facts);
  const raised = base + lasting(facts).reduce((sum, { value }) => sum + value, 0);
  const highest = settings.high_threshold - STEP;
  // What can be undone is medium at most (decisions.md, Review).
  const reversible = raised > highest && isReversible(facts.ratings);
  const before = Math.min(1, reversible ? highest : raised);
  const failures = facts.earlier?.failures ?? 0;
  const repeated =
    failures === 0 ? 0 : (REPEATED_FAILURES[Math.min(failures, REPEATED_FAILURES.length) - 1] ?? 0);
  // That something fails again makes it no more dangerous than it is: what isn't high doesn't get there by it.
  const limit = before > highest ? settings.critical_threshold - STEP : highest;
  const score = rounded(Math.max(before, Math.min(before + repeated, limit)));
  const factors: RiskFactor[] = [
    ...lasting(facts),
    ...(reversible ? [{ name: 'reversible' as const, value: rounded(before - raised) }] : []),
    ...(repeated > 0 ? [{ name: 'repeated_failures' as const, value: rounded(score - before) }] : []),
  ];
  return { score, severity: severityOf(score, settings), base: rounded(base), factors };
}

/** The smallest step of a score. */
const STEP = 0.01;

function baseOf({ action, ratings }: RiskFacts): number {
  const worst = Math.max(
    0,
    ...ratings.filter(({ effect }) => !SAYS_LITTLE.has(effect.kind)).map(({ risk }) => risk),
  );
  const isUnknown = action.kind === 'unknown';
  if (worst > 0) return isUnknown ? Math.max(worst, BASE_RISK.network) : worst;
  if (isReadOnly(action)) return BASE_RISK.read;
  // A tool that isn't known, and that reads by its name.
  if (isUnknown && ratings.length > 0) return BASE_RISK.network;
  // A command of which no effect is known keeps the risk of its kind.
  return KIND_RISK[action.kind];
}

/** A program that reads or is given a file may do more. */
const SAYS_LITTLE: ReadonlySet<EffectKind> = new Set(['reads', 'names']);

function lasting({ ratings, outOfScope, dangerous }: RiskFacts): RiskFactor[] {
  const names: (keyof typeof RAISED_BY)[] = [];
  if (outOfScope.length > 0 || ratings.some(isOutside)) names.push('out_of_scope');
  if (ratings.some(({ privilege }) => privilege)) names.push('privilege');
  if (dangerous) names.push('dangerous_pattern');
  return names.map((name) => ({ name, value: RAISED_BY[name] }));
}

/** A file beyond the repository. */
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
