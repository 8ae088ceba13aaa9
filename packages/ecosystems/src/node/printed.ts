import type { TestCounts } from '../protocol.ts';
import { counts } from '../reading.ts';

/** Reads passing tests of verbose reporters, `  ✓ suite > name 3ms`; a file's line ends with its number of tests. */
export function ticked(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => /^\s+[✓√] (?:\|[^|]+\| | \S+ {2})?(.+?)(?: \(?\d+ ?ms\)?)?$/.exec(line)?.[1] ?? [])
    .filter((name) => !/ \(\d+ tests?(?: \|.*)?\)$/.test(name));
}

export function countsOf({
  passed = 0,
  failed = 0,
  skipped = 0,
  todo = 0,
  pending = 0,
  expected = 0,
}: Readonly<Record<string, number>>): TestCounts {
  return counts(passed + expected, failed, skipped + todo + pending);
}
