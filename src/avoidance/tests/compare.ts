import type { Change, Changes } from '../change.ts';
import { lineAt } from '../lex/side.ts';
import type { Assertion } from './assertions.ts';
import { type TestCase, testAt } from './find-tests.ts';

/** A check that was there before and what became of it. */
export type Fate =
  | {
      readonly kind: 'weaker' | 'other_value' | 'flipped' | 'looser' | 'not_awaited';
      readonly old: Placed;
      readonly now: Placed;
    }
  | { readonly kind: 'gone'; readonly old: Placed };

/** A check, where it stands. */
export type Placed = {
  readonly change: Change;
  readonly assertion: Assertion;
  readonly test: TestCase | null;
};

/** What became of each check that a diff touches and that isn't as strong as before. */
export function weakenedChecks({ all }: Changes): readonly Fate[] {
  const old = all.flatMap((change) => placed(change, 'before'));
  const added = all.flatMap((change) => placed(change, 'after'));
  const [left, free] = withoutEqual(old, added);
  const used = new Set<Placed>();
  const fates: Fate[] = [];
  const rest: Placed[] = [];
  const partners = pairs(left, free);
  for (const one of left) {
    const now = partners.get(one);
    if (now === undefined) rest.push(one);
    else {
      used.add(now);
      const fate = fateOf(one, now);
      if (fate !== null && !isOffset(fate, free, partners)) fates.push(fate);
    }
  }
  const unused = free.filter((one) => !used.has(one));
  const rows = new Set(all.flatMap((change) => addedLiterals(change)));
  for (const one of rest) if (!isCovered(one, unused, free, rows)) fates.push({ kind: 'gone', old: one });
  return fates;
}

function placed(change: Change, which: 'before' | 'after'): Placed[] {
  const { assertions, tests } = change[which];
  return assertions
    .filter(({ changed }) => changed)
    .map((assertion) => ({ change, assertion, test: testAt(tests, assertion.line) }));
}

/** Without those that stand elsewhere or in another layout now. */
function withoutEqual(old: readonly Placed[], added: readonly Placed[]): [Placed[], Placed[]] {
  const free = [...added];
  const left = old.filter(({ assertion }) => {
    const same = (exactly: boolean) =>
      free.findIndex(
        (one) =>
          one.assertion.text === assertion.text && (!exactly || one.assertion.awaited === assertion.awaited),
      );
    const index = same(true);
    if (index < 0) return true;
    free.splice(index, 1);
    return false;
  });
  return [left, free];
}

