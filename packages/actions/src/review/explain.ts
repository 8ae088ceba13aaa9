import type { Ruling } from 'ralph-kit/actions/action';
import { type Action, isReadKind } from 'ralph-kit/actions/action';
import { type Effect, effectsOfAction } from '../effects/index.ts';
import type { ReviewPlace } from '../forms/place.ts';
import { type Budget, isSpent, keepForJudging, newBudget, spend } from '../shell/index.ts';
import type { Goal } from './goal.ts';
import { placesAlong } from './made.ts';
import { meteredPlace, TooMuch } from './metered-place.ts';
import { deny, type Opinion, type Rule, strictness } from './rule.ts';
import { RULES } from './rules/index.ts';

/** The effects of an action, with the rules' opinions in the order of the rules. */
export type Analysis = {
  readonly effects: readonly Effect[];
  readonly opinions: readonly Opinion[];
};

export class TooLate extends Error {
  override readonly name = 'TooLate';
}

export type Explanation = Analysis & {
  readonly ruling: Ruling;
};

/**
 * Returns the effects of an action and the rules' opinions.
 * @param isLate Returns whether the time for the analysis is over.
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
  const opinions = rules.flatMap((rule) => {
    if (isLate()) throw new TooLate();
    return rule.judge(subject) ?? [];
  });
  if (isSpent(budget)) throw new TooMuch();
  return { effects, opinions };
}

/** Steps of the review's budget for judging one effect by all rules. */
const JUDGING = 12;
const SPENT: Effect = { kind: 'unfollowed', why: 'spent', text: '' };

/** Returns the effects that the budget covers. If some are left out, an added effect denies the action, as part of it wasn't judged. */
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

/** Returns the strictest ruling of the rules on an action, without risk and rationality. */
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

/** Returns the rules' ruling on an action. Never throws: an action that can't be analysed is denied unless it only reads. */
export function reviewAction(action: Action, place: ReviewPlace): Ruling {
  try {
    return explain(action, place).ruling;
  } catch {
    if (isReadKind(action)) return { decision: 'allow' };
    const reason = `The call of ${action.tool} could not be analysed. Write it more simply, one step in a call.`;
    return deny('unparsed', reason);
  }
}

/** Returns the opinions, strictest first. Equal ones follow the order of the effects; opinions on the whole action come last. */
export function byStrictness({
  opinions,
  effects,
}: Pick<Analysis, 'opinions' | 'effects'>): readonly Opinion[] {
  const place = ({ effect }: Opinion) => (effect === null ? effects.length : effects.indexOf(effect));
  return opinions.toSorted(
    (one, other) => strictness(other.ruling) - strictness(one.ruling) || place(one) - place(other),
  );
}
