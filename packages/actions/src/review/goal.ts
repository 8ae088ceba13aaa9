import { type ExpectedPaths, expectedPathsOf } from 'ralph-kit/scope/expected-paths';
import { keywordsOf } from 'ralph-kit/scope/keywords';

export type Goal = {
  /** Stems of the words in the task's text. */
  readonly words: ReadonlySet<string>;
  /** `null`: the task names no files, so any file may change. */
  readonly expected: ExpectedPaths | null;
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
