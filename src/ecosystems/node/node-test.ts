import { counts } from '../reading.ts';
import { names, passingIn, pointsIn } from '../reports/tap-points.ts';
import type { Reading, Runner } from '../runner.ts';

/** node:test: the summary of its reporters (`# pass 3`, `ℹ pass 3`), and TAP or `✖ name (1.2ms)`. */
export const nodeTest: Runner = { name: 'node', read };

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const sum = (word: string) =>
    lines
      .flatMap((line) => new RegExp(`^[#ℹ] ${word} (\\d+)$`).exec(line)?.[1] ?? [])
      .reduce((all, one) => all + Number(one), 0);
  if (!lines.some((line) => /^[#ℹ] tests \d+$/.test(line))) return null;
  const isSpec = lines.some((line) => line.startsWith('ℹ'));
  const failing = isSpec
    ? specNames(lines)
    : names(pointsIn(lines).filter((one) => one.failed && !one.skipped));
  const failed = sum('fail') + sum('cancelled');
  const tests = counts(sum('pass'), failed, sum('skipped') + sum('todo'));
  return { tests, failing, passing: isSpec ? specPassing(lines) : passingIn(pointsIn(lines)) };
}

/** `✔ name (1.2ms)`; suites begin with another mark. */
function specPassing(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /^\s*✔ (.+?)(?: \([\d.]+ ?ms\))?$/.exec(line)?.[1] ?? []);
}

/** The list at the end has each failing test once; before it, suites are listed as well. */
function specNames(lines: readonly string[]): string[] {
  const at = lines.findLastIndex((line) => line.startsWith('✖ failing tests:'));
  const found = lines.slice(at + 1).flatMap((line) => /^✖ (.+?)(?: \([\d.]+ ?ms\))?$/.exec(line)?.[1] ?? []);
  return at < 0 ? [] : [...new Set(found)];
}
