import * as z from 'zod/mini';
import type { FailedRule } from '../lib/actions/review.ts';
import { LeftBehind, type Ruling } from '../lib/actions/review.ts';
import { ReviewNumbers } from '../lib/actions/review-record.ts';
import { Severity } from '../lib/severity.ts';

/** What an agent's hook can do beside allowing and denying. */
export type HookAbilities = {
  /** Allow an action with a message to the agent. */
  readonly warn: boolean;
  /** Run an action with changed parameters. */
  readonly modify: boolean;
};

/** What a ruling comes down to for an agent: a warning it can't be given is silent, a change it can't make is denied. */
export function inForce(ruling: Ruling, can: HookAbilities): Ruling {
  if (ruling.decision === 'warn' && !can.warn) return { decision: 'allow' };
  if (ruling.decision !== 'modify' || can.modify) return ruling;
  const { rule, reason, alternative } = ruling;
  return { decision: 'deny', rule, reason: `${reason} Instead: ${alternative}` };
}

export const REVIEW_MODES = ['hook', 'detect', 'off'] as const;
/**
 * `hook`: no action happens before it was allowed; `detect`: actions are seen once started, and a denied one ends the
 * attempt; `off`: nothing is reviewed.
 */
export const ReviewMode = z.enum(REVIEW_MODES);
export type ReviewMode = z.infer<typeof ReviewMode>;

const Described = { tool: z.string(), action: z.string() };

/** An action that was blocked, for the reason that the agent got. */
export const BlockedAction = z.object({
  ...Described,
  rule: z.string(),
  reason: z.string(),
  severity: Severity,
});
export type BlockedAction = z.infer<typeof BlockedAction>;

/** `Your rule "mine" failed and said nothing: TypeError …` */
export function failedRuleText({ rule, error }: FailedRule): string {
  return `Your rule "${rule}" failed and said nothing: ${error}`;
}

/** What the review of an attempt's actions saw. */
export const ReviewFacts = z.object({
  mode: ReviewMode,
  /** Why the mode isn't `hook`; else empty. */
  why: z.string(),
  /** Whether the agent reported that its hook is in force. */
  proven: z.boolean(),
  /** What became of all actions that were reviewed. */
  numbers: ReviewNumbers,
  /** Actions that could happen, with or without a warning or a change. */
  allowed: z.number(),
  /** Denials that count; those that were for caution alone don't. */
  denied: z.number(),
  harmless: z.number(),
  /** The denied actions that count, the first of them where there are many. */
  blocked: z.array(BlockedAction),
  /** An action that the agent began without having been allowed to; `failed`: it reports that it failed. */
  unreviewed: z.nullable(z.object({ ...Described, failed: z.boolean() })),
  /** Requests about actions that you hadn't decided when the attempt ended. */
  waiting: z.array(z.string()),
  /** Rules of yours that failed, and so didn't speak, each with the first error of it. */
  failedRules: z.array(z.object({ rule: z.string(), error: z.string() })),
  /** What the task's attempts made and left by now, the newest: the next one may remove that like its own. */
  left: z.array(LeftBehind),
  /** Lines of `reviews.jsonl`, and the SHA-256 of its bytes. */
  log: z.object({ lines: z.number(), sha256: z.string() }),
});
export type ReviewFacts = z.infer<typeof ReviewFacts>;
