import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, startedAs, sumOf } from '../reading.ts';
import { unittestCanary } from './canary.ts';

/**
 * Reads `Ran 5 tests in 0.001s`, `FAILED (failures=1, errors=1, skipped=1)`, `FAIL: test_x (module.Case)`, also of
 * nose2, Django and others. A module that can't be loaded counts as a test with an error.
 */
export const unittest: Runner = {
  canary: unittestCanary,
  name: 'unittest',
  isDistinct: true,
  read,
  starts: startedAs(String.raw`python[\d.]*\s+-m\s+(?:unittest|nose2)|nose2(?:-3)?`),
};

const RAN = /^Ran (\d+) tests? in [\d.]+s$/;
const FAILED = /^(?:FAIL|ERROR): (\S+(?: \(.*?\))?)/;
const MODULE = /^ERROR: (\S+) \((?:unittest\.loader\._FailedTest|nose2\.loader\.ModuleImportFailure)\b/;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, RAN);
  if (at.length === 0) return null;
  const notLoaded = lines.flatMap((line) => MODULE.exec(line)?.[1] ?? []);
  const all = sumOf(at.map((index) => summary(lines, index)));
  const tests =
    all === null ? null : counts(all.passed, Math.max(0, all.failed - notLoaded.length), all.skipped);
  return {
    tests,
    ...failuresIn(lines, (line) => (MODULE.test(line) ? null : (FAILED.exec(line)?.[1] ?? null))),
    passing: lines.flatMap((line) => /^(\S+ \(.+?\)) \.\.\. ok$/.exec(line)?.[1] ?? []),
    ...(notLoaded.length === 0 ? {} : { notLoaded: [...new Set(notLoaded)] }),
    at,
  };
}

function summary(lines: readonly string[], index: number) {
  const result =
    lines.slice(index + 1, index + 4).find((one) => /^(?:OK|FAILED|NO TESTS RAN)\b/.test(one)) ?? '';
  const count = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`).exec(result)?.[1] ?? 0);
  const failed = count('failures') + count('errors') + count('unexpected successes');
  const skipped = count('skipped') + count('expected failures');
  const ran = Number(RAN.exec(lines[index] ?? '')?.[1]);
  return counts(Math.max(0, ran - failed - skipped), failed, skipped);
}
