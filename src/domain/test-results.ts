import { RUNNER_NAMES } from 'ralph-ecosystems';
import { counted } from 'ralph-kit/counted';
import * as z from 'zod/mini';

export const COVERAGE_FORMATS = ['lcov', 'cobertura', 'istanbul'] as const;

export const RESULT_FORMATS: readonly string[] = [...RUNNER_NAMES, ...COVERAGE_FORMATS];

/**
 * Where test results are read: `FORMAT` for the gate's output, `FORMAT:PATH` for a file that the gate writes, relative
 * to the top.
 */
export const Parses = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(?:${RESULT_FORMATS.join('|')})(?::(?!/)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\]+)?$`),
      `expected a format (${RESULT_FORMATS.join(', ')}), or FORMAT:PATH with a path inside of the repository, such as "lcov:coverage/lcov.info"`,
    ),
  );

export const TestCounts = z.object({
  /** Number of tests that ran, without skipped ones. */
  run: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** Test results as reported by a gate. Parts that it doesn't report are `null` or empty. */
export const TestResults = z.object({
  /** Test runners whose results were found, the most certain first. */
  runners: z.array(z.string()),
  /** Sum of the counts of all runners; `null`: none reports counts. */
  tests: z.nullable(TestCounts),
  /** Names of failing tests, at most `MOST_NAMES`. */
  failing: z.array(z.string()),
  /** Names of passed tests; `null`: some tests have no name, or there are more than `MOST_PASSING`. */
  passing: z.nullable(z.array(z.string())),
  /** Percent of lines that tests cover; `null`: not reported. */
  coverage: z.nullable(z.number()),
  /** Whether the gate reports that no test ran. */
  none: z.boolean(),
  /** Files that couldn't be loaded or built, as far as they are named; `null`: no such failure is reported. */
  notLoaded: z.nullable(z.array(z.string())),
  focused: z.boolean(),
  /** Places of failures as `file:line`, if reported. */
  places: z.array(z.object({ test: z.string(), place: z.string() })),
  /** Runners that report no counts: the gate's command starts them, or their output was recognised. */
  uncounted: z.array(z.string()),
});
export type TestResults = z.infer<typeof TestResults>;

/** Test results of a gate, compared with those before the work. */
export const TestComparison = z.object({
  gate: z.string(),
  now: TestResults,
  /** Results before the work; `null`: unknown. */
  before: z.nullable(TestResults),
  /** Failing tests that didn't fail before the work. */
  newlyFailing: z.array(z.string()),
  /** Failing tests that already failed before the work. */
  failingBefore: z.array(z.string()),
});
export type TestComparison = z.infer<typeof TestComparison>;

export type NotGreen = {
  /**
   * Reason why passed tests don't count. `lost`: fewer tests ran than before; all other kinds are reported by the
   * runner.
   */
  readonly kind: 'failed' | 'none' | 'skipped' | 'not_loaded' | 'focused' | 'lost';
  /** Number of tests that are missing, except because of an unloaded file or a focus; 0 if unknown. */
  readonly lost: number;
  /** Words that follow the gate's name, such as `no test ran (before: 12 passed)`. */
  readonly text: string;
};

/** Returns whether no test ran or all were skipped. A gate that passes then shows nothing. */
export function ranNoTest({
  none,
  tests,
  uncounted,
}: Pick<TestResults, 'none' | 'tests' | 'uncounted'>): boolean {
  return none || (tests?.run === 0 && uncounted.length === 0);
}

/** Returns the names of failing tests, and of files that couldn't be loaded. */
export function redNames(results: Pick<TestResults, 'failing' | 'notLoaded'> | null | undefined): string[] {
  return [...(results?.failing ?? []), ...(results?.notLoaded ?? [])];
}

/** Maximum number of names of failing tests that are kept. */
export const MOST_NAMES = 50;
/** Maximum number of names of passed tests that are kept. */
export const MOST_PASSING = 500;

/**
 * Returns a text such as `42 tests: 41 passed, 1 failed (before: 40 passed); coverage 85.3 % (before: 86 %)`; ''
 * without results.
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

function coverageText(now: number | null, before: number | null): string[] {
  if (now === null) return [];
  return [`coverage ${now} %${before === null || before === now ? '' : ` (before: ${before} %)`}`];
}

/** Returns gates that report that no test ran, so that their passing proves nothing. */
export function ranNoTests(
  all: readonly { readonly name: string; readonly results: TestResults | null }[],
): string[] {
  return all.filter(({ results }) => results !== null && ranNoTest(results)).map(({ name }) => name);
}
