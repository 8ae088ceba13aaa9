import type { Change, Changes } from '../change.ts';
import type { Side } from '../lex/side.ts';
import { between, Counts, remembered } from '../remember.ts';
import type { TestCase } from '../tests/find-tests.ts';
import type { Weakening } from './fate.ts';
import { includesOtherTests } from './repeated-checks.ts';

export type RemovedTest = {
  readonly change: Change;
  readonly test: TestCase;
  /** How the test went. `unmarked`: its body is still there, but nothing runs it. */
  readonly how: 'deleted' | 'unmarked';
};

export function removedTests({ all }: Changes, fates: readonly Weakening[]): readonly RemovedTest[] {
  const now = all.flatMap(({ after }) => after.tests);
  const before = new Set(all.flatMap((change) => change.before.tests.map(({ name }) => name)));
  const kept = new Counts(now.map(({ name }) => name));
  const gone = all.flatMap((change) =>
    change.before.tests.filter(({ name }) => !kept.take(name)).map((test) => ({ change, test })),
  );
  const fresh = new Set(now.filter(({ name }) => !before.has(name)).slice(0, CANDIDATES));
  const missing = new Set(
    fates.flatMap(({ kind, old }) => (kind === 'gone' && old.test !== null ? [old.test] : [])),
  );
  return gone.flatMap(({ change, test }): RemovedTest[] => {
    const alike = [...fresh].find((other) => isSameBody(test, other));
    if (alike !== undefined) fresh.delete(alike);
    if (alike !== undefined || isShared(test, change, now) || isDouble(test, change)) return [];
    if (isBodyKept(test, change)) return [{ change, test, how: 'unmarked' }];
    const own = between(change.before.assertions, ({ line }) => line, test.from, test.to + 1);
    if (own.length > 0 && !missing.has(test)) return [];
    return [{ change, test, how: 'deleted' }];
  });
}

/** Returns whether the test was in several files and is now in one that this file includes. */
function isShared(test: TestCase, change: Change, now: readonly TestCase[]): boolean {
  return (
    includesOtherTests(change) &&
    now.some(
      (other) =>
        other.name === test.name &&
        other.side !== change.after.side &&
        other.side.lines[other.header]?.changed === true &&
        isSameBody(test, other),
    )
  );
}

function isDouble(test: TestCase, { before, after }: Change): boolean {
  const body = bodyOf(test);
  const checks = between(before.assertions, ({ line }) => line, test.from, test.to + 1);
  return (
    checks.length > 0 &&
    after.tests.some((other) => {
      const lines = new Set(bodyOf(other));
      return other.name !== test.name && body.every((line) => lines.has(line));
    })
  );
}

const ALIKE = 0.6;

const CANDIDATES = 400;

function isSameBody(one: TestCase, other: TestCase): boolean {
  const [own, others] = [bodyOf(one), bodyOf(other)];
  if (own.length === 0 || others.length === 0) return false;
  const common = own.filter((line) => others.includes(line)).length;
  return common / Math.max(own.length, others.length) >= ALIKE;
}

/** Returns the lines of a test's body; of a test on one line, that line without its name. */
const bodyOf = remembered(({ side, header, to, name }: TestCase): readonly string[] => {
  const lines = side.lines
    .slice(header + 1, to + 1)
    .map(({ text }) => text.trim())
    .filter((text) => /\w/.test(text) && !/^end$/.test(text));
  const alone = side.lines[header]?.text.replaceAll(name, '').trim() ?? '';
  return lines.length > 0 || alone === '' ? lines : [alone];
});

const trimmedLines = remembered(
  ({ lines }: Side): ReadonlySet<string> => new Set(lines.map(({ text }) => text.trim())),
);

/** Returns whether the test's lines are still in the file, below a header that no runner takes for a test. */
function isBodyKept(test: TestCase, { before, after }: Change): boolean {
  const lines = before.side.lines.slice(test.header + 1, test.to + 1).filter(({ text }) => /\w/.test(text));
  if (lines.length === 0) return false;
  const now = trimmedLines(after.side);
  const commented = (text: string) => /^(?:\/\/|#|\*|--)/.test(text.trim());
  const kept = lines.filter(({ text }) => now.has(text.trim()) && !commented(text)).length;
  const own = between(before.assertions, ({ line }) => line, test.from, test.to + 1);
  const checks = own.some(({ line }) => now.has(before.side.lines[line]?.text.trim() ?? ''));
  return kept / lines.length > 0.7 && (checks || own.length === 0);
}
