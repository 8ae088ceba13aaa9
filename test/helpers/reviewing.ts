import { NO_REVIEWS } from 'ralph-actions/forms/record';
import { ReviewSettings } from 'ralph-actions/forms/settings';
import { RULES } from 'ralph-actions/review';
import type { ReviewFacts } from '../../src/domain/review.ts';
import type { ReviewOptions } from '../../src/loop/watch/review-session.ts';

export const REVIEW_SETTINGS: ReviewSettings = ReviewSettings.parse({});

/** Default settings for the review of an attempt's actions. */
export const REVIEWER = {
  agent: 'claude',
  requireGate: false,
  iteration: 1,
  taskId: 'T-1',
  settings: REVIEW_SETTINGS,
  rules: RULES,
  askRules: async () => [],
  goal: null,
  clock: { now: () => '2030-01-01T00:00:00.000Z', monotonicMs: () => 0, processorMs: () => 0 },
  hide: (text: string) => text,
  beganAt: 0,
  within: () => true,
  leftovers: [],
  trustedGit: null,
  approvals: null,
} as const satisfies Partial<ReviewOptions>;

/** Facts of the review of an attempt without actions. */
export const NO_ACTIONS: ReviewFacts = {
  mode: 'hook',
  why: '',
  proven: true,
  numbers: NO_REVIEWS,
  allowed: 0,
  denied: 0,
  harmless: 0,
  blocked: [],
  unreviewed: null,
  waiting: [],
  failedRules: [],
  left: [],
  log: { lines: 0, sha256: '' },
};
