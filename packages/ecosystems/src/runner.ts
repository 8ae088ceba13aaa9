import type { CanaryWriter } from './canary.ts';
import type { RunnerName } from './names.ts';

export type TestCounts = {
  /** Number of tests that ran: all except skipped ones. */
  readonly run: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
};

/** Results that a runner printed. Missing facts are absent or `null`, never zero. */
export type Reading = {
  /** Counts of tests; `null`: failing tests are named, but not counted. */
  readonly tests: TestCounts | null;
  readonly failing: readonly string[];
  /** Every passing test, if all are named. */
  readonly passing?: readonly string[] | undefined;
  /** The output says in words that no test ran; zero counts don't need this (`ranNone`). */
  readonly none?: boolean;
  /** Files that couldn't be loaded or compiled, as printed; empty: some exist, but aren't named. */
  readonly notLoaded?: readonly string[];
  /** The output says that a focus left tests out. */
  readonly focused?: boolean;
  /** Places of failures as `file:line`, relative to the runner's folder. */
  readonly places?: readonly { readonly test: string; readonly place: string }[];
  /** Indexes of the lines that hold the counts. Runners with similar formats must not read them again. */
  readonly at?: readonly number[];
};

/**
 * Returns a runner's results; `null`: the output isn't this runner's.
 * @param lines Standard output and error, without terminal escapes.
 * @param whole The lines are complete; else they are only the end.
 */
export type Reader = (lines: readonly string[], whole: boolean) => Reading | null;

/** A program that runs tests; its file has everything known about it. */
export type Runner = {
  /** Usual name in lower case, as in `[gates] parses`. */
  readonly name: RunnerName;
  readonly read: Reader;
  /** Matches a command that starts the runner, so that its results are expected (`startedAs`). */
  readonly starts?: RegExp;
  /** Many programs write this format, so it doesn't show which one ran. */
  readonly writtenByMany?: true;
  /** Adds a failing test; absent: no known way. */
  readonly canary?: CanaryWriter;
  /** The runner exits with 0 even if tests fail; failing tests then fail the command. */
  readonly endsWithZero?: true;
};
