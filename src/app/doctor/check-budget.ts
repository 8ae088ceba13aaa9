import type { AgentAdapter } from 'ralph-agents/protocol';
import type { Config } from '../../domain/config.ts';
import { priceOf } from '../../domain/spend-of.ts';
import { type Failure, failure } from '../result.ts';
import type { ConfigEntry } from '../setup/trust/trust-items.ts';

type Subject = {
  readonly config: Pick<Config, 'budget'>;
  readonly entries: readonly ConfigEntry[];
};

/** Refuses a budget that can't be kept because an agent doesn't report its usage or cost; `null`: every agent does. */
export function budgetRefusal(subject: Subject, adapters: readonly AgentAdapter[]): Failure | null {
  const { money, tokens, prices } = subject.config.budget;
  for (const { name, model, usage } of adapters) {
    if (tokens > 0 && usage === undefined)
      return refused(subject, 'tokens', `${name} doesn't report its tokens`, name);
    if (money === 0 || (usage !== undefined && usage.cost !== null)) continue;
    if (usage === undefined) return refused(subject, 'money', `${name} doesn't report what it uses`, name);
    const isPriced = model === null ? Object.keys(prices).length > 0 : priceOf(model, prices) !== null;
    if (isPriced) continue;
    const message = `${name} reports tokens, but not what they cost`;
    const next = `Set the price of its model, [budget.prices."${model ?? 'MODEL'}"], or limit tokens instead`;
    return refused(subject, 'money', message, next, false);
  }
  return null;
}

function refused(
  { config, entries }: Subject,
  key: 'money' | 'tokens',
  why: string,
  next: string,
  isAgent = true,
): Failure {
  const where = entries.find(({ key: name }) => name === `budget.${key}`);
  const place = where === undefined ? '' : ` (${where.source}${where.line === null ? '' : `:${where.line}`})`;
  const fix = isAgent
    ? `Limit iterations or wall_time instead, or set [runners.${next}] output where it prints its usage`
    : next;
  return failure(
    `The budget can't be kept: ${why}, and [budget] ${key} = ${config.budget[key]}${place}.`,
    `${fix}.`,
  );
}
