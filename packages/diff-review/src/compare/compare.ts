import { RECEIVERS } from 'ralph-ecosystems';
import type { Change, Changes } from '../change.ts';
import { lineAt } from '../lex/side.ts';
import { between, remembered } from '../remember.ts';
import type { Assertion } from '../tests/assertions.ts';
import { type TestCase, testAt } from '../tests/find-tests.ts';
import { holdsAll, MARGIN, type Placed, type Weakening, weakeningOf } from './fate.ts';
import { mergedChecks } from './merged-checks.ts';
import { isParametrised, repeatedChecks } from './repeated-checks.ts';

export function weakenedChecks({ all }: Changes): readonly Weakening[] {
  const old = all.flatMap((change) => placed(change, 'before'));
  const added = all.flatMap((change) => placed(change, 'after'));
  const [left, free] = withoutEqual(old, added);
  const used = new Set<Placed>();
  const fates: Weakening[] = [];
  const rest: Placed[] = [];
  const near = neighbours(free);
  const merged = mergedChecks(free);
  const partners = pairs(left, near);
  const inPairs = new Set(partners.values());
  for (const one of left) {
    const now = partners.get(one);
    if (now === undefined) rest.push(one);
    else {
      used.add(now);
      const fate = weakeningOf(one, now);
      const isMerged = fate?.kind === 'weaker' && merged(one);
      if (fate !== null && !isMerged && !isOffset(fate, near(one), inPairs)) fates.push(fate);
    }
  }
  const rows = new Set(all.flatMap((change) => addedLiterals(change)));
  const repeated = repeatedChecks([...added, ...all.flatMap(inNewTests)]);
  for (const one of rest)
    if (!repeated(one) && !isCovered(one, used, free, rows) && !merged(one))
      fates.push({ kind: 'gone', old: one });
  return fates;
}

/** Returns the checks whose own lines stay, below the new header of a test. */
function inNewTests(change: Change): Placed[] {
  const { assertions, tests, side } = change.after;
  return assertions.flatMap((assertion) => {
    const test = testAt(tests, assertion.line);
    const isNew = test !== null && side.lines[test.header]?.changed === true;
    return isNew && !assertion.changed ? [{ change, assertion, test }] : [];
  });
}

function placed(change: Change, which: 'before' | 'after'): Placed[] {
  const { assertions, tests } = change[which];
  return assertions
    .filter(({ changed }) => changed)
    .map((assertion) => ({ change, assertion, test: testAt(tests, assertion.line) }));
}

function withoutEqual(old: readonly Placed[], added: readonly Placed[]): [Placed[], Placed[]] {
  const equal = new Map<string, Placed[]>();
  const key = ({ assertion }: Placed) => `${assertion.awaited} ${assertion.text}`;
  for (const one of added) push(equal, key(one), one);
  const found = new Set<Placed>();
  const left = old.filter((one) => {
    const same = equal.get(key(one))?.shift();
    if (same === undefined) return true;
    found.add(same);
    return false;
  });
  return [left, added.filter((one) => !found.has(one))];
}

/** Returns the new assertion for each old one: the most similar in the same test, or else in the same hunk. */
function pairs(
  old: readonly Placed[],
  near: (one: Placed) => readonly Placed[],
): ReadonlyMap<Placed, Placed> {
  const candidates = old.flatMap((one) =>
    near(one).flatMap((other) =>
      isSamePlace(one, other) ? [{ one, other, score: likeness(one.assertion, other.assertion) }] : [],
    ),
  );
  const found = new Map<Placed, Placed>();
  const taken = new Set<Placed>();
  for (const { one, other } of candidates.sort((a, b) => b.score - a.score)) {
    if (found.has(one) || taken.has(other)) continue;
    found.set(one, other);
    taken.add(other);
  }
  return found;
}

/** Bounds the comparisons: of a longer list in one test or hunk, only the nearest assertions are compared. */
const NEAREST = 60;

/** Returns the new assertions that may follow an old one: those in a test of the same name and those in the same hunk. */
function neighbours(now: readonly Placed[]): (one: Placed) => readonly Placed[] {
  const byTest = new Map<string, Placed[]>();
  const byHunk = new Map<Change, Map<number, Placed[]>>();
  for (const one of now) {
    if (one.test !== null) push(byTest, one.test.name, one);
    const hunks = byHunk.get(one.change) ?? new Map<number, Placed[]>();
    byHunk.set(one.change, hunks);
    push(hunks, hunkOf(one), one);
  }
  return (one) => {
    const own = one.test === null ? [] : (byTest.get(one.test.name) ?? []);
    const around = byHunk.get(one.change)?.get(hunkOf(one)) ?? [];
    return [...new Set([...nearest(own, one), ...nearest(around, one)])];
  };
}

function push<K>(lists: Map<K, Placed[]>, key: K, one: Placed): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}

function hunkOf({ assertion: { side, line } }: Placed): number {
  return side.lines[line]?.hunk ?? -1;
}

function nearest(list: readonly Placed[], { assertion }: Placed): readonly Placed[] {
  if (list.length <= NEAREST) return list;
  const number = (one: Placed['assertion']) => one.side.lines[one.line]?.number ?? 0;
  const at = between(list, (one) => number(one.assertion), 0, number(assertion)).length;
  const from = Math.max(0, Math.min(at - NEAREST / 2, list.length - NEAREST));
  return list.slice(from, from + NEAREST);
}

