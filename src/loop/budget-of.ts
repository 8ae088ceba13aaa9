import { own } from 'ralph-kit/own';
import { type AttemptBudget, BUDGET_STEPS } from '../domain/policy.ts';
import type { SupportRole } from '../domain/workflow/roles.ts';
import { cheaperModel, DOWNGRADE_MAKER } from '../respond/policy/index.ts';
import type { LoopContext } from './context.ts';

export function budgetOf(
  { config, workflow }: Pick<LoopContext, 'config' | 'workflow'>,
  { agent, role }: { readonly agent: string; readonly role: SupportRole },
  { limits, spent }: Pick<AttemptBudget, 'limits' | 'spent'>,
): AttemptBudget {
  const downgradeOf = (name: string) => own(config.runners, name)?.downgrade ?? null;
  const others = [...(workflow?.agents.values() ?? [])].map(({ first }) => first.adapter.name);
  const isLater = role === 'maker' && others.some((name) => downgradeOf(name) !== null);
  const downgradeFrom = isLater ? DOWNGRADE_MAKER : BUDGET_STEPS.downgrade;
  const downgrade = downgradeOf(agent);
  return {
    limits,
    spent,
    downgrade,
    downgradeFrom,
    model: cheaperModel(limits, spent, downgrade, downgradeFrom),
  };
}
