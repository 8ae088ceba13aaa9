import type { CanaryWriter } from './canary.ts';
import type { RunnerName } from './names.ts';

/** How many tests a runner says that it ran. */
export type TestCounts = {
  /** All but those that were skipped. */
  readonly run: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
};

/** What a runner says of its tests. What it doesn't say is left out or `null`: never a zero. */
export type Reading = {
  /** `null`: it names failing tests and doesn't count. */
  readonly tests: TestCounts | null;
  readonly failing: readonly string[];
  /** Each test that passed, where all of them are named. */
  readonly passing?: readonly string[] | undefined;
  /** It says in words that no test ran; where it counts, zero counts say so, and this isn't needed (`ranNone`). */
  readonly none?: boolean;
  /** Files that it could not load or compile, as it names them; empty where it names none, and says that there are some. */
  readonly notLoaded?: readonly string[];
  /** It says itself that a focus left other tests out. */
  readonly focused?: boolean;
  /** Where failing tests failed, as far as it says so: `file:line`, relative to the folder that it ran in. */
  readonly places?: readonly { readonly test: string; readonly place: string }[];
  /** The lines that it counts by, as indexes: no other runner may read them as its own. Needed where formats look alike. */
  readonly at?: readonly number[];
};

/**
 * Reads what a runner printed.
 *
 * @param lines Without terminal escapes, standard output and error together.
 * @param whole They are all of it; else the end.
 * @returns `null`: it isn't this runner's
 */
export type Reader = (lines: readonly string[], whole: boolean) => Reading | null;

/** A program that runs tests: all that is known of it stands in its file. */
export type Runner = {
  /** As its users call it, in lower case: what `[gates] parses` names. */
  readonly name: RunnerName;
  readonly read: Reader;
  /** Finds a command that starts it in a command line: its result is expected then (`startedAs`). */
  readonly starts?: RegExp;
  /** Many programs write it, so that it doesn't say which one ran. */
  readonly writtenByMany?: true;
  /** How a failing test is added to its tests; absent: it isn't known. */
  readonly canary?: CanaryWriter;
  /** It ends with 0 whatever its tests say, so that their failing makes the command a failed one. */
  readonly endsWithZero?: true;
};
