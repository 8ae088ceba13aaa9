import { counted } from '../../lib/counted.ts';
import type { TestComparison, TestCounts } from './test-results.ts';

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
