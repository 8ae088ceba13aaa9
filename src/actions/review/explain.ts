import { type Action, isReadKind } from '../../lib/actions/action.ts';
import type { FailedRule, ReviewPlace, Ruling } from '../../lib/actions/review.ts';
import { type Effect, effectsOfAction } from '../effects/index.ts';
import { type Budget, isSpent, keepForJudging, newBudget, spend } from '../shell/index.ts';
import type { Goal } from './goal.ts';
import { placesAlong } from './made.ts';
import { meteredPlace, TooMuch } from './metered-place.ts';
import { deny, type Opinion, type Rule, strictness } from './rule.ts';
import { RULES } from './rules/index.ts';

/** What an action does, and what the rules say of it, in their order. */
export type Analysis = {
  readonly effects: readonly Effect[];
  readonly spoken: readonly Opinion[];
  /** Rules of yours that failed, each with its error: they say nothing. */
  readonly failed: readonly FailedRule[];
};

/** Thrown by an analysis that takes longer than it may. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** A ruling with what led to it. */
export type Explanation = Analysis & {
  readonly ruling: Ruling;
};

/**
 * What an action does, and what the rules say of it. A rule of yours that throws is left out and named; one of ralph's
 * own that throws leaves the action without a judgement.
 *
 * @param isLate Whether the time for it is over.
 * @throws TooLate, TooMuch
 */
export function analyse(
  action: Action,
  start: ReviewPlace,
  { rules, goal }: { readonly rules: readonly Rule[]; readonly goal: Goal | null },
  isLate: () => boolean = () => false,
): Analysis {
  const budget = newBudget();
  const place = meteredPlace(start, budget);
  const effects = affordable(effectsOfAction(action, place, budget), budget);
  const subject = { action, effects, place, goal, budget, placeAt: placesAlong(effects, place) };
  const failed: FailedRule[] = [];
  const spoken = rules.flatMap((rule) => {
    if (isLate()) throw new TooLate();
    try {
      return rule.judge(subject) ?? [];
    } catch (error) {
      if (RULES.includes(rule) || error instanceof TooMuch) throw error;
      failed.push({ rule: rule.name, error: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
  if (isSpent(budget)) throw new TooMuch();
  return { effects, spoken, failed };
}

/** What all rules and the judgement take for an effect, in steps. */
const JUDGING = 12;
const SPENT: Effect = { kind: 'unfollowed', why: 'spent', text: '' };

/**
 * The effects that the budget has room for. Where some are left out, one more says so, and denies: nothing is allowed of
 * which a part wasn't judged.
 */
function affordable(effects: readonly Effect[], budget: Budget): readonly Effect[] {
  const wasSpent = isSpent(budget);
  keepForJudging(budget);
  const kept = effects.filter(
    (effect) => !isSpentOne(effect) && spend(budget, JUDGING + ('spots' in effect ? effect.steps : 0)),
  );
  const isCut = isSpent(budget);
  keepForJudging(budget);
  return wasSpent || isCut ? [...kept, effects.find(isSpentOne) ?? SPENT] : kept;
}

function isSpentOne(effect: Effect): boolean {
  return effect.kind === 'unfollowed' && effect.why === 'spent';
}

/** The ruling of the rules alone on an action: the strictest of what they say of its effects. */
export function explain(
  action: Action,
  place: ReviewPlace,
  rules: readonly Rule[] = RULES,
  goal: Goal | null = null,
): Explanation {
  const analysis = analyse(action, place, { rules, goal });
  const [first] = byStrictness(analysis);
  return { ...analysis, ruling: first?.ruling ?? { decision: 'allow' } };
}

/**
 * The rules' ruling on an action. Never throws; an action that can't be analysed is denied unless it only looks.
 */
export function reviewAction(action: Action, place: ReviewPlace): Ruling {
  try {
    return explain(action, place).ruling;
  } catch {
    if (isReadKind(action)) return { decision: 'allow' };
    const reason = `The call of ${action.tool} could not be analysed. Write it more simply, one step in a call.`;
    return deny('unparsed', reason);
  }
}

/**
 * What the rules said, the strictest first. Among the equally strict, what is said of the earliest effect comes first; of
 * the action as a whole, last.
 */
export function byStrictness({ spoken, effects }: Pick<Analysis, 'spoken' | 'effects'>): readonly Opinion[] {
  const place = ({ effect }: Opinion) => (effect === null ? effects.length : effects.indexOf(effect));
  return spoken.toSorted(
    (one, other) => strictness(other.ruling) - strictness(one.ruling) || place(one) - place(other),
  );
}
