import type { Effect } from '../effects/index.ts';
import { type Budget, isSpent, keepForJudging, spend } from '../shell/index.ts';

/** What all rules and the judgement take for an effect, in steps. */
const JUDGING = 12;
const SPENT: Effect = { kind: 'unfollowed', why: 'spent', text: '' };

/**
 * The effects that the budget has room for. Where some are left out, one more says so, and denies: nothing is allowed of
 * which a part wasn't judged.
 */
export function affordable(effects: readonly Effect[], budget: Budget): readonly Effect[] {
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
