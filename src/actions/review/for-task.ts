import type { ReviewSettings } from '../../lib/actions/settings.ts';
import { parseTaskReview } from '../../lib/actions/task-review.ts';
import type { Rule } from './rule.ts';
import { RULES } from './rules/index.ts';
import { selectRules } from './select-rules.ts';

/** Settings and rules for the attempts at one task, with what its attribute `Review:` changes of them. */
export function forTask(
  settings: ReviewSettings,
  rules: readonly Rule[],
  { review }: { readonly review: string | null },
): { readonly settings: ReviewSettings; readonly rules: readonly Rule[] } {
  const said = review === null ? null : parseTaskReview(review);
  if (said === null) return { settings, rules };
  const own = rules.filter((rule) => !RULES.includes(rule));
  const allowed = said.allow.flatMap((name) =>
    name === 'network'
      ? RULES.filter((rule) => rule.name.includes('network')).map((rule) => rule.name)
      : [name],
  );
  const choice = {
    builtin: said.builtin ?? settings.rules.builtin,
    disabled: [...settings.rules.disabled, ...allowed],
  };
  return {
    settings: { ...settings, risk: { ...settings.risk, ...said.thresholds } },
    rules: selectRules(RULES, own, choice).rules,
  };
}
