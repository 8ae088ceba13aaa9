import { isCollected } from 'ralph-ecosystems';
import { type Changes, excerpt, stemOf } from '../change.ts';
import { namesOf, weakenedChecks } from '../compare/compare.ts';
import type { Fate, Placed } from '../compare/fate.ts';
import { type RemovedTest, removedTests } from '../compare/removed-tests.ts';
import type { Signal } from '../finding.ts';
import { between } from '../remember.ts';
import type { TestCase } from '../tests/find-tests.ts';
import { ASKED } from './sign.ts';

export function testSignals(changes: Changes): readonly Signal[] {
  const fates = weakenedChecks(changes);
  const removed = withoutReplaced(
    removedTests(changes, fates).filter((one) => !isObsoleteTest(one, changes)),
    changes,
  );
  const gone = new Set(removed.map(({ test }) => test.name));
  const checks = fates.filter(
    (fate) => !explained(fate, changes) && !(fate.kind === 'gone' && isInRemoved(fate.old, gone, changes)),
  );
  return [...removed.map(removedSignal), ...checks.map(checkSignal), ...uncollected(changes)];
}

/** Returns removed tests without those replaced: with production changes, each new test of the same code replaces one. */
function withoutReplaced(
  removed: readonly RemovedTest[],
  { all, production }: Changes,
): readonly RemovedTest[] {
  if (!production) return removed;
  const old = new Set(all.flatMap(({ before }) => before.tests.map(({ name }) => name)));
  const byWord = new Map<string, TestCase[]>();
  for (const { after } of all) {
    for (const test of after.tests) {
      const checks = between(after.assertions, ({ line }) => line, test.from, test.to + 1);
      if (old.has(test.name) || !checks.some(({ strength }) => (strength ?? 4) >= STRUCTURAL)) continue;
      for (const word of wordsIn(test)) add(byWord, word, test);
    }
  }
  const taken = new Set<TestCase>();
  return removed.filter(({ test, how }) => {
    if (how === 'unmarked') return true;
    for (const word of wordsIn(test)) {
      const tests = byWord.get(word) ?? [];
      while (tests[0] !== undefined && taken.has(tests[0])) tests.shift();
      if (tests[0] === undefined) continue;
      taken.add(tests[0]);
      return false;
    }
    return true;
  });
}

function add(lists: Map<string, TestCase[]>, key: string, test: TestCase): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [test]);
  else list.push(test);
}

