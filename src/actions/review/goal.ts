import { type ExpectedPaths, expectedPathsOf } from '../../lib/scope/expected-paths.ts';
import { keywordsOf } from '../../lib/scope/keywords.ts';

/** What the agent is to reach. */
export type Goal = {
  /** Stems of the task's own words. */
  readonly words: ReadonlySet<string>;
  /** `null`: the task names no files, so all of the repository is expected. */
  readonly expected: ExpectedPaths | null;
  /** Command lines of the gates. */
  readonly gates: readonly string[];
};

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
