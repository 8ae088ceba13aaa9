import type { Change, Changes } from '../change.ts';
import type { Fate } from './compare.ts';
import type { TestCase } from './find-tests.ts';

/** A test that was there before and isn't any more under this name. */
export type RemovedTest = {
  readonly change: Change;
  readonly test: TestCase;
  /** `unmarked`: its body is still there and nothing runs it. */
  readonly how: 'deleted' | 'unmarked';
};

/** Tests that neither moved, nor were renamed, nor are checked for elsewhere. */
export function removedTests({ all }: Changes, fates: readonly Fate[]): readonly RemovedTest[] {
  const now = all.flatMap(({ after }) => after.tests);
  const before = new Set(all.flatMap((change) => change.before.tests.map(({ name }) => name)));
  const kept = counted(now.map(({ name }) => name));
  const gone = all.flatMap((change) =>
    change.before.tests.filter(({ name }) => !take(kept, name)).map((test) => ({ change, test })),
  );
  const fresh = now.filter(({ name }) => !before.has(name));
  return gone.flatMap(({ change, test }): RemovedTest[] => {
    const renamed = fresh.findIndex((other) => isSameBody(test, other));
    if (renamed >= 0) {
      fresh.splice(renamed, 1);
      return [];
    }
    if (isBodyKept(test, change)) return [{ change, test, how: 'unmarked' }];
    const own = change.before.assertions.filter(({ line }) => test.from <= line && line <= test.to);
    const missing = fates.filter(
      ({ kind, old }) => kind === 'gone' && old.test?.name === test.name && old.change === change,
    );
    if (own.length > 0 && missing.length === 0) return [];
    if (own.length === 0 && fresh.length > 0) {
      fresh.shift();
      return [];
    }
    return [{ change, test, how: 'deleted' }];
  });
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, name: string): boolean {
  const count = counts.get(name) ?? 0;
  counts.set(name, count - 1);
  return count > 0;
}

/** Above this share of equal lines two bodies are one. */
const ALIKE = 0.6;

function isSameBody(one: TestCase, other: TestCase): boolean {
  const [own, others] = [bodyOf(one), bodyOf(other)];
  if (own.length === 0 || others.length === 0) return false;
  const common = own.filter((line) => others.includes(line)).length;
  return common / Math.max(own.length, others.length) >= ALIKE;
}

function bodyOf({ side, header, to }: TestCase): readonly string[] {
  return side.lines
    .slice(header + 1, to + 1)
    .map(({ text }) => text.trim())
    .filter((text) => /\w/.test(text) && !/^end$/.test(text));
}

/** Its lines are still in the file, below a header that no runner takes for a test. */
function isBodyKept(test: TestCase, { before, after }: Change): boolean {
  const lines = before.side.lines.slice(test.header + 1, test.to + 1).filter(({ text }) => /\w/.test(text));
  if (lines.length === 0) return false;
  const now = new Set(after.side.lines.map(({ text }) => text.trim()));
  const commented = (text: string) => /^(?:\/\/|#|\*|--)/.test(text.trim());
  const kept = lines.filter(({ text }) => now.has(text.trim()) && !commented(text)).length;
  return kept / lines.length > 0.7;
}
