import * as z from 'zod/mini';

/** What a gate's output or a file that it writes can be read as (`[gates] parses`). */
export const RESULT_FORMATS = [
  'vitest',
  'jest',
  'node',
  'mocha',
  'pytest',
  'unittest',
  'go',
  'cargo',
  'nextest',
  'rspec',
  'tap',
  'junit',
  'lcov',
  'cobertura',
  'istanbul',
] as const;
export const ResultFormat = z.enum(RESULT_FORMATS);
export type ResultFormat = z.infer<typeof ResultFormat>;

/** `FORMAT` of what the gate prints, or `FORMAT:PATH` of a file that it writes, relative to the top. */
export const Parses = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(?:${RESULT_FORMATS.join('|')})(?::(?!/)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\]+)?$`),
      `expected a format (${RESULT_FORMATS.join(', ')}), or FORMAT:PATH with a path inside of the repository, such as "junit:reports/junit.xml"`,
    ),
  );

export const TestCounts = z.object({
  /** All but those that were skipped. */
  run: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** What a gate reported of its tests; parts that it didn't report are `null` or empty. */
export const TestResults = z.object({
  /** What its tests were read as; `null`: it reported none. */
  format: z.nullable(ResultFormat),
  tests: z.nullable(TestCounts),
  /** Names of failing tests, at most `MOST_NAMES`. */
  failing: z.array(z.string()),
  /** Names of the tests that passed; `null`: it doesn't name each of them, or they are more than `MOST_PASSING`. */
  passing: z.nullable(z.array(z.string())),
  /** Percent of the lines. */
  coverage: z.nullable(z.number()),
});
export type TestResults = z.infer<typeof TestResults>;

/** What a gate reported, beside what it reported in the baseline. */
export const TestComparison = z.object({
  gate: z.string(),
  now: TestResults,
  /** `null`: it isn't known. */
  before: z.nullable(TestResults),
  /** Failing tests that didn't fail in the baseline, and those that did. */
  newlyFailing: z.array(z.string()),
  failingBefore: z.array(z.string()),
});
export type TestComparison = z.infer<typeof TestComparison>;

/** Names of failing and of passing tests that are kept. */
export const MOST_NAMES = 50;
export const MOST_PASSING = 500;
