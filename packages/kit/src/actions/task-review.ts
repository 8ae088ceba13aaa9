/** Values of `[review.rules] builtin`, strictest first. */
export const RULE_SETS = ['all', 'essential', 'none'] as const;

export const THRESHOLDS = ['medium_threshold', 'high_threshold', 'critical_threshold'] as const;

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
