import { type Action, onlyLooks } from '../domain/action.ts';
import type { ReviewPlace, Ruling } from '../domain/review.ts';
import { type Effect, effectsOfAction } from '../effects/index.ts';
import { deny, type Opinion, type Rule, strictness } from './rule.ts';
import { RULES } from './rules/index.ts';

/** A ruling with what led to it. */
export type Explanation = {
  readonly effects: readonly Effect[];
  /** What the rules said that spoke, in the order of the rules. */
  readonly spoken: readonly Opinion[];
  readonly ruling: Ruling;
};

/** The ruling on an action: the strictest of what the rules say of its effects. */
export function explain(action: Action, place: ReviewPlace, rules: readonly Rule[] = RULES): Explanation {
  const effects = effectsOfAction(action, place);
  const spoken = rules.flatMap((rule) => rule.judge({ action, effects, place }) ?? []);
  return { effects, spoken, ruling: strictest(spoken, effects) };
}

/**
 * The reviewer's ruling on an action. Never throws; an action that can't be analysed is denied unless it only looks.
 */
export function reviewAction(action: Action, place: ReviewPlace): Ruling {
  try {
    return explain(action, place).ruling;
  } catch {
    if (onlyLooks(action)) return { decision: 'allow' };
    const reason = `The call of ${action.tool} could not be analysed. Write it more simply, one step in a call.`;
    return deny('unparsed', reason);
  }
}

/** Among the equally strict, what is said of the earliest effect; of the action as a whole, last. */
function strictest(spoken: readonly Opinion[], effects: readonly Effect[]): Ruling {
  const place = ({ effect }: Opinion) => (effect === null ? effects.length : effects.indexOf(effect));
  const [first] = spoken.toSorted(
    (one, other) => strictness(other.ruling) - strictness(one.ruling) || place(one) - place(other),
  );
  return first?.ruling ?? { decision: 'allow' };
}
