import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, startedAs } from '../reading.ts';

/**
 * Reads each test's name, `ASSERT:…` below it on failure, then `Ran 5 tests.` and `FAILED (failures=2,skipped=1)`.
 * These count assertions: a test that ends with a failed one counts twice, and the number of skipped tests is unknown
 * if there are several skips.
 */
export const shunit2: Runner = { name: 'shunit2', isDistinct: true, read, starts: startedAs('shunit2') };

const RAN = /^Ran (\d+) tests?\.$/;
const RESULT = /^(?:OK|FAILED)(?: \((?:failures=(\d+))?,?(?:skipped=(\d+))?\))?$/;
const NAME = /^test\w*$/;

function read(lines: readonly string[]): Reading | null {
  const runs = linesWith(lines, RAN).flatMap((index) => {
    const result = lines.findIndex((line, at) => at > index && RESULT.test(line));
    return result > 0 && result < index + 4 ? [{ index, result }] : [];
  });
  if (runs.length === 0) return null;
  const all = runs.map(({ index, result }, at) => {
    const above = lines.slice((runs[at - 1]?.result ?? -1) + 1, index);
    const [, failures = 0, skips = 0] = (RESULT.exec(lines[result] ?? '') ?? []).map((one) =>
      Number(one ?? 0),
    );
    return { ran: Number(RAN.exec(lines[index] ?? '')?.[1]), failing: failingIn(above), failures, skips };
  });
  const isCounted = all.every(
    ({ failing, failures, skips }) => skips <= 1 && failing.length > 0 === failures > 0,
  );
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
  const failed = sum(({ failing }) => failing.length);
  const skipped = sum(({ skips }) => skips);
  const ran = sum((one) => one.ran);
  return {
    tests: isCounted ? counts(ran - failed - skipped, failed, skipped) : null,
    failing: all.flatMap(({ failing }) => failing),
    ...(ran === 0 ? { none: true } : {}),
    at: runs.flatMap(({ index, result }) => [index, result]),
  };
}

function failingIn(lines: readonly string[]): string[] {
  let name: string | null = null;
  const found = new Set<string>();
  for (const line of lines) {
    if (NAME.test(line)) name = line;
    else if (name !== null && line.startsWith('ASSERT:')) found.add(name);
    const returned = /^shunit2:ERROR (test\w*)\(\) returned non-zero return code\.$/.exec(line)?.[1];
    if (returned !== undefined) found.add(returned);
  }
  return [...found];
}
