import { type Action, isReadKind } from '../../lib/actions/action.ts';
import type { ReviewPlace, Ruling } from '../../lib/actions/review.ts';
import type { ReviewSettings } from '../../lib/actions/settings.ts';
import type { Effect } from '../effects/index.ts';
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
import { deny, type Opinion, type Rule } from './rule.ts';

/** What is behind a decision: a rule or a number, with the words or the value that it goes by. */
export type Evidence = { readonly from: string; readonly words: string };

/** The review of an action, with all that led to it. */
export type Assessment = {
  readonly effects: readonly Effect[];
  readonly sideEffects: readonly SideEffect[];
  readonly risk: Risk;
  readonly rationality: Rationality;
  /** What the rules said, the strictest first. */
  readonly spoken: readonly Opinion[];
  readonly adjustments: readonly Adjustment[];
  readonly ruling: Ruling;
  /** The first one decided. Empty: nothing speaks against it. */
  readonly reasons: readonly string[];
  readonly explanation: string;
  /** 0 to 1: how much of what the action does is known. */
  readonly confidence: number;
  readonly alternatives: readonly string[];
  readonly evidence: readonly Evidence[];
  /** What this kind of action is called in the history. */
  readonly signature: string;
  /** The part that an equal action shares. */
  readonly analysis: Analysis;
};

/** What an action is judged by besides itself and the place where it happens. */
type ReviewContext = {
  readonly settings: Pick<ReviewSettings, 'risk' | 'rationality'>;
  readonly rules: readonly Rule[];
  /** `null`: not known, which speaks against no action. */
  readonly goal: Goal | null;
  readonly history: ReviewHistory;
};

type Options = {
  /** The part that doesn't depend on the history, where it is known from an equal action. */
  readonly known?: Analysis | null;
  /** Whether the time for a review is over. */
  readonly isLate?: () => boolean;
};

/**
 * Reviews an action: its effects, its risk, how sensible it is, what the rules say, and what follows from all that.
 * Never throws: what can't be analysed, or not in time, is denied unless it only looks.
 */
export function assess(
  action: Action,
  place: ReviewPlace,
  context: ReviewContext,
  { known = null, isLate = () => false }: Options = {},
): Assessment {
  try {
    const analysis = known ?? analyse(action, place, context, isLate);
    return judge(action, place, context, analysis);
  } catch (error) {
    const judged = judge(action, place, context, NOTHING_KNOWN);
    if (isReadKind(action)) return judged;
    const late = error instanceof TooLate;
    // A busy machine isn't the agent's doing.
    const why = error instanceof TooMuch ? REASONS.tooMuch : REASONS.failed;
    const ruling: Ruling = late
      ? { ...deny('too_late', REASONS.late(action.tool)), harmless: true }
      : deny('unparsed', why(action.tool));
    const reasons = [ruling.reason, ...judged.reasons];
    return { ...judged, ruling, reasons, explanation: EXPLANATIONS.deny, confidence: UNSURE };
  }
}

const NOTHING_KNOWN: Analysis = { effects: [], spoken: [], failed: [] };
/** Of an action that couldn't be analysed. */
const UNSURE = 0.5;

function judge(
  action: Action,
  place: ReviewPlace,
  { settings, goal, history }: ReviewContext,
  analysis: Analysis,
): Assessment {
  const { effects } = analysis;
  const spoken = byStrictness(analysis);
  const earlier = earlierOf(history, actionKey(action));
  const scope = outOfScope(effects, goal, place);
  const ratings = rateEffects(effects, { action, place });
  const dangerous = spoken.filter(({ ruling }) => ruling.decision !== 'warn');
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
    ...{ risk: risk.severity, rationality: rationality.level, criticalEffects: critical.length > 0 },
    dangerous: dangerous.length > 0,
    firstTime: !history.kinds.has(signature),
    rewritable: changed !== undefined,
  });
  const reasons = reasonsFor({ risk, rationality, critical, dangerous, sideEffects, ratings });
  const ruling = joined(weighed.decision, spoken, reasons);
  const alternatives = alternativesTo(ruling, { effects, rationality, spoken, sideEffects });
  return {
    ...{ effects, sideEffects, risk, rationality, spoken, ruling, signature, alternatives, analysis },
    adjustments: weighed.adjustments,
    reasons: ruling.decision === 'allow' ? [] : [...new Set([ruling.reason, ...reasons])],
    explanation: EXPLANATIONS[ruling.decision],
    confidence: confidenceIn(action, effects),
    evidence: evidenceOf(spoken, risk, rationality),
  };
}

/** The strictest of the rules and of the matrix; between equals the rule speaks, which knows what it is about. */
function joined(decision: Decision, spoken: readonly Opinion[], reasons: readonly string[]): Ruling {
  const [first] = spoken;
  const byRule: Decision = first?.ruling.decision ?? 'allow';
  if (first !== undefined && stricter(byRule, decision) === byRule) return first.ruling;
  const reason = reasons[0] ?? '';
  switch (decision) {
    case 'deny':
      return deny('judgement', reason);
    case 'modify': {
      // Only where a rule changes the action; that one is as strict.
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

type Known = Pick<Assessment, 'effects' | 'rationality' | 'spoken' | 'sideEffects'>;

/** What could be done instead, the best first. */
function alternativesTo(ruling: Ruling, { effects, rationality, spoken, sideEffects }: Known): string[] {
  if (ruling.decision === 'allow') return [...rationality.suggestions];
  const fromRules = spoken.flatMap(({ ruling: each }) =>
    each.decision === 'modify' ? [each.alternative] : [],
  );
  const safer = effects.flatMap((effect) => (effect.kind === 'history' ? (effect.instead ?? []) : []));
  const mitigations = sideEffects.flatMap(({ reversible, mitigation }) =>
    reversible || mitigation === '' ? [] : [mitigation],
  );
  return [...new Set([...fromRules, ...safer, ...rationality.suggestions, ...mitigations])];
}

/** What isn't known of an action makes its review less sure. */
function confidenceIn(action: Action, effects: readonly Effect[]): number {
  const unfollowed = effects.some(({ kind }) => kind === 'unfollowed' || kind === 'runs_script');
  const unclear = effects.some(
    (effect) => 'spots' in effect && effect.spots().some(({ kind }) => kind === 'anywhere'),
  );
  const doubts = (unfollowed ? 0.3 : 0) + (unclear ? 0.2 : 0) + (action.kind === 'unknown' ? 0.3 : 0);
  return rounded(Math.max(0.1, 1 - doubts));
}

function evidenceOf(spoken: readonly Opinion[], risk: Risk, rationality: Rationality): Evidence[] {
  return [
    ...spoken.map(({ ruling, effect }) => ({
      from: ruling.rule,
      words: effect !== null && 'shown' in effect ? effect.shown : '',
    })),
    { from: 'risk', words: `${risk.score} (${risk.severity})` },
    { from: 'rationality', words: `${rationality.score} (${rationality.level})` },
  ];
}

/** What kind of action it is: its tool, and the worst that it does. */
function signatureOf({ tool, kind }: Action, ratings: readonly Rating[]): string {
  const [worst] = ratings.toSorted((one, other) => other.risk - one.risk);
  const by = worst !== undefined && 'by' in worst.effect ? worst.effect.by : '';
  return `${kind} ${tool} ${worst?.effect.kind ?? ''} ${by}`;
}
