import type { ReviewSettings } from '../../../lib/actions/settings.ts';
import type { Goal } from '../goal.ts';
import type { Rule } from '../rule.ts';
import type { ReviewHistory } from './history.ts';

/** What an action is judged by besides itself and the place where it happens. */
export type ReviewContext = {
  readonly settings: Pick<ReviewSettings, 'risk' | 'rationality'>;
  readonly rules: readonly Rule[];
  /** `null`: not known, which speaks against no action. */
  readonly goal: Goal | null;
  readonly history: ReviewHistory;
};
