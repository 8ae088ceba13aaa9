import type { TestCounts } from './runner.ts';

export function counts(passed: number, failed: number, skipped: number): TestCounts {
  return { run: passed + failed, passed, failed, skipped };
}

/** The sum of several summaries; `null` of none. */
export function sumOf(all: readonly TestCounts[]): TestCounts | null {
  if (all.length === 0) return null;
  const sum = (of: 'passed' | 'failed' | 'skipped') => all.reduce((total, one) => total + one[of], 0);
  return counts(sum('passed'), sum('failed'), sum('skipped'));
}

/** The number before each of these words in a summary: `1 failed | 3 passed` → `{failed: 1, passed: 3}`. */
export function numbersBefore(summary: string): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, number, word] of summary.matchAll(/(\d+) ([a-z]+)/g)) {
    if (word !== undefined) found[word] = (found[word] ?? 0) + Number(number);
  }
  return found;
}

/** The first group of each line that matches, each once. */
export function namesIn(lines: readonly string[], pattern: RegExp): string[] {
  const names = lines.flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? []);
  return [...new Set(names)];
}
