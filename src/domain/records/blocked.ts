import * as z from 'zod/mini';
import { own } from '../../lib/own.ts';
import { BlockedRecord } from './state.ts';

/** What can be done about a blocked task (spec 2, Suggested strategies). */
export const Strategy = z.enum([
  'increase_timeout',
  'split_task',
  'skip_subtasks',
  'fix_gate_tooling',
  'fix_environment',
  'show_evidence',
  'switch_agent',
  'review_scope',
  'manual_review',
]);
export type Strategy = z.infer<typeof Strategy>;

const STRATEGY_WORD: Readonly<Record<Strategy, string>> = {
  increase_timeout: 'more time',
  split_task: 'split it',
  skip_subtasks: 'only what is left of it',
  fix_gate_tooling: "the gate's tool",
  fix_environment: 'what its agent needs',
  show_evidence: 'repeat the evidence rules',
  switch_agent: 'another agent',
  review_scope: 'allow its actions, or narrow it',
  manual_review: 'needs a decision',
};

/** What a strategy proposes, in a reader's words. @param strategy as a record names it */
export function strategyWord(strategy: string): string {
  return own(STRATEGY_WORD, strategy) ?? strategy;
}

/** Everything that a strategy is suggested by. Durations in milliseconds, timeouts in seconds. */
export const StrategyFacts = z.object({
  taskId: z.string(),
  /** Where you change the task: a file relative to the repository, or the name of the tracker. */
  tracker: z.string(),
  acceptance: z.array(z.string()),
  /** 0-based numbers of the acceptance criteria that are met already. */
  met: z.array(z.number()),
  /** `null`: it was marked in the task list by hand, without any attempt. */
  blocked: z.nullable(BlockedRecord),
  /** How often it was unblocked since it was last done. */
  unblocks: z.number(),
  /** From so many failed unblocks on, it needs your review. */
  reviewAfter: z.number(),
  level: z.string(),
  /** Of finished attempts of that level, all agents together. */
  levelDurationsMs: z.array(z.number()),
  maxTimeoutSeconds: z.number(),
  /** Configured agents that are not suspended, with their record on that level. */
  agents: z.array(z.object({ name: z.string(), attempts: z.number(), done: z.number() })),
  /** The newest attempt whose log is kept. */
  log: z.nullable(z.number()),
});
export type StrategyFacts = z.infer<typeof StrategyFacts>;

export type Suggestion = {
  readonly strategy: Strategy;
  /** Why this one, for the screen. */
  readonly reason: string;
  /** What you have to do before the command; `null`: nothing. */
  readonly first: string | null;
  /** Can be pasted into a shell as it stands. */
  readonly command: string;
  /** The timeout that it proposes, in seconds. */
  readonly timeoutSeconds: number | null;
  /** The agent that it proposes. */
  readonly agent: string | null;
  /** What the agent will hear. */
  readonly guidance: string | null;
};

/** A task that is given a fresh series of attempts, and how. */
export const Unblocking = z.object({
  taskId: z.string(),
  strategy: z.nullable(Strategy),
  reason: z.string(),
  /** In seconds; `null`: the formula applies. */
  timeoutSeconds: z.nullable(z.number()),
  guidance: z.nullable(z.string()),
});
export type Unblocking = z.infer<typeof Unblocking>;

/** What was seen when blocked tasks were unblocked without being asked, and what was done. */
export const AutoUnblock = z.object({
  /** `[unblock] max_auto_unblock_attempts` */
  limit: z.number(),
  candidates: z.array(z.object({ automatic: z.number(), facts: StrategyFacts })),
  unblocked: z.array(Unblocking),
});
export type AutoUnblock = z.infer<typeof AutoUnblock>;
