import { parseTaskReview, RULE_SETS, THRESHOLDS } from 'ralph-kit/actions/task-review';
import { didYouMean } from 'ralph-kit/nearest';
import type { ReviewSettings } from './settings.ts';

export type ReviewInForce = Pick<ReviewSettings, 'risk' | 'rules'>;

/** Whether the attribute allows anything that is otherwise denied. */
export function loosensReview(text: string, { risk, rules }: ReviewInForce): boolean {
  const review = parseTaskReview(text);
  if (review === null) return false;
  const { builtin, allow, thresholds } = review;
  const fewer = builtin !== null && RULE_SETS.indexOf(builtin) > RULE_SETS.indexOf(rules.builtin);
  const higher = THRESHOLDS.some((name) => (thresholds[name] ?? 0) > risk[name]);
  return fewer || higher || allow.some((name) => !rules.disabled.includes(name));
}

export type NamedRule = { readonly name: string; readonly fixed?: boolean | undefined };

/**
 * Returns what is wrong with a task's own settings for the review, one sentence each.
 * @param rules All rules; `null`: the names of your own rules aren't known yet.
 */
export function taskReviewProblems(
  text: string,
  { risk }: Pick<ReviewInForce, 'risk'>,
  rules: readonly NamedRule[] | null,
): string[] {
  const review = parseTaskReview(text);
  if (review === null) return [];
  const names = rules?.map(({ name }) => name) ?? [];
  const ofRules = review.allow.flatMap((name) => {
    if (rules === null || name === 'network') return [];
    const rule = rules.find((one) => one.name === name);
    if (rule?.fixed === true) return [`${name} is always on`];
    if (rule !== undefined) return [];
    const near = didYouMean(name, [...names, 'network']);
    const where = '; docs/REVIEW_RULES.md has their names';
    return [`there is no rule ${JSON.stringify(name)}${near === '' ? where : `.${near}`}`];
  });
  const all = { ...risk, ...review.thresholds };
  const ofOrder = THRESHOLDS.flatMap((name, at) => {
    const next = THRESHOLDS[at + 1];
    if (next === undefined || all[name] <= all[next]) return [];
    return [`${name} (${all[name]}) is above ${next} (${all[next]})`];
  });
  return [...ofRules, ...ofOrder];
}
