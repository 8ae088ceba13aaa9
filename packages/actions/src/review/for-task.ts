import { parseTaskReview } from 'ralph-kit/actions/task-review';
import type { ReviewSettings } from '../forms/settings.ts';
import type { ModuleRule, Rule } from './rule.ts';
import { RULES } from './rules/index.ts';
import { selectRules } from './select-rules.ts';

/** Returns settings and rules for the attempts at a task, changed by its attribute `Review:`. */
export function forTask(
  settings: ReviewSettings,
  rules: readonly (Rule | ModuleRule)[],
  { review }: { readonly review: string | null },
): { readonly settings: ReviewSettings; readonly rules: readonly (Rule | ModuleRule)[] } {
  const overrides = review === null ? null : parseTaskReview(review);
  if (overrides === null) return { settings, rules };
  const own = rules.filter((rule) => !(RULES as typeof rules).includes(rule));
  const allowed = overrides.allow.flatMap((name) =>
    name === 'network'
      ? RULES.filter((rule) => rule.name.includes('network')).map((rule) => rule.name)
      : [name],
  );
  const choice = {
    builtin: overrides.builtin ?? settings.rules.builtin,
    disabled: [...settings.rules.disabled, ...allowed],
  };
  return {
    settings: { ...settings, risk: { ...settings.risk, ...overrides.thresholds } },
    rules: selectRules(RULES, own, choice).rules,
  };
}
