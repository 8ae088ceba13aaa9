import type { Reading, Runner } from '../protocol.ts';
import { counts } from '../reading.ts';
import { names, passingIn, pointsIn } from './tap-points.ts';

/** Reads any TAP; only leaves count, as other points sum up subtests. */
export const tap: Runner = { name: 'tap', read };

function read(lines: readonly string[], whole: boolean): Reading | null {
  if (!lines.some((line) => /^ *1\.\.\d+|^TAP version \d+/.test(line))) return null;
  const points = pointsIn(lines);
  if (points.length === 0) return null;
  const { passed, failed, skipped } = {
    passed: points.filter((one) => !one.failed && !one.skipped).length,
    failed: points.filter((one) => one.failed && !one.skipped).length,
    skipped: points.filter((one) => one.skipped).length,
  };
  return {
    tests: whole ? counts(passed, failed, skipped) : null,
    failing: names(points.filter((one) => one.failed && !one.skipped)),
    passing: passingIn(points),
  };
}