/** Who follows whom: the most alike in the same test, or in the same place where the test isn't in the diff. */
function pairs(old: readonly Placed[], now: readonly Placed[]): ReadonlyMap<Placed, Placed> {
  const candidates = old.flatMap((one) =>
    now.flatMap((other) =>
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
  return test !== null && tests.some(({ name }) => name === test.name);
}

/** 0 to 1: how much two checks are about the same. */
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

/** Less than this is no difference: kinds of equality. */
const MARGIN = 0.35;

/** Nobody notices a deviation below this. */
const LEAST_SLACK = 1e-5;

function fateOf(old: Placed, now: Placed): Fate | null {
  const [before, after] = [old.assertion, now.assertion];
  const stillPromise = before.subject === after.subject || /\b(?:resolves|rejects)\b/.test(after.text);
  if (before.awaited && !after.awaited && stillPromise && !after.text.includes('await'))
    return { kind: 'not_awaited', old, now };
  if (isSameCount(before, after)) return null;
  if (before.strength === null || after.strength === null) return null;
  if (after.strength < before.strength - MARGIN) {
    const flips = before.negated !== after.negated && sameMatcher(before, after);
    return { kind: flips ? 'flipped' : 'weaker', old, now };
  }
  if (after.strength > before.strength + MARGIN) return null;
  if (after.tolerance > Math.max(before.tolerance * 1.5, LEAST_SLACK)) return { kind: 'looser', old, now };
  if (before.negated !== after.negated && sameMatcher(before, after)) return { kind: 'flipped', old, now };
  const value =
    before.expected !== after.expected &&
    isLiteral(before.expected) &&
    isLiteral(after.expected) &&
    !hasNewNames(before.expected, after.expected);
  if (value && before.subject === after.subject) return { kind: 'other_value', old, now };
  const boolean = isOpposite(before.text, after.text);
  return boolean ? { kind: 'flipped', old, now } : null;
}

/** `x.length` compared with a number is the same as a matcher for lengths. */
function isSameCount(before: Assertion, after: Assertion): boolean {
  const counts = /\b(?:length|len|size|Len|count|Count)\b/;
  return (
    before.expected === after.expected &&
    counts.test(before.subject) &&
    /\b\w*(?:Length|Size|Count|Len|size|length|count)\b/.test(after.text)
  );
}

function sameMatcher(one: Assertion, other: Assertion): boolean {
  const positive = ({ text }: Assertion) =>
    text.replace(/\. not\b|\bnot_|\bnot |\bNot\b/g, '').replace(/\( .* \)$/, '');
  return one.subject === other.subject || positive(one) === positive(other);
}

function isOpposite(one: string, other: string): boolean {
  const flipped = (text: string) =>
    text
      .replace(
        /\b(assert|expect|is|to_?be|toBe|XCTAssert|EXPECT_|ASSERT_|be_)_?(true|True|TRUE|truthy)\b/g,
        '$1',
      )
      .replace(
        /\b(assert|expect|is|to_?be|toBe|XCTAssert|EXPECT_|ASSERT_|be_)_?(false|False|FALSE|falsy|falsey)\b/g,
        '$1!',
      );
  return (
    one !== other &&
    flipped(one) !== flipped(other) &&
    flipped(one).replace(/!/g, '') === flipped(other).replace(/!/g, '')
  );
}

/** A value that is written out: it holds a literal and calls nothing but constructors. */
function isLiteral(text: string): boolean {
  return (
    /["\d]|\b(?:true|false|True|False|null|None|nil)\b/.test(text) &&
    !/\b[a-z_]\w* \(/.test(text.replace(/"[^"]*"/g, ''))
  );
}

/** It refers to something that the other doesn't: a value that is no longer written out. */
function hasNewNames(before: string, after: string): boolean {
  const names = (text: string): readonly string[] =>
    text.replace(/"[^"]*"/g, '').match(/[A-Za-z_]\w*/g) ?? [];
  return names(after).some((name) => !names(before).includes(name));
}

/** Another check of the same test became stronger or is new and as strong. */
function isOffset(fate: Fate, free: readonly Placed[], partners: ReadonlyMap<Placed, Placed>): boolean {
  if (fate.kind !== 'weaker') return false;
  const { strength, literals } = fate.old.assertion;
  const inPairs = new Set(partners.values());
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
    return side.lines[lineAt(side, start)]?.changed === true
      ? [text.replace(/^(?:[rbfu]{0,2})(["'`]{1,3})([\s\S]*)\1$/i, '$2')]
      : [];
  });
}

/** Whether a check that is gone is done elsewhere: a check as strong of the same thing, with the same values beside it. */
function isCovered(
  old: Placed,
  unused: Placed[],
  added: readonly Placed[],
  rows: ReadonlySet<string>,
): boolean {
  const { strength, literals, text } = old.assertion;
  const fits = ({ assertion }: Placed) =>
    (assertion.strength ?? 4) >= (strength ?? 0) - MARGIN &&
    (sharedWords(old.assertion, assertion) || isSameDemand(old.assertion, assertion)) &&
    !(strength === 4 && assertion.negated && !old.assertion.negated);
  const present = literals.filter((one) => rows.has(one)).length;
  const literalsThere = literals.length > 0 && present >= literals.length * 0.6;
  const general = added.find((one) => fits(one) && (literalsThere || literals.length === 0));
  if (general !== undefined && text !== '') return true;
  const index = unused.findIndex((one) => fits(one) && present * 2 >= literals.length);
  if (index < 0) return false;
  unused.splice(index, 1);
  return true;
}

/** They demand the same of something that goes by another name now. */
function isSameDemand(one: Assertion, other: Assertion): boolean {
  return one.expected !== '' && one.expected === other.expected && one.negated === other.negated;
}

const COMMON =
  /^(?:expect|assert\w*|Assert|to|be|toBe|toEqual|equal|eq|self|this|t|it|not|that|is|True|False|true|false|None|null|nil|require|Equal|with|raises|pytest|resolves|rejects|await|should\w*|result|got|want|if|err|ok|Errorf?|Fatalf?|unwrap|the|new|len|length|lambda|EXPECT_\w+|ASSERT_\w+|XCTAssert\w*|_|v|x|e)$/;

/** They name the same function, field or type. */
function sharedWords(one: Assertion, other: Assertion): boolean {
  const own = [...one.words].filter((word) => !COMMON.test(word));
  return own.length === 0 || own.some((word) => other.words.has(word));
}
