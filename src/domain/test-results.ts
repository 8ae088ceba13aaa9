import * as z from 'zod/mini';
import { counted } from '../lib/counted.ts';

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

/** `42 tests: 41 passed, 1 failed, 2 skipped (before: 40 passed, 2 failed)`, `coverage 85.3 % (before: 86 %)`. */
export function resultsText({ now, before }: Pick<TestComparison, 'now' | 'before'>): string {
  const tests =
    now.tests === null
      ? []
      : [
          `${counted(now.tests.run, 'test')}: ${countsText(now.tests)}${beforeText(before?.tests, now.tests)}`,
        ];
  return [...tests, ...coverageText(now.coverage, before?.coverage ?? null)].join('; ');
}

/** `41 passed, 1 failed`; what is none isn't named. */
function countsText({ passed, failed, skipped }: TestCounts): string {
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return parts.join(', ');
}

function beforeText(before: TestCounts | null | undefined, now: TestCounts): string {
  if (before === null || before === undefined) return '';
  const [text, other] = [countsText(before), countsText(now)];
  return text === other ? '' : ` (before: ${text})`;
}

/** As a list of one or none. */
function coverageText(now: number | null, before: number | null): string[] {
  if (now === null) return [];
  return [`coverage ${now} %${before === null || before === now ? '' : ` (before: ${before} %)`}`];
}
