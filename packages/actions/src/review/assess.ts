import type { Ruling } from 'ralph-kit/actions/action';
import { type Action, isReadKind } from 'ralph-kit/actions/action';
import type { Effect } from '../effects/index.ts';
import type { ReviewPlace } from '../forms/place.ts';
import type { ReviewSettings } from '../forms/settings.ts';
import { type Analysis, analyse, byStrictness, TooLate } from './explain.ts';
import type { Goal } from './goal.ts';
import { actionKey, earlierOf, type ReviewHistory } from './judgement/history.ts';
import { type Adjustment, type Decision, stricter, weigh } from './judgement/matrix.ts';
import { type Rating, rateEffects, type SideEffect } from './judgement/ratings.ts';
import { type Rationality, rationalityOf } from './judgement/rationality.ts';
import { type Risk, riskOf, rounded } from './judgement/risk.ts';
import { outOfScope } from './judgement/scope.ts';
import { EXPLANATIONS, REASONS } from './judgement/texts.ts';
import { TooMuch } from './metered-place.ts';
import type { ModuleOpinions } from './own-rules.ts';
import { deny, type Opinion, type Rule } from './rule.ts';

export type Evidence = { readonly from: string; readonly words: string };

export type Assessment = {
  readonly effects: readonly Effect[];
  readonly sideEffects: readonly SideEffect[];
  readonly risk: Risk;
  readonly rationality: Rationality;
  /** Opinions of the rules, strictest first. */
  readonly opinions: readonly Opinion[];
  readonly adjustments: readonly Adjustment[];
  readonly ruling: Ruling;
  /** Reasons against the action, the deciding one first. Empty if there are none. */
  readonly reasons: readonly string[];
  readonly explanation: string;
  /** Share of the action's effects that is known, 0 to 1. */
  readonly confidence: number;
  readonly alternatives: readonly string[];
  readonly evidence: readonly Evidence[];
  /** Kind of action, by which the history counts. */
  readonly signature: string;
  readonly analysis: Analysis;
};

type ReviewContext = {
  readonly settings: Pick<ReviewSettings, 'risk' | 'rationality'>;
  readonly rules: readonly Rule[];
  /** `null`: the goal isn't known, which counts against no action. */
  readonly goal: Goal | null;
  readonly history: ReviewHistory;
};

type Options = {
  /** Analysis of an equal action, which doesn't depend on the history. */
  readonly cached?: Analysis | null;
  readonly isLate?: () => boolean;
};

/**
 * Reviews an action and returns its effects, risk, rationality and ruling. Never throws: an action that can't be analysed, or not in time,
 * is denied unless it only reads.
 */
export function assess(
  action: Action,
  place: ReviewPlace,
  context: ReviewContext,
  { cached = null, isLate = () => false }: Options = {},
): Assessment {
  try {
    const analysis = cached ?? analyse(action, place, context, isLate);
    return judge(action, place, context, analysis);
  } catch (error) {
    const judged = judge(action, place, context, NOTHING_KNOWN);
    if (isReadKind(action)) return judged;
    const late = error instanceof TooLate;
    // A machine that is too busy isn't the agent's fault.
    const why = error instanceof TooMuch ? REASONS.tooMuch : REASONS.failed;
    const ruling = late
      ? ({ ...deny('too_late', REASONS.late(action.tool)), harmless: true } as const)
      : deny('unparsed', why(action.tool));
    return withDenial(judged, ruling);
  }
}

/**
 * Returns the assessment with the opinions of a module's rules. If one of them failed, the action is denied, as a
 * precaution: its answer might have been a denial.
 */
export function withModule(
  own: Assessment,
  action: Action,
  place: ReviewPlace,
  context: ReviewContext,
  { opinions, failed: [failed] }: ModuleOpinions,
): Assessment {
  const { analysis } = own;
  const all = [...analysis.opinions, ...opinions];
  const judged = opinions.length === 0 ? own : judge(action, place, context, { ...analysis, opinions: all });
  if (failed === undefined || judged.ruling.decision === 'deny') return judged;
  return withDenial(judged, { ...deny(failed.rule, REASONS.ruleFailed(failed.error)), harmless: true });
}

/** Returns whether the action was analysed. If it wasn't, no rule has judged it. */
export function isAnalysed({ analysis }: Assessment): boolean {
  return analysis !== NOTHING_KNOWN;
}

function withDenial(judged: Assessment, ruling: Extract<Ruling, { decision: 'deny' }>): Assessment {
  const reasons = [ruling.reason, ...judged.reasons];
  return { ...judged, ruling, reasons, explanation: EXPLANATIONS.deny, confidence: UNSURE };
}

const NOTHING_KNOWN: Analysis = { effects: [], opinions: [] };
const UNSURE = 0.5;

