import {
  addCost,
  BUDGET_STEPS,
  budgetShare,
  costText,
  type PolicyFacts,
  type PolicyStop,
  type QualityFacts,
  shareText,
  spentText,
} from '../../domain/policy.ts';
import { budgetStep, notCovered } from './budget.ts';

/** Decision of the policies. `due`: why a checkpoint is taken. */
export type PolicyDecision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'checkpoint'; readonly due: 'tasks' | 'time' }
  | { readonly kind: 'stop'; readonly stop: Pick<PolicyStop, 'kind' | 'reason' | 'trigger'> };

/** Returns the decision: the budget comes first, then the break, then a checkpoint that is due. */
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

function budgetStop({ limits, spent, reserved, next }: PolicyFacts): PolicyDecision | null {
  const most = budgetShare(limits, spent);
  if (most === null) return null;
  // Costs reserved for other workers count as spent, so that no attempt starts only to be ended by the budget.
  const taken = addCost(spent, reserved);
  const step = budgetStep(limits, taken);
  const shown = spentText(limits, spent, most.by);
  if (step === 'stop') return stop('budget', `The budget is spent: ${shown}.`);
  if (next?.current === true) return null;
  if (step === 'finish')
    return stop(
      'budget',
      `${shareText(BUDGET_STEPS.finish)} of the budget is spent (${shown}); no other task is started.`,
    );
  if (next === null) return null;
  const lacking = notCovered(limits, taken, next.mean);
  if (lacking === null || next.mean === null) return null;
  const mean = costText(next.mean[lacking], lacking);
  const left = costText(limits[lacking] - taken[lacking], lacking);
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

/** Spent share of the budget above which a run stops at a checkpoint. */
export const STOP_ABOVE = 0.8;
/** Difference in quality between the first and the last task that is allowed. */
const QUALITY_LOSS = 0.2;

/**
 * Returns what happens at a checkpoint; `null`: none is due. It is due after a number of tasks or a time, whichever
 * comes first.
 */
function atCheckpoint({ checkpoint, limits, spent, quality }: PolicyFacts): PolicyDecision | null {
  const { everyMs, everyTasks, ms, done } = checkpoint;
  const isByTasks = everyTasks > 0 && done >= everyTasks;
  if (!isByTasks && !(everyMs > 0 && ms >= everyMs)) return null;
  const most = budgetShare(limits, spent);
  if (most !== null && most.share > STOP_ABOVE) {
    const above = `more than ${shareText(STOP_ABOVE)} of the budget is spent`;
    return stop('budget', `At a checkpoint ${above} (${spentText(limits, spent, most.by)}).`);
  }
  const { first, last } = quality;
  // With rounding, 0.8 of 1 equals the limit in spite of binary fractions.
  const rounded = (score: number) => Math.round(score * 1e6);
  if (first !== null && last !== null && rounded(last.score) < rounded(first.score * (1 - QUALITY_LOSS))) {
    const scores = `${last.taskId} scores ${last.score.toFixed(2)}, ${first.taskId} scored ${first.score.toFixed(2)}`;
    return stop('checkpoint', `The quality of the work is falling: ${scores}.`);
  }
  return { kind: 'checkpoint', due: isByTasks ? 'tasks' : 'time' };
}

/** Number of changed lines that can be reviewed at once. A larger diff lowers the score. */
const LINES_AT_ONCE = 400;

/**
 * Loss of quality for each sign. One sign alone stays below `QUALITY_LOSS`, because a second attempt doesn't mean that
 * the work gets worse.
 */
const LOSS = { gates: 0.05, attempt: 0.05, finding: 0.03, size: 0.1 } as const;
const MOST = { attempts: 3, findings: 5 } as const;

/** Returns a score from 0 to 1. */
export function qualityScore({ gatesAtFirstTry, attempts, findings, diffLines }: QualityFacts): number {
  const size = 1 - Math.min(1, LINES_AT_ONCE / Math.max(1, diffLines));
  return (
    1 -
    (gatesAtFirstTry ? 0 : LOSS.gates) -
    LOSS.attempt * Math.min(MOST.attempts, Math.max(0, attempts - 1)) -
    LOSS.finding * Math.min(MOST.findings, findings) -
    LOSS.size * size
  );
}
