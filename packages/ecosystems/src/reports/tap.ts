import type { Reading, Runner } from '../protocol.ts';
import { counts } from '../reading.ts';
import { isFile, names, passingIn, pointsIn } from './tap-points.ts';

/** Reads any TAP; only leaves count, as other points sum up subtests. */
export const tap: Runner = { name: 'tap', read };

function read(lines: readonly string[], whole: boolean): Reading | null {
  if (!lines.some((line) => /^ *1\.\.\d+|^TAP version \d+/.test(line))) return null;
  const all = pointsIn(lines);
  if (all.length === 0) return null;
  const files = names(all.filter((one) => one.failed && isFile(one.name)));
  const points = all.filter((one) => !one.failed || !isFile(one.name));
  const { passed, failed, skipped } = {
    passed: points.filter((one) => !one.failed && !one.skipped).length,
    failed: points.filter((one) => one.failed && !one.skipped).length,
    skipped: points.filter((one) => one.skipped).length,
  };
  return {
    tests: whole ? counts(passed, failed, skipped) : null,
    failing: names(points.filter((one) => one.failed && !one.skipped)),
    passing: passingIn(points),
    ...(files.length === 0 ? {} : { notLoaded: files }),
  };
}