function judge(
  action: Action,
  place: ReviewPlace,
  { settings, goal, history }: ReviewContext,
  analysis: Analysis,
): Assessment {
  const { effects } = analysis;
  const opinions = byStrictness(analysis);
  const earlier = earlierOf(history, actionKey(action));
  const scope = outOfScope(effects, goal, place);
  const ratings = rateEffects(effects, { action, place });
  const dangerous = opinions.filter(({ ruling }) => ruling.decision !== 'warn');
  const risk = riskOf(
    { action, ratings, outOfScope: scope.outside, dangerous: dangerous.length > 0, earlier, place },
    settings.risk,
  );
  const rationality = rationalityOf({ action, effects, goal, history, earlier, scope }, settings.rationality);
  const sideEffects = ratings.flatMap(({ side }) => side ?? []);
  const critical = sideEffects.filter(({ severity }) => severity === 'critical');
  const signature = signatureOf(action, ratings);
  const changed = dangerous.find(({ ruling }) => ruling.decision === 'modify');
  const weighed = weigh({
    risk: risk.severity,
    rationality: rationality.level,
    criticalEffects: critical.length > 0,
    dangerous: dangerous.length > 0,
    firstTime: !history.kinds.has(signature),
    rewritable: changed !== undefined,
  });
  const reasons = reasonsFor({ risk, rationality, critical, dangerous, sideEffects, ratings });
  const ruling = joined(weighed.decision, opinions, reasons);
  const alternatives = alternativesTo(ruling, { effects, rationality, opinions, sideEffects });
  return {
    effects,
    sideEffects,
    risk,
    rationality,
    opinions,
    ruling,
    signature,
    alternatives,
    analysis,
    adjustments: weighed.adjustments,
    reasons: ruling.decision === 'allow' ? [] : [...new Set([ruling.reason, ...reasons])],
    explanation: EXPLANATIONS[ruling.decision],
    confidence: confidenceIn(action, effects),
    evidence: evidenceOf(opinions, risk, rationality),
  };
}

/** Returns the stricter decision of the rules and the matrix. If equal, the rule's reason counts, as it is more specific. */
function joined(decision: Decision, opinions: readonly Opinion[], reasons: readonly string[]): Ruling {
  const [first] = opinions;
  const byRule: Decision = first?.ruling.decision ?? 'allow';
  if (first !== undefined && stricter(byRule, decision) === byRule) return first.ruling;
  const reason = reasons[0] ?? '';
  switch (decision) {
    case 'deny':
      return deny('judgement', reason);
    case 'modify': {
      // A rule with a rewrite is as strict as the matrix here.
      return first?.ruling ?? { decision: 'allow' };
    }
    case 'warn':
      return { decision: 'warn', rule: 'judgement', reason };
    case 'allow':
      return { decision: 'allow' };
  }
}

type Weight = Pick<Assessment, 'risk' | 'rationality' | 'sideEffects'> & {
  readonly critical: readonly SideEffect[];
  readonly dangerous: readonly Opinion[];
  readonly ratings: readonly Rating[];
};

function reasonsFor({ risk, rationality, critical, dangerous, sideEffects, ratings }: Weight): string[] {
  const worst = ratings.toSorted((one, other) => other.risk - one.risk)[0];
  const what = worst?.side?.what ?? 'command of which little is known';
  return [
    ...(critical.length > 0 ? [REASONS.criticalEffects(critical)] : []),
    REASONS.risk[risk.severity]({ score: risk.score, what, factors: risk.factors }),
    ...(rationality.level !== 'high' ? [REASONS.rationality(rationality.issues)] : []),
    ...(dangerous.length > 0 ? [REASONS.dangerous(dangerous.map(({ ruling }) => ruling.rule))] : []),
    ...(sideEffects.length > 0 ? [REASONS.sideEffects(sideEffects)] : []),
  ];
}

type Known = Pick<Assessment, 'effects' | 'rationality' | 'opinions' | 'sideEffects'>;

function alternativesTo(ruling: Ruling, { effects, rationality, opinions, sideEffects }: Known): string[] {
  if (ruling.decision === 'allow') return [...rationality.suggestions];
  const fromRules = opinions.flatMap(({ ruling: each }) =>
    each.decision === 'modify' ? [each.alternative] : [],
  );
  const safer = effects.flatMap((effect) => (effect.kind === 'history' ? (effect.instead ?? []) : []));
  const mitigations = sideEffects.flatMap(({ reversible, mitigation }) =>
    reversible || mitigation === '' ? [] : [mitigation],
  );
  return [...new Set([...fromRules, ...safer, ...rationality.suggestions, ...mitigations])];
}

/** Returns a lower confidence for each unknown part of an action. */
function confidenceIn(action: Action, effects: readonly Effect[]): number {
  const unfollowed = effects.some(({ kind }) => kind === 'unfollowed' || kind === 'runs_script');
  const unclear = effects.some(
    (effect) => 'spots' in effect && effect.spots().some(({ kind }) => kind === 'anywhere'),
  );
  const doubts = (unfollowed ? 0.3 : 0) + (unclear ? 0.2 : 0) + (action.kind === 'unknown' ? 0.3 : 0);
  return rounded(Math.max(0.1, 1 - doubts));
}

function evidenceOf(opinions: readonly Opinion[], risk: Risk, rationality: Rationality): Evidence[] {
  return [
    ...opinions.map(({ ruling, effect }) => ({
      from: ruling.rule,
      words: effect !== null && 'shown' in effect ? effect.shown : '',
    })),
    { from: 'risk', words: `${risk.score} (${risk.severity})` },
    { from: 'rationality', words: `${rationality.score} (${rationality.level})` },
  ];
}

function signatureOf({ tool, kind }: Action, ratings: readonly Rating[]): string {
  const [worst] = ratings.toSorted((one, other) => other.risk - one.risk);
  const by = worst !== undefined && 'by' in worst.effect ? worst.effect.by : '';
  return `${kind} ${tool} ${worst?.effect.kind ?? ''} ${by}`;
}
