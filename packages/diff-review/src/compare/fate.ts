import type { Change } from '../change.ts';
import type { Assertion } from '../tests/assertions.ts';
import type { TestCase } from '../tests/find-tests.ts';
import { unanchored } from '../tests/split.ts';
import { demandsThrow } from '../tests/throws.ts';

export type Fate =
  | {
      readonly kind: 'weaker' | 'other_value' | 'flipped' | 'looser' | 'not_awaited';
      readonly old: Placed;
      readonly now: Placed;
    }
  | { readonly kind: 'gone'; readonly old: Placed };

export type Placed = {
  readonly change: Change;
  readonly assertion: Assertion;
  readonly test: TestCase | null;
};

/** Smallest difference in strength that counts; kinds of equality differ by less. */
export const MARGIN = 0.35;

const LEAST_SLACK = 1e-5;

/** Returns how a new assertion is weaker than the old one it follows, or `null` if it is as strong. */
export function fateOf(old: Placed, now: Placed): Fate | null {
  const [before, after] = [old.assertion, now.assertion];
  const stillPromise = before.subject === after.subject || /\b(?:resolves|rejects)\b/.test(after.text);
  if (before.awaited && !after.awaited && stillPromise && !/\bawait\b|\bThrows/.test(after.text))
    return { kind: 'not_awaited', old, now };
  if (isSameCount(before, after)) return null;
  const [threw, throws] = [demandsThrow(before.text), demandsThrow(after.text)];
  if (threw !== null && throws !== null && threw !== throws && sameCall(before.text, after.text))
    return { kind: 'flipped', old, now };
  if (leavesOpen(before, after)) return { kind: 'weaker', old, now };
  if (before.strength === null || after.strength === null) return null;
  if (after.strength < before.strength - MARGIN && !(holdsAll(after, before.literals) && !after.negated)) {
    const flips =
      before.negated !== after.negated && before.expected === after.expected && sameMatcher(before, after);
    return { kind: flips ? 'flipped' : 'weaker', old, now };
  }
  if (after.strength > before.strength + MARGIN) return null;
  if (roundings(after) > roundings(before)) return { kind: 'looser', old, now };
  if (after.tolerance > Math.max(before.tolerance * 1.5, LEAST_SLACK)) return { kind: 'looser', old, now };
  if (before.negated !== after.negated && sameMatcher(before, after)) return { kind: 'flipped', old, now };
  const value =
    before.expected !== after.expected &&
    isLiteral(before.expected) &&
    isLiteral(after.expected) &&
    !hasNewNames(before.expected, after.expected) &&
    valueIn(after) !== valueIn(before);
  const shape = (text: string) => text.replace(/"[^"]*"|-? ?\b\d[\w.]*/g, '#').replace(/(?:# , )+#/g, '#');
  if (value && shape(before.subject) === shape(after.subject)) return { kind: 'other_value', old, now };
  const boolean = isOpposite(before.text, after.text);
  return boolean ? { kind: 'flipped', old, now } : null;
}

/** Returns the expected value without its matcher or a tolerance's digits, and a pattern as the text that it matches. */
function valueIn({ expected: written, text }: Assertion): string {
  const expected = /\bcloseTo\b|\btoBeCloseTo\b/.test(text)
    ? written.replace(/ (?:, )?[\d.e-]+$/, '')
    : written;
  const inner = /^(?:(?:Is \. )?(?:EqualTo|SameAs)|is|equalTo|equals|eq|be) \( (.*) \)$/.exec(expected)?.[1];
  return unanchored((inner ?? expected).replace(/"/g, ''));
}

function sameCall(one: string, other: string): boolean {
  const calls = (text: string) =>
    (text.match(/\b[A-Za-z_]\w*(?= \()/g) ?? []).filter(
      (name) => demandsThrow(name) === null && name !== 'expect',
    );
  return calls(one).some((name) => calls(other).includes(name));
}

function roundings({ subject }: Assertion): number {
  return (
    subject.match(
      /\b(?:round|floor|ceil|trunc|int|parseInt|toFixed|Round|Floor|Truncate|lower|upper|casefold|downcase|upcase|toLowerCase|toUpperCase|to_lowercase|ToLower\w*|strip|trim|Trim|TrimSpace|(?<!\. )sorted|sort|(?<!\. )set|Set|normalize) (?=\()/g,
    )?.length ?? 0
  );
}

const WILDCARDS =
  /\b(?:expect|jasmine|sinon \. match) \. any(?:thing)?\b|\b(?:mock \. )?ANY\b|\bgomock \. Any \(|\b(?:any|anyInt|anyLong|anyString|anyList|anyMap|anyObject|notNull) \(|\bIt \. IsAny\b|\bArg \. Any\b|\banything \b|\b(?:kind_of|instance_of) \(|: \w*\b_\b/g;

function leavesOpen(before: Assertion, after: Assertion): boolean {
  const wild = ({ text }: Assertion) => text.match(WILDCARDS)?.length ?? 0;
  return wild(after) > wild(before) && before.literals.some((one) => !after.literals.includes(one));
}

const WITH_MESSAGE = 3.5;

/** Returns whether an assertion contains all the values, at least one of which is text such as a message, not a number. */
export function holdsAll({ literals, strength }: Assertion, values: readonly string[]): boolean {
  if (strength === null || strength < WITH_MESSAGE) return false;
  return values.some((one) => /[^\s\d.]{4,}/.test(one)) && values.every((one) => literals.includes(one));
}

/** Comparing `x.length` with a number equals a matcher for lengths. */
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

function isLiteral(text: string): boolean {
  return (
    /["\d]|\b(?:true|false|True|False|null|None|nil)\b|^(?:\[ \]|\{ \}|\( \))$/.test(text) &&
    !/\b[a-z_]\w* \(/.test(text.replace(/"[^"]*"/g, ''))
  );
}

/** Returns whether the new value refers to a name that the old one doesn't, so that it is no longer written out. */
function hasNewNames(before: string, after: string): boolean {
  const names = (text: string): readonly string[] =>
    text.replace(/"[^"]*"/g, '').match(/[A-Za-z_]\w*/g) ?? [];
  return names(after).some((name) => !names(before).includes(name));
}
