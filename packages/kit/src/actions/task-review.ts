import { didYouMean } from '../nearest.ts';
import { type ReviewSettings, RULE_SETS } from './settings.ts';

const THRESHOLDS = ['medium_threshold', 'high_threshold', 'critical_threshold'] as const;

/** Changes to the review by a task's `Review:` attribute. */
export type TaskReview = {
  /** Replaces `[review.rules] builtin`. */
  readonly builtin: (typeof RULE_SETS)[number] | null;
  /** Disabled rules by name; `network` disables all with it in their name. */
  readonly allow: readonly string[];
  /** Replaces thresholds of `[review.risk]`. */
  readonly thresholds: Readonly<Partial<Record<(typeof THRESHOLDS)[number], number>>>;
};

export const TASK_REVIEW_FORM =
  'essential, all, none, "allow NAME" or "high_threshold 0.9", with commas between';

/** Returns `null` for an invalid attribute. */
export function parseTaskReview(text: string): TaskReview | null {
  let builtin: TaskReview['builtin'] = null;
  const allow: string[] = [];
  const thresholds: Partial<Record<(typeof THRESHOLDS)[number], number>> = {};
  for (const part of text.split(',').map((each) => each.trim().toLowerCase())) {
    const [, allowed] = /^allow\s+([a-z_][\w-]*)$/.exec(part) ?? [];
    const [, name, value] = /^(\w+_threshold)\s*=?\s*(\d(?:\.\d+)?)$/.exec(part) ?? [];
    const set = RULE_SETS.find((one) => one === part);
    const threshold = THRESHOLDS.find((one) => one === name);
    if (set !== undefined) builtin = set;
    else if (allowed !== undefined) allow.push(allowed);
    else if (threshold !== undefined && Number(value) <= 1) thresholds[threshold] = Number(value);
    else return null;
  }
  return { builtin, allow, thresholds };
}

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
