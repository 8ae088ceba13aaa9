import type { ReviewSettings } from '../../domain/settings/review.ts';
import type { ExpectedPaths } from '../../lib/scope/expected-paths.ts';
import { expectedPathsOf } from '../../lib/scope/expected-paths.ts';
import { keywordsOf } from '../../lib/scope/keywords.ts';
import type { Rule } from '../rule.ts';
import type { ReviewHistory } from './history.ts';

/** What the agent is to reach. */
export type Goal = {
  /** Stems of the task's own words. */
  readonly words: ReadonlySet<string>;
  /** `null`: the task names no files, so all of the repository is expected. */
  readonly expected: ExpectedPaths | null;
  /** Command lines of the gates. */
  readonly gates: readonly string[];
};

/** What an action is judged by besides itself and the place where it happens. */
export type ReviewContext = {
  readonly settings: Pick<ReviewSettings, 'risk' | 'rationality'>;
  readonly rules: readonly Rule[];
  /** `null`: not known, which speaks against no action. */
  readonly goal: Goal | null;
  readonly history: ReviewHistory;
};

/** The goal of a task. */
export function goalOf(
  task: {
    readonly title: string;
    readonly description: string;
    readonly acceptance: readonly string[];
    readonly expectedPaths: readonly string[] | null;
  },
  gates: readonly string[],
): Goal {
  return {
    words: keywordsOf(task),
    expected: expectedPathsOf(task),
    gates: gates.map((command) => command.trim()),
  };
}
