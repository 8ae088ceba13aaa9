import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, startedAs } from '../reading.ts';
import { passingIn, pointsIn } from '../reports/tap-points.ts';

/**
 * Reads TAP with the plan first, no version, and names without a dash: `1..5`, `ok 1 adds`, and
 * `# (in test file test/a.bats, line 7)` below a failure. Without tests, bats prints only `1..0`.
 */
export const bats: Runner = { name: 'bats', read, starts: startedAs('bats') };

const PLAN = /^1\.\.\d+$/;
const POINT = /^(?:not )?ok \d+ (?!- )(?=\S)/;

function read(lines: readonly string[], whole: boolean): Reading | null {
  const heads = linesWith(lines, /^(?:1\.\.\d|TAP version )/);
  const plans = heads.flatMap((index, at) =>
    PLAN.test(lines[index] ?? '') ? planned(lines, index, heads[at + 1] ?? lines.length) : [],
  );
  if (plans.length === 0) return null;
  const at = plans.flat();
  const isOwn = new Set(at);
  const own = lines.map((line, index) => (isOwn.has(index) || line.startsWith('#') ? line : ''));
  const all = pointsIn(own);
  // A failed set-up of a file replaces its tests, and isn't a test.
  const files = all.filter(({ failed, name }) => failed && name === 'setup_file failed');
  const points = all.filter((one) => !files.includes(one));
  const passing = passingIn(points);
  const failed = points.filter((one) => one.failed && !one.skipped);
  const skipped = points.length - passing.length - failed.length;
  return {
    tests: whole ? counts(passing.length, failed.length, skipped) : null,
    ...failuresIn(own, (_, index) => failed.find(({ line }) => line === index)?.name ?? null),
    passing,
    ...(points.length === 0 && files.length === 0 ? { none: true } : {}),
    ...(files.length === 0
      ? {}
      : {
          notLoaded: filesIn(
            own,
            files.map(({ line }) => line),
          ),
        }),
    at,
  };
}

/** Returns a plan's lines and points as a single entry; empty: not bats. */
function planned(lines: readonly string[], plan: number, next: number): number[][] {
  const below = lines.slice(plan + 1, next);
  const points = below.flatMap((line, index) => (/^(?:not )?ok\b/.test(line) ? plan + 1 + index : []));
  const isOwn = points.every((index) => POINT.test(lines[index] ?? ''));
  const isInStream = (above: readonly string[]) => above.some((line) => /^TAP version /.test(line));
  if (points.length === 0) {
    const isAlone = lines[plan] === '1..0' && !isInStream(lines.slice(0, plan)) && !below[0]?.startsWith('#');
    return isAlone ? [[plan]] : [];
  }
  if (!isOwn || isInStream(lines.slice(plan - 1, plan))) return [];
  return [[plan, ...points]];
}

/** `# (from function … in test file test/a.bats, line 1)`, or `# /project/test/a.bats: line 3: syntax error …`. */
function filesIn(lines: readonly string[], heads: readonly number[]): string[] {
  return heads.flatMap((head) => {
    const below = lines.slice(head + 1, head + 5).filter((line) => line.startsWith('#'));
    const found = below.flatMap(
      (line) =>
        (/ in test file (.+?), line \d+\)?/.exec(line) ?? /^# (\S.*?): line \d+: /.exec(line))?.[1] ?? [],
    );
    return found.slice(0, 1);
  });
}
