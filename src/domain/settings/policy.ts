import * as z from 'zod/mini';
import { count, nonnegative, Seconds, section } from '../../lib/settings-section.ts';
import { Price } from '../records/spend.ts';

/** `[budget]`: what the work may cost until the list is done or you begin a new budget; 0: no limit. */
export const BudgetSettings = section({
  /** US dollars. */
  money: z._default(nonnegative, 0),
  /** Input and output. */
  tokens: z._default(count, 0),
  iterations: z._default(count, 0),
  wall_time: z._default(Seconds, 0),
  prices: z._default(z.record(z.string(), Price), {}),
});
export type BudgetSettings = z.infer<typeof BudgetSettings>;

/** `[policy]`: when a run saves its work and hands off, and what stops it. */
export const PolicySettings = section({
  checkpoint: section({
    /** 0: not by this. */
    every: z._default(Seconds, 2700),
    every_tasks: z._default(count, 3),
  }),
  break: section({
    /** Any three failures of the agent in a row, and the attempts of one task as its cycles. */
    strict: z._default(z.boolean(), false),
  }),
});
export type PolicySettings = z.infer<typeof PolicySettings>;
