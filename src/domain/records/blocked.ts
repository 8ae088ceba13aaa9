import { own } from 'ralph-kit/own';
import * as z from 'zod/mini';
import { BlockedRecord } from './state.ts';

/** Ways to continue with a blocked task (docs/UNBLOCK_GUIDE.md). */
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

/** Returns the words for a strategy on screen, or its name if it is unknown. */
export function strategyWord(strategy: string): string {
  return own(STRATEGY_WORD, strategy) ?? strategy;
}

/** All facts for suggesting a strategy. Durations are in milliseconds, timeouts in seconds. */
export const StrategyFacts = z.object({
  taskId: z.string(),
  /** Where you change the task: a file relative to the repository, or the name of the tracker. */
  tracker: z.string(),
  acceptance: z.array(z.string()),
  /** 0-based indexes of the acceptance criteria that are met. */
  met: z.array(z.number()),
  /** Why the task is blocked; `null`: you marked it in the task list, and there was no attempt. */
  blocked: z.nullable(BlockedRecord),
  unblocks: z.number(),
  /** Number of failed unblocks from which on ralph asks you to review the task. */
  reviewAfter: z.number(),
  level: z.string(),
  /** Durations of finished attempts at tasks of that level, by all agents. */
  levelDurationsMs: z.array(z.number()),
  maxTimeoutSeconds: z.number(),
  /** Configured agents that aren't suspended, with their attempts and done tasks at that level. */
  agents: z.array(z.object({ name: z.string(), attempts: z.number(), done: z.number() })),
  /** Iteration number of the newest attempt with a log; `null`: none. */
  log: z.nullable(z.number()),
});
export type StrategyFacts = z.infer<typeof StrategyFacts>;

export type Suggestion = {
  readonly strategy: Strategy;
  readonly reason: string;
  /** A step that you take before the command; `null`: none is needed. */
  readonly first: string | null;
  readonly command: string;
  readonly timeoutSeconds: number | null;
  readonly agent: string | null;
  readonly guidance: string | null;
};

export const Unblocking = z.object({
  taskId: z.string(),
  strategy: z.nullable(Strategy),
  reason: z.string(),
  /** Time limit in seconds for the next attempts; `null`: calculated as usual. */
  timeoutSeconds: z.nullable(z.number()),
  guidance: z.nullable(z.string()),
});
export type Unblocking = z.infer<typeof Unblocking>;

export const AutoUnblock = z.object({
  /** Value of `[unblock] max_auto_unblock_attempts`. */
  limit: z.number(),
  candidates: z.array(z.object({ automatic: z.number(), facts: StrategyFacts })),
  unblocked: z.array(Unblocking),
});
export type AutoUnblock = z.infer<typeof AutoUnblock>;
