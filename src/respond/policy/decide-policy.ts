import { budgetShare, costText, type PolicyFacts, type PolicyStop, spentText } from '../../domain/policy.ts';
import { budgetStep, notCovered } from './budget.ts';
import {
  type CheckpointDue,
  checkpointDue,
  isDegrading,
  isOverCheckpoint,
  STOP_ABOVE,
} from './checkpoint.ts';

/** What the policies ask for before a task is started. */
export type PolicyDecision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'checkpoint'; readonly due: CheckpointDue }
  | { readonly kind: 'stop'; readonly stop: Pick<PolicyStop, 'kind' | 'reason' | 'trigger'> };

/** Decides between the policies: budget, break, then what a checkpoint that is due shows (decisions.md, Order of stops). */
export function decidePolicy(facts: PolicyFacts): PolicyDecision {
  return budgetStop(facts) ?? breakStop(facts) ?? atCheckpoint(facts) ?? { kind: 'continue' };
}

function stop(
  kind: PolicyStop['kind'],
  reason: string,
  trigger: PolicyStop['trigger'] = null,
): PolicyDecision {
  return { kind: 'stop', stop: { kind, reason, trigger } };
}

function budgetStop({ limits, spent, next }: PolicyFacts): PolicyDecision | null {
  const most = budgetShare(limits, spent);
  if (most === null) return null;
  const step = budgetStep(limits, spent);
  const said = spentText(limits, spent, most.by);
  if (step === 'stop') return stop('budget', `The budget is spent: ${said}.`);
  if (next?.current === true) return null;
  if (step === 'finish')
    return stop('budget', `95 % of the budget is spent (${said}); no other task is started.`);
  if (next === null) return null;
  const lacking = notCovered(limits, spent, next.mean);
  if (lacking === null || next.mean === null) return null;
  const mean = costText(next.mean[lacking], lacking);
  const left = costText(limits[lacking] - spent[lacking], lacking);
  return stop(
    'budget',
    `${next.taskId} isn't started: a ${next.level} task takes ${mean} on average, and ${left} of the budget is left.`,
  );
}

function breakStop({ armed, next }: PolicyFacts): PolicyDecision | null {
  if (armed === null) return null;
  if (!armed.hard && next?.current === true && next.taskId === armed.taskId) return null;
  return stop('break', armed.reason, armed);
}

function atCheckpoint(facts: PolicyFacts): PolicyDecision | null {
  const due = checkpointDue(facts);
  if (due === null) return null;
  const { limits, spent, quality } = facts;
  if (isOverCheckpoint(facts)) {
    const by = budgetShare(limits, spent)?.by ?? 'usd';
    const above = `more than ${Math.round(STOP_ABOVE * 100)} % of the budget is spent`;
    return stop('budget', `At a checkpoint ${above} (${spentText(limits, spent, by)}).`);
  }
  if (isDegrading(quality) && quality.first !== null && quality.last !== null) {
    const { first, last } = quality;
    const scores = `${last.taskId} scores ${last.score.toFixed(2)}, ${first.taskId} scored ${first.score.toFixed(2)}`;
    return stop('checkpoint', `The quality of the work is falling: ${scores}.`);
  }
  return { kind: 'checkpoint', due };
}
