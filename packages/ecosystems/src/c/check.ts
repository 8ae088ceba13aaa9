import type { Reading, Runner } from '../protocol.ts';
import { counts, summedIn } from '../reading.ts';

/** Reads `75%: Checks: 4, Failures: 1, Errors: 0` and `a.c:13:F:core:breaks:0: …`; `E` is a crash, `P` a pass. */
export const check: Runner = { name: 'check', read };

const SUM = /^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)$/;
const TEST = /^(\S.*?:\d+):([FEP]):([^:]*):([^:]*):-?\d+: /;

function read(lines: readonly string[]): Reading | null {
  const sum = summedIn(lines, SUM, (all = 0, failures = 0, errors = 0) =>
    counts(all - failures - errors, failures + errors, 0),
  );
  if (sum === null) return null;
  const results = lines.flatMap((line) => {
    const [, place, result, group, name] = TEST.exec(line) ?? [];
    return place === undefined ? [] : [{ test: `${group}:${name}`, place, isFailed: result !== 'P' }];
  });
  const failed = results.filter(({ isFailed }) => isFailed);
  return {
    ...sum,
    failing: [...new Set(failed.map(({ test }) => test))],
    passing: results.filter(({ isFailed }) => !isFailed).map(({ test }) => test),
    places: failed.map(({ test, place }) => ({ test, place })),
  };
}