function wordsIn({ side, header, to }: TestCase): ReadonlySet<string> {
  const code = side.code.slice(side.starts[header + 1], side.starts[to + 1]);
  return new Set(
    [...code.matchAll(/([A-Za-z_]\w{2,})\s*\(/g)]
      .map(([, word]) => word ?? '')
      .filter(
        (word) =>
          !/^(?:expect|assert\w*|to[A-Z]\w*|should\w*|require|test|describe|await|function|return|Equal|raises|not_to|not)$/.test(
            word,
          ),
      ),
  );
}

function isObsoleteTest({ change, test }: RemovedTest, { vanished, all }: Changes): boolean {
  const { side } = test;
  const words = between(
    side.tokens,
    ({ start }) => start,
    side.starts[test.from] ?? 0,
    side.starts[test.to + 1] ?? Number.POSITIVE_INFINITY,
  );
  const named = words.some(
    ({ kind, text }) =>
      (kind === 'word' && vanished.has(text)) ||
      (kind === 'string' &&
        [...(text.match(/[\w-]{3,}/g) ?? [])].some((word) => vanished.has(word) && word.length > 4)),
  );
  const stem = stemOf(change.path).toLowerCase();
  const deletedSource = all.some(
    ({ role, file }) =>
      role === 'source' && file.newPath === null && stemOf(file.oldPath ?? '').toLowerCase() === stem,
  );
  return named || deletedSource;
}

function isInRemoved({ test }: Placed, removed: ReadonlySet<string>, changes: Changes): boolean {
  if (test === null) return false;
  if (removed.has(test.name)) return true;
  // The whole test is gone, and was found obsolete or replaced.
  return !changes.all.some(({ after }) => namesOf(after.tests).has(test.name));
}

/** Returns whether changed code explains an assertion's change: new behaviour has new values, removed code no assertions. */
function explained(fate: Fate, { production, vanished }: Changes): boolean {
  if (fate.kind === 'other_value' || fate.kind === 'flipped') return production;
  if (fate.kind === 'weaker' && production && isReshaped(fate.old, fate.now)) return true;
  const { words, literals } = fate.old.assertion;
  const gone =
    [...words].some((word) => vanished.has(word)) ||
    literals.some((one) => one.length > 4 && vanished.has(one));
  return gone && fate.kind === 'gone';
}

/** Strength of an assertion on some values in a larger one. */
const STRUCTURAL = 2.9;

function isReshaped({ assertion: old }: Placed, { assertion: now }: Placed): boolean {
  return (
    (now.strength ?? 0) >= STRUCTURAL &&
    now.negated === old.negated &&
    old.literals.length > 0 &&
    old.literals.every((one) => now.literals.includes(one))
  );
}

function removedSignal({ change, test, how }: RemovedTest): Signal {
  const { side } = change.before;
  const file = change.file.newPath === null;
  const about = `The test "${test.name}"`;
  return {
    category: how === 'unmarked' ? 'test_skip' : 'test_deletion',
    kind: how === 'unmarked' ? 'test_unmarked' : file ? 'test_file_deleted' : 'test_deleted',
    path: change.path,
    line: side.lines[test.header]?.number ?? 0,
    before: excerpt(side, test.from, test.header),
    after: null,
    confidence: how === 'unmarked' ? 0.9 : 0.85,
    reason:
      how === 'unmarked'
        ? `${about} is no longer run as a test`
        : `${about} is gone, and nothing checks the same`,
    test: test.name,
  };
}

const CHECKS: Readonly<
  Record<Fate['kind'], { readonly kind: string; readonly confidence: number; readonly reason: string }>
> = {
  weaker: { kind: 'assertion_weakened', confidence: 0.85, reason: 'A check accepts more than before' },
  looser: {
    kind: 'tolerance_widened',
    confidence: 0.85,
    reason: 'A check allows more deviation than before',
  },
  other_value: {
    kind: 'expectation_replaced',
    confidence: ASKED,
    reason: 'An expected value changed, and no production code did',
  },
  flipped: {
    kind: 'expectation_flipped',
    confidence: 0.85,
    reason: 'A check demands the opposite, and no production code changed',
  },
  not_awaited: {
    kind: 'await_lost',
    confidence: 0.9,
    reason: "A check isn't awaited any more, so that it can't fail",
  },
  gone: { kind: 'assertion_removed', confidence: 0.8, reason: 'A check is gone' },
};

function checkSignal(fate: Fate): Signal {
  const { kind, confidence, reason } = CHECKS[fate.kind];
  const { change, assertion, test } = fate.old;
  const now = fate.kind === 'gone' ? null : fate.now.assertion;
  const place = now ?? assertion;
  return {
    category: 'assertion_weakening',
    kind,
    path: change.path,
    line: place.side.lines[place.line]?.number ?? 0,
    before: excerpt(assertion.side, assertion.line, assertion.lastLine),
    after: now === null ? null : excerpt(now.side, now.line, now.lastLine),
    confidence,
    reason: test === null ? reason : `${reason} (test "${test.name}")`,
    test: test?.name ?? null,
  };
}

/** Returns signals for test files renamed so that no runner collects them, and deleted ones of which the diff shows no test. */
function uncollected({ all }: Changes): readonly Signal[] {
  return all.flatMap(({ file, path, role }): Signal[] => {
    const { oldPath, newPath } = file;
    if (
      oldPath === null ||
      newPath === null ||
      role !== 'test' ||
      oldPath === newPath ||
      !isCollected(oldPath)
    )
      return [];
    const aside =
      /(?:^|\/)(?:disabled|skip(?:ped)?|old|attic|archive[ds]?|broken|quarantine|ignored?|wip|flaky|_\w+)\//i;
    if (isCollected(newPath) && (!aside.test(newPath) || aside.test(oldPath))) return [];
    return [
      {
        category: 'test_skip',
        kind: 'test_file_renamed',
        path,
        line: 1,
        before: oldPath,
        after: newPath,
        confidence: 0.9,
        reason: `No test runner collects ${newPath}`,
        test: null,
      },
    ];
  });
}
