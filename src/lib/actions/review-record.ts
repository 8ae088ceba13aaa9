import * as z from 'zod/mini';
import { Severity } from '../severity.ts';
import { ActionKind } from './action.ts';
import { REVIEW_DECISIONS } from './review-decisions.ts';

export const ReviewDecision = z.enum(REVIEW_DECISIONS);
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** What was concluded about one action, in the form that `reviews.jsonl` and `ralph review explain` share. */
export const ReviewOutcome = z.object({
  decision: ReviewDecision,
  /** The rule that decided; `judgement`: risk and rationality did. `null`: nothing spoke against it. */
  rule: z.nullable(z.string()),
  /** What the agent is told; empty where it is told nothing. */
  reason: z.string(),
  reasons: z.array(z.string()),
  explanation: z.string(),
  /** How grave the action is: its risk, or `critical` by its side effects. */
  severity: Severity,
  /** What it does, one line each: the first of them. */
  effects: z.array(z.string()),
  side_effects: z.array(
    z.object({
      type: z.enum(['file', 'process', 'network', 'resource', 'system']),
      what: z.string(),
      target: z.string(),
      reversible: z.boolean(),
      severity: Severity,
      mitigation: z.string(),
    }),
  ),
  risk: z.object({
    score: z.number(),
    severity: Severity,
    base: z.number(),
    factors: z.array(z.object({ name: z.string(), value: z.number() })),
  }),
  rationality: z.object({
    score: z.number(),
    level: z.enum(['high', 'medium', 'low']),
    components: z.object({
      goal_alignment: z.number(),
      progression: z.number(),
      efficiency: z.number(),
      completeness: z.number(),
    }),
    issues: z.array(z.string()),
    suggestions: z.array(z.string()),
  }),
  /** The rules that spoke, strictest first. */
  rules: z.array(z.object({ rule: z.string(), decision: ReviewDecision, reason: z.string() })),
  /** What changed the word of the matrix. */
  adjustments: z.array(z.string()),
  alternatives: z.array(z.string()),
  evidence: z.array(z.object({ from: z.string(), words: z.string() })),
  /** 0 to 1. */
  confidence: z.number(),
});
export type ReviewOutcome = z.infer<typeof ReviewOutcome>;

/** A line of an iteration's `reviews.jsonl`: one action that was reviewed. Secrets are redacted. */
export const ReviewRecord = z.object({
  /** `R-ITERATION-NUMBER`; numbers begin at 1 and have no gaps. Outside of a run `H-TIME-PROCESS`, with iteration 0 and no task. */
  id: z.string(),
  at: z.string(),
  iteration: z.number(),
  task_id: z.string(),
  agent: z.string(),
  /** `hook`: before it happened; `async`: beside it; `detect`: once it had started. */
  mode: z.enum(['hook', 'async', 'detect']),
  /** The agent's own number of the call. */
  call: z.nullable(z.string()),
  tool: z.string(),
  kind: ActionKind,
  /** One line, at most 200 characters. */
  action: z.string(),
  ...ReviewOutcome.shape,
  /** What the agent got: a warning that it can't be given is only recorded, a change that it can't make is a block. */
  answer: ReviewDecision,
  /** Blocked for caution alone: it counts for nothing. */
  harmless: z.boolean(),
  duration_us: z.number(),
  cache_hit: z.boolean(),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

/** How many actions had which result. */
export const ReviewSummary = z.object({
  total: z.number(),
  allowed: z.number(),
  warned: z.number(),
  modified: z.number(),
  blocked: z.number(),
});
export type ReviewSummary = z.infer<typeof ReviewSummary>;

/** Upper bounds in µs of the classes that review times are counted in; one more class holds what is slower. */
export const REVIEW_TIMES_US = [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000] as const;

/** Numbers of the review that are added up over attempts. */
export const ReviewNumbers = z.object({
  ...ReviewSummary.shape,
  cacheHits: z.number(),
  timeUs: z.number(),
  /** By `REVIEW_TIMES_US`. */
  times: z.array(z.number()),
});
export type ReviewNumbers = z.infer<typeof ReviewNumbers>;

export const NO_REVIEWS: ReviewNumbers = {
  total: 0,
  allowed: 0,
  warned: 0,
  modified: 0,
  blocked: 0,
  cacheHits: 0,
  timeUs: 0,
  times: [...REVIEW_TIMES_US, 0].map(() => 0),
};

const COUNTED = { allow: 'allowed', warn: 'warned', modify: 'modified', block: 'blocked' } as const;

/** The numbers with one more review. */
export function countReview(
  numbers: ReviewNumbers,
  { answer, duration_us, cache_hit }: Pick<ReviewRecord, 'answer' | 'duration_us' | 'cache_hit'>,
): ReviewNumbers {
  const found = REVIEW_TIMES_US.findIndex((bound) => duration_us <= bound);
  const slot = found < 0 ? REVIEW_TIMES_US.length : found;
  const which = COUNTED[answer];
  return {
    ...numbers,
    total: numbers.total + 1,
    [which]: numbers[which] + 1,
    cacheHits: numbers.cacheHits + (cache_hit ? 1 : 0),
    timeUs: numbers.timeUs + duration_us,
    times: numbers.times.map((count, index) => (index === slot ? count + 1 : count)),
  };
}

export function addSummary(one: ReviewSummary, other: ReviewSummary): ReviewSummary {
  return {
    total: one.total + other.total,
    allowed: one.allowed + other.allowed,
    warned: one.warned + other.warned,
    modified: one.modified + other.modified,
    blocked: one.blocked + other.blocked,
  };
}

export function addReviews(one: ReviewNumbers, other: ReviewNumbers): ReviewNumbers {
  return {
    ...addSummary(one, other),
    cacheHits: one.cacheHits + other.cacheHits,
    timeUs: one.timeUs + other.timeUs,
    times: one.times.map((count, index) => count + (other.times[index] ?? 0)),
  };
}

export function summaryOf({ total, allowed, warned, modified, blocked }: ReviewSummary): ReviewSummary {
  return { total, allowed, warned, modified, blocked };
}
