import type { Action, ActionKind } from '../../../lib/actions/action.ts';
import type { ReviewPlace } from '../../../lib/actions/review.ts';
import type { RiskSettings } from '../../../lib/actions/settings.ts';
import type { Severity } from '../../../lib/severity.ts';
import type { EffectKind } from '../../effects/index.ts';
import { type Earlier, isLook } from './history.ts';
import type { Rating } from './ratings.ts';

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
export function kindRisk(action: Action, settings: RiskSettings): number {
  return settings[BASE[action.kind]];
}

const BASE: Readonly<Record<ActionKind, KindKey>> = {
  file_read: 'file_read',
  message: 'file_read',
  file_create: 'file_creation',
  file_modify: 'file_modification',
  file_write: 'file_modification',
  patch: 'file_modification',
  network_request: 'network_request',
  system_command: 'system_command',
  typing: 'system_command',
  file_delete: 'file_deletion',
  unknown: 'unknown',
};
type KindKey = {
  [Key in keyof RiskSettings]: RiskSettings[Key] extends number ? Key : never;
}[keyof RiskSettings];

/** The risk of an action (spec 4-step-review, Risk). */
export function riskOf(facts: RiskFacts, settings: RiskSettings): Risk {
  const base = baseOf(facts, settings);
  const raised = base + sum(lasting(facts, settings));
  const highest = settings.high_threshold - STEP;
  // What can be undone is medium at most (decisions.md, Review).
  const reversible = raised > highest && isReversible(facts.ratings);
  const before = Math.min(1, reversible ? highest : raised);
  const repeated = repeatedFailures(facts.earlier, settings);
  // That something fails again makes it no more dangerous than it is: what isn't high doesn't get there by it.
  const limit = before > highest ? settings.critical_threshold - STEP : highest;
  const score = rounded(Math.max(before, Math.min(before + repeated, limit)));
  const factors: RiskFactor[] = [
    ...lasting(facts, settings),
    ...(reversible ? [{ name: 'reversible' as const, value: rounded(before - raised) }] : []),
    ...(repeated > 0 ? [{ name: 'repeated_failures' as const, value: rounded(score - before) }] : []),
  ];
  return { score, severity: severityOf(score, settings), base: rounded(base), factors };
}

/** The smallest step of a score. */
const STEP = 0.01;

function baseOf({ action, ratings }: RiskFacts, settings: RiskSettings): number {
  const worst = Math.max(
    0,
    ...ratings.filter(({ effect }) => !SAYS_LITTLE.has(effect.kind)).map(({ risk }) => risk),
  );
  const isUnknown = action.kind === 'unknown';
  if (worst > 0) return isUnknown ? Math.max(worst, settings.network_request) : worst;
  if (isLook(action)) return settings.file_read;
  // A tool that isn't known, and that reads by its name.
  if (isUnknown && ratings.length > 0) return settings.network_request;
  // A command of which no effect is known keeps the risk of its kind.
  return kindRisk(action, settings);
}

/** A program that reads or is given a file may do more. */
const SAYS_LITTLE: ReadonlySet<EffectKind> = new Set(['reads', 'names']);

function lasting({ ratings, outOfScope, dangerous }: RiskFacts, settings: RiskSettings): RiskFactor[] {
  return [
    ...(outOfScope.length > 0 || ratings.some(isOutside)
      ? [{ name: 'out_of_scope' as const, value: settings.out_of_scope }]
      : []),
    ...(ratings.some(({ privilege }) => privilege)
      ? [{ name: 'privilege' as const, value: settings.privilege }]
      : []),
    ...(dangerous ? [{ name: 'dangerous_pattern' as const, value: settings.dangerous_pattern }] : []),
  ];
}

/** A file beyond the repository. */
function isOutside({ side, privilege }: Rating): boolean {
  return side?.type === 'file' && privilege && !side.reversible;
}

function isReversible(ratings: readonly Rating[]): boolean {
  const sides = ratings.flatMap(({ side }) => side ?? []);
  return sides.length > 0 && sides.every(({ reversible, severity }) => reversible && severity !== 'critical');
}

function repeatedFailures(earlier: Earlier | null, { repeated_failures: steps }: RiskSettings): number {
  const failures = earlier?.failures ?? 0;
  return failures === 0 ? 0 : (steps[Math.min(failures, steps.length) - 1] ?? 0);
}

export function severityOf(score: number, settings: RiskSettings): Severity {
  if (score >= settings.critical_threshold) return 'critical';
  if (score >= settings.high_threshold) return 'high';
  return score >= settings.medium_threshold ? 'medium' : 'low';
}

function sum(factors: readonly RiskFactor[]): number {
  return factors.reduce((all, { value }) => all + value, 0);
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
