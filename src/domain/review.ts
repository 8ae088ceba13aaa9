import type { FailedRule } from 'ralph-actions/forms/place';
import { Leftover } from 'ralph-actions/forms/place';
import { ReviewNumbers } from 'ralph-actions/forms/record';
import { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';

export const REVIEW_MODES = ['hook', 'detect', 'off'] as const;
/**
 * `hook`: actions wait for permission; `detect`: a denied action has already begun, and ends the attempt; `off`: no
 * review.
 */
export const ReviewMode = z.enum(REVIEW_MODES);
export type ReviewMode = z.infer<typeof ReviewMode>;

const Described = { tool: z.string(), action: z.string() };

export const BlockedAction = z.object({
  ...Described,
  rule: z.string(),
  reason: z.string(),
  severity: Severity,
});
export type BlockedAction = z.infer<typeof BlockedAction>;

/** Returns a sentence such as `Your rule "mine" doesn't work, so what it judged was denied: it failed with …`. */
export function failedRuleText({ rule, error }: FailedRule): string {
  return `Your rule "${rule}" doesn't work, so what it judged was denied: ${error}`;
}

export const ReviewFacts = z.object({
  mode: ReviewMode,
  /** Why the mode isn't `hook`; empty for `hook`. */
  why: z.string(),
  proven: z.boolean(),
  numbers: ReviewNumbers,
  /** Number of allowed actions, with or without a warning or a change. */
  allowed: z.number(),
  /** Number of denied actions, without those that were denied only as a precaution. */
  denied: z.number(),
  harmless: z.number(),
  /** Denied actions, without those denied only as a precaution: the first ones, up to a limit. */
  blocked: z.array(BlockedAction),
  /**
   * An action that the agent began without permission; `null`: none. `failed`: the agent reports that the action
   * failed.
   */
  unreviewed: z.nullable(z.object({ ...Described, failed: z.boolean() })),
  waiting: z.array(z.string()),
  /** Your rules that failed instead of answering, each with its first error. What they judged was denied. */
  failedRules: z.array(z.object({ rule: z.string(), error: z.string() })),
  /** The newest files left behind by the task's attempts. The next attempt may delete them like its own. */
  left: z.array(Leftover),
  /** Number of lines of `reviews.jsonl`, and SHA-256 of the file. */
  log: z.object({ lines: z.number(), sha256: z.string() }),
});
export type ReviewFacts = z.infer<typeof ReviewFacts>;
