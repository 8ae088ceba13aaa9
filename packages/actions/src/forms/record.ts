import { ActionKind } from 'ralph-kit/actions/action';
import { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { REVIEW_DECISIONS } from './decisions.ts';

export const ReviewDecision = z.enum(REVIEW_DECISIONS);
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** Verdict on one action, shared by `reviews.jsonl` and `ralph review explain`. */
export const ReviewOutcome = z.object({
  decision: ReviewDecision,
  /** Rule that decided; `judgement`: risk and rationality did. `null`: no objection. */
  rule: z.nullable(z.string()),
  /** Text for the agent; empty: none. */
  reason: z.string(),
  reasons: z.array(z.string()),
  explanation: z.string(),
  /** Severity of the action: its risk, or `critical` because of side effects. */
  severity: Severity,
  /** First effects, one line each. */
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
  /** Rules that matched, strictest first. */
  rules: z.array(z.object({ rule: z.string(), decision: ReviewDecision, reason: z.string() })),
  /** Changes to the decision of the matrix of risk and rationality. */
  adjustments: z.array(z.string()),
  alternatives: z.array(z.string()),
  evidence: z.array(z.object({ from: z.string(), words: z.string() })),
  /** Confidence in the analysis, 0 to 1. */
  confidence: z.number(),
});
export type ReviewOutcome = z.infer<typeof ReviewOutcome>;

/** Line of an iteration's `reviews.jsonl`: one reviewed action, secrets redacted. */
export const ReviewRecord = z.object({
  /**
   * `R-ITERATION-NUMBER`, numbered from 1 without gaps. Outside a run `H-TIME-PROCESS`, with iteration 0 and no task.
   */
  id: z.string(),
  at: z.string(),
  iteration: z.number(),
  task_id: z.string(),
  agent: z.string(),
  /** When the action was reviewed: before it (`hook`), beside it (`async`), or after its start (`detect`). */
  mode: z.enum(['hook', 'async', 'detect']),
  call: z.nullable(z.string()),
  tool: z.string(),
  kind: ActionKind,
  /** One line of at most 200 characters. */
  action: z.string(),
  ...ReviewOutcome.shape,
  /** Decision in effect: a warning that can't be delivered is only recorded, an impossible change is a block. */
  answer: ReviewDecision,
  /** Blocked only as a precaution, which counts for nothing. */
  harmless: z.boolean(),
  duration_us: z.number(),
  cache_hit: z.boolean(),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

export const ReviewSummary = z.object({
  total: z.number(),
  allowed: z.number(),
  warned: z.number(),
  modified: z.number(),
  blocked: z.number(),
});
export type ReviewSummary = z.infer<typeof ReviewSummary>;

/** Upper bounds in µs of the histogram of review times; a last class has all slower ones. */
export const REVIEW_TIMES_US = [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000] as const;

export const ReviewNumbers = z.object({
  ...ReviewSummary.shape,
  cacheHits: z.number(),
  timeUs: z.number(),
  /** Histogram by `REVIEW_TIMES_US`. */
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
