import { counts, type Read } from '../read.ts';

type Point = {
  readonly failed: boolean;
  readonly skipped: boolean;
  readonly name: string;
  readonly depth: number;
};

const POINT = /^( *)(not ok|ok)\b(?: +\d+)?(?: +- +| +|$)(.*)$/;
const SKIPPED = /(?<!\\)# *(?:skip|todo)\b.*$/i;

/** Any producer of TAP: leaves count, what only sums up subtests doesn't. */
export function tap(text: string, whole: boolean): Read {
  const lines = text.split('\n');
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

/** A point that stands behind deeper ones sums them up. */
function pointsIn(lines: readonly string[]): Point[] {
  const points: Point[] = [];
  let deeper = -1;
  for (const line of lines) {
    const match = POINT.exec(line);
    if (match === null) continue;
    const [, indent = '', result = '', rest = ''] = match;
    const depth = indent.length;
    if (deeper <= depth)
      points.push({
        failed: result === 'not ok',
        skipped: SKIPPED.test(rest),
        name: rest.replace(SKIPPED, '').trim(),
        depth,
      });
    deeper = depth;
  }
  return points;
}

function passingIn(points: readonly Point[]): string[] {
  return points.filter((one) => !one.failed && !one.skipped).map(({ name }) => name);
}

function names(points: readonly Point[]): string[] {
  return [...new Set(points.map(({ name }) => name).filter((name) => name !== ''))];
}

/** node:test: the summary of its reporters (`# pass 3`, `ℹ pass 3`), and TAP or `✖ name (1.2ms)`. */
export function node(text: string): Read {
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
