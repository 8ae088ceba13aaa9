import { grouped } from 'ralph-kit/counted';
import type { EntryOf } from '../../domain/entry.ts';
import {
  budgetShare,
  COST_KINDS,
  type Cost,
  spentText as costSpentText,
  costText,
} from '../../domain/policy.ts';
import type { Terminal } from './terminal.ts';
import { localTime } from './times.ts';

/**
 * `$3.20 of $20.00, 40,000 of 1,000,000 tokens`: the spending of each limited cost; '' where nothing is
 * limited.
 */
export function budgetText(limits: Cost, spent: Cost): string {
  return COST_KINDS.filter((by) => limits[by] > 0)
    .map((by) => costSpentText(limits, spent, by))
    .join(', ');
}

const STEPS: Readonly<Record<EntryOf<'budget_reached'>['at'], string>> = {
  warn: 'Half of the budget is spent',
  downgrade: '80 % of the budget is spent; cheaper models work from now on where [runners] has a downgrade',
  finish: '95 % of the budget is spent; the task in progress is the last one',
};

/** The line that says which share of the budget is spent. */
export function budgetLine(
  { at, limits, spent }: EntryOf<'budget_reached'>,
  { style, para }: Terminal,
): string {
  return style.yellow(para(`${STEPS[at]}: ${budgetText(limits, spent)}.`, '! '));
}

/** What a run may cost, and what earlier runs spent of that. */
export function costLimitText(budget: EntryOf<'run_started'>['budget']): string {
  if (budget === null) return 'no cost limit';
  const { limits, spent, since } = budget;
  const isFresh = (budgetShare(limits, spent)?.share ?? 0) < 0.01;
  const when = isFresh ? '' : ` since ${localTime(since, new Date())} (a new one: ralph resume)`;
  return `budget ${budgetText(limits, spent)}${when}`;
}

/** The line about a checkpoint that the policy made: what is saved, and what was spent until then. */
export function checkpointLine(
  { why, limits, spent }: EntryOf<'checkpoint_taken'>,
  { style, para }: Terminal,
): string {
  const budget = budgetText(limits, spent);
  const used = budget === '' ? `${costText(spent.usd, 'usd')}, ${costText(spent.tokens, 'tokens')}` : budget;
  const what = why === 'stop' ? 'Work in progress is saved' : 'Checkpoint';
  return style.dim(para(`${what}; hand-off in .ralph/control-center.md. Spent: ${used}.`, '  ', '    '));
}

/** Findings that are open where a policy stopped the run; `null`: none. The report's first line says that it stopped. */
export function stopLine({ stop }: EntryOf<'policy_stopped'>, { style, para }: Terminal): string | null {
  const left = (stop.trigger?.unresolved ?? []).map(({ severity, summary }) =>
    para(`not resolved (${severity}): ${summary}`, '  ', '    '),
  );
  const lines = stop.kind === 'break' ? [...left, style.dim('  "Bake \'em away, toys."')] : left;
  return lines.length === 0 ? null : lines.join('\n');
}

type Spent = { readonly tokens: number; readonly costUsd: number; readonly estimatedUsd: number };

export function spentParts(spent: Spent): string[] {
  return spent.tokens === 0 && moneyText(spent) === null ? [] : [spentText(spent)];
}

/** "3,702 tokens, $0.42"; money only where some is known. */
export function spentText(spent: Spent): string {
  const money = moneyText(spent);
  return `${grouped(spent.tokens)} tokens${money === null ? '' : `, ${money}`}`;
}

/**
 * Money for the screen: `$0.42`, `~$0.42 (estimated)`, or both; `null` where nothing is known.
 *
 * @param costUsd as reported. `estimatedUsd`: by prices.
 */
export function moneyText({ costUsd, estimatedUsd }: Omit<Spent, 'tokens'>): string | null {
  const parts = [
    ...(costUsd > 0 ? [dollars(costUsd)] : []),
    ...(estimatedUsd > 0 ? [`~${dollars(estimatedUsd)} (estimated)`] : []),
  ];
  return parts.length === 0 ? null : parts.join(' + ');
}

/** Cents, or the first two digits of what is less than one. */
function dollars(amount: number): string {
  return amount >= 0.01 ? `$${amount.toFixed(2)}` : `$${Number(amount.toPrecision(2))}`;
}