function isSamePlace(one: Placed, other: Placed): boolean {
  if (one.test !== null && other.test !== null && one.test.name === other.test.name) return true;
  if (one.change !== other.change) return false;
  const [oldLine, newLine] = [
    one.assertion.side.lines[one.assertion.line],
    other.assertion.side.lines[other.assertion.line],
  ];
  if (oldLine?.hunk !== newLine?.hunk) return false;
  const renamed =
    !hasTest(one.change.after.tests, one.test) && !hasTest(other.change.before.tests, other.test);
  return renamed && likeness(one.assertion, other.assertion) >= 0.5;
}

function hasTest(tests: readonly TestCase[], test: TestCase | null): boolean {
  return test !== null && namesOf(tests).has(test.name);
}

export const namesOf = remembered(
  (tests: readonly TestCase[]): ReadonlySet<string> => new Set(tests.map(({ name }) => name)),
);

/** Returns the similarity of two assertions, 0 to 1. */
function likeness(one: Assertion, other: Assertion): number {
  const words = (text: string) => new Set(text.match(/\w+/g) ?? []);
  const subjects = overlap(words(one.subject), words(other.subject));
  const all = overlap(new Set(one.text.match(/\w+/g) ?? []), new Set(other.text.match(/\w+/g) ?? []));
  return (one.subject === other.subject ? 1 : subjects) * 0.7 + all * 0.3;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  const either = one.size + other.size - both;
  return either === 0 ? 1 : both / either;
}

function isOffset(fate: Weakening, free: readonly Placed[], inPairs: ReadonlySet<Placed>): boolean {
  if (fate.kind !== 'weaker') return false;
  const { strength, literals } = fate.old.assertion;
  const strong = free.filter(
    (one) =>
      !inPairs.has(one) &&
      isSamePlace(fate.old, one) &&
      (one.assertion.strength ?? 4) >= (strength ?? 0) - MARGIN,
  );
  const covered = new Set(strong.flatMap(({ assertion }) => assertion.literals));
  const same = strong.some(({ assertion }) =>
    (assertion.subject.match(/[A-Za-z_]\w*/g) ?? ['?']).every((word) => fate.old.assertion.words.has(word)),
  );
  return (
    same || (strong.length > 0 && literals.filter((one) => covered.has(one)).length * 2 >= literals.length)
  );
}

function addedLiterals({ role, after }: Change): readonly string[] {
  if (role === 'source' && after.tests.length === 0) return [];
  const { side } = after;
  return side.tokens.flatMap(({ kind, text, start }) => {
    if (kind === 'word' || kind === 'punct') return [];
    if (side.lines[lineAt(side, start)]?.changed !== true) return [];
    const value = text.replace(/^(?:[rbfu]{0,2})(["'`]{1,3})([\s\S]*)\1$/i, '$2');
    // A table row may be written as one string: `"Hello, hello"`.
    const cells = kind === 'string' && /[,|;]/.test(value) ? value.split(/[,|;\n]/) : [];
    return [value, ...cells.map((cell) => cell.trim().replace(/^'(.*)'$/, '$1'))];
  });
}

const MOST_ALIKE = 400;

/** Returns whether a removed assertion is made elsewhere: as strong, on the same subject, with the same values nearby. */
function isCovered(
  old: Placed,
  used: Set<Placed>,
  added: readonly Placed[],
  rows: ReadonlySet<string>,
): boolean {
  const { strength, literals, text } = old.assertion;
  const fits = ({ change, assertion }: Placed) =>
    (((assertion.strength ?? 4) >= (strength ?? 0) - MARGIN &&
      (sharedWords(old.assertion, assertion.words) ||
        sharedWords(old.assertion, rowWords(change)) ||
        isSameDemand(old.assertion, assertion))) ||
      holdsAll(assertion, literals)) &&
    !(strength === 4 && assertion.negated && !old.assertion.negated);
  const fitting = added.slice(0, MOST_ALIKE).filter(fits);
  const present = literals.filter((one) => rows.has(one)).length;
  const literalsThere = literals.length > 0 && present >= literals.length * 0.6;
  if (fitting.length > 0 && (literalsThere || literals.length === 0) && text !== '') return true;
  const other = present * 2 >= literals.length ? fitting.find((one) => !used.has(one)) : undefined;
  if (other === undefined) return false;
  used.add(other);
  return true;
}

function isSameDemand(one: Assertion, other: Assertion): boolean {
  return one.expected !== '' && one.expected === other.expected && one.negated === other.negated;
}

const COMMON =
  /^(?:expect|assert\w*|Assert|to|be|toBe|toEqual|equal|eq|self|this|t|it|not|that|is|True|False|true|false|None|null|nil|require|Equal|with|raises|resolves|rejects|await|should\w*|result|got|want|if|err|ok|Errorf?|Fatalf?|unwrap|the|new|len|length|lambda|EXPECT_\w+|ASSERT_\w+|XCTAssert\w*|_|v|x|e)$/;

/** Returns the words around the checks of a table of tests: its rows may name the function to call. */
const rowWords = remembered((change: Change): ReadonlySet<string> => {
  const { side } = change.after;
  const changed = isParametrised(change)
    ? side.tokens.filter(({ kind, start }) => kind === 'word' && side.lines[lineAt(side, start)]?.changed)
    : [];
  return new Set(changed.map(({ text }) => text));
});

/** Returns whether an assertion names one of these functions, fields or types. */
function sharedWords(one: Assertion, words: ReadonlySet<string>): boolean {
  const own = [...one.words].filter((word) => !COMMON.test(word) && !RECEIVERS.has(word));
  return own.length === 0 || own.some((word) => words.has(word));
}
