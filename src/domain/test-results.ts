import * as z from 'zod/mini';
import { RUNNER_NAMES } from '../ecosystems/index.ts';
import { counted } from '../lib/counted.ts';

/** What a report of coverage is written in. */
export const COVERAGE_FORMATS = ['lcov', 'cobertura', 'istanbul'] as const;

/** What a gate's output or a file that it writes can be read as (`[gates] parses`): what a runner prints, or coverage. */
export const RESULT_FORMATS: readonly string[] = [...RUNNER_NAMES, ...COVERAGE_FORMATS];

/** `FORMAT` of what the gate prints, or `FORMAT:PATH` of a file that it writes, relative to the top. */
export const Parses = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(?:${RESULT_FORMATS.join('|')})(?::(?!/)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\]+)?$`),
      `expected a format (${RESULT_FORMATS.join(', ')}), or FORMAT:PATH with a path inside of the repository, such as "lcov:coverage/lcov.info"`,
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
  /** Whose results were found in it, the surest first; empty: no runner's. */
  runners: z.array(z.string()),
  /** The sum of all that count; `null`: none does. */
  tests: z.nullable(TestCounts),
  /** Names of failing tests, at most `MOST_NAMES`. */
  failing: z.array(z.string()),
  /** Names of the tests that passed; `null`: it doesn't name each of them, or they are more than `MOST_PASSING`. */
  passing: z.nullable(z.array(z.string())),
  /** Percent of the lines. */
  coverage: z.nullable(z.number()),
  /** It says that no test ran. */
  none: z.boolean(),
  /** Files that couldn't be loaded or built, where it names them; `null`: it speaks of none. */
  notLoaded: z.nullable(z.array(z.string())),
  /** It says that a focus left other tests out. */
  focused: z.boolean(),
  /** Where failing tests failed, as `file:line`, as far as it says so. */
  places: z.array(z.object({ test: z.string(), place: z.string() })),
  /** Runners whose tests aren't in the counts: its command starts them, or they were recognised, and no number was found. */
  uncounted: z.array(z.string()),
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

/** Why a gate that ended as passed shows less than it did. */
export type NotGreen = {
  /** `lost`: fewer tests run than before; everything else its runner says itself. */
  readonly kind: 'failed' | 'none' | 'skipped' | 'not_loaded' | 'focused' | 'lost';
  /** Tests that are gone: what is only left out by a file that isn't loaded, or by a focus, is there. 0 where that isn't known. */
  readonly lost: number;
  /** As words that stand behind its name: `no test ran (before: 12 passed)`. */
  readonly text: string;
};

/** Whether a gate reports that no test ran, or that all were skipped: its passing shows nothing. */
export function ranNoTest({
  none,
  tests,
  uncounted,
}: Pick<TestResults, 'none' | 'tests' | 'uncounted'>): boolean {
  return none || (tests?.run === 0 && uncounted.length === 0);
}

/** The names of all that is red: failing tests, and files that could not be loaded. */
export function redNames(results: Pick<TestResults, 'failing' | 'notLoaded'> | null | undefined): string[] {
  return [...(results?.failing ?? []), ...(results?.notLoaded ?? [])];
}

/** Names of failing and of passing tests that are kept. */
export const MOST_NAMES = 50;
export const MOST_PASSING = 500;

/**
 * `42 tests: 41 passed, 1 failed, 2 skipped (before: 40 passed, 2 failed)`, `coverage 85.3 % (before: 86 %)`, and what its runners say else; ''
 * where they say nothing.
 */
export function resultsText({ now, before }: Pick<TestComparison, 'now' | 'before'>): string {
  const { tests, none, notLoaded, focused, uncounted } = now;
  const files = notLoaded?.length ?? 0;
  return [
    ...(tests === null
      ? []
      : [`${counted(tests.run, 'test')}: ${countsText(tests)}${beforeText(before?.tests, tests)}`]),
    ...(tests === null && none ? ['no test ran'] : []),
    ...(notLoaded === null ? [] : [`${files === 0 ? 'files' : counted(files, 'file')} not loaded`]),
    ...(focused ? ['a focus left tests out'] : []),
    ...(uncounted.length === 0 ? [] : [`not counted: ${uncounted.join(', ')}`]),
    ...coverageText(now.coverage, before?.coverage ?? null),
  ].join('; ');
}

/** `41 passed, 1 failed`; what is none isn't named. */
export function countsText({ passed, failed, skipped }: TestCounts): string {
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
