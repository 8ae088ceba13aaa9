import { RULES } from 'ralph-actions/review';
import { type DataOf, success } from '../../result.ts';
import { reviewHere } from '../../setup/review-setup.ts';

export type ReviewRulesResult = DataOf<typeof reviewRules>;

export async function reviewRules({ cwd }: { readonly cwd: string }) {
  const here = await reviewHere(cwd);
  if (!here.ok) return here;
  const own = here.rules.filter((rule) => !RULES.includes(rule));
  const rules = [...RULES, ...own].map((rule) => ({
    name: rule.name,
    ruling: rule.ruling === 'deny' ? ('block' as const) : rule.ruling,
    essential: rule.essential,
    fixed: rule.fixed === true,
    custom: own.includes(rule),
    enabled: here.rules.includes(rule),
    finds: rule.finds,
    instead: rule.instead,
  }));
  return success({ builtin: here.settings.rules.builtin, rules, problems: [...here.problems] });
}
