import { RULE_SETS } from './settings.ts';

const THRESHOLDS = ['medium_threshold', 'high_threshold', 'critical_threshold'] as const;

/** What the attribute `Review:` of a task changes for its attempts. */
export type TaskReview = {
  /** In place of `[review.rules] builtin`. */
  readonly builtin: (typeof RULE_SETS)[number] | null;
  /** Rules that don't speak: their names, or `network` for all that have it in their names. */
  readonly allow: readonly string[];
  /** In place of those of `[review.risk]`. */
  readonly thresholds: Readonly<Partial<Record<(typeof THRESHOLDS)[number], number>>>;
};

export const TASK_REVIEW_FORM =
  'essential, all, none, "allow NAME" or "high_threshold 0.9", with commas between';

/** Reads the attribute; `null` where it isn't of that form. */
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

/** Whether it lets pass what passes nowhere else. */
export function loosensReview(text: string): boolean {
  const review = parseTaskReview(text);
  if (review === null) return false;
  const fewer = review.builtin !== null && review.builtin !== 'all';
  return fewer || review.allow.length > 0 || Object.keys(review.thresholds).length > 0;
}
