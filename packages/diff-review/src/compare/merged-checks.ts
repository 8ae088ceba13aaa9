import type { Assertion } from '../tests/assertions.ts';
import { unanchored } from '../tests/split.ts';
import { demandsThrow } from '../tests/throws.ts';
import type { Placed } from './fate.ts';

/** Matchers of several frameworks that compare fields by name; `WHOLE` compares complete values. */
const FIELDS = /\b(?:have_attributes|toMatchObject|objectContaining|hasFieldOrProperty\w*|extracting)\b/;
const WHOLE =
  /[[{]|\b(?:[A-Z][a-z]\w* \( ["\d]|new [A-Z]\w* \(|containsExactly\w*|containExactly\w*|contain_exactly|match_array|List \. of|listOf|Arrays \. asList|returns)\b/;
const COUNTS = /\b(?:len|length|size|count|Len|Length|Size|Count|toHaveLength|have_length)\b/;
const FAILS = /^(?:\w+ \. )?(?:fail|XCTFail|flunk|Fail) \(/;
const PLAIN =
  /^(?:expect|assert\w*|Assert\w*|to|be|eq|equal|toBe|toEqual|self|this|not|is|require|get|of|new|it|should\w*|str|String)$/;

export function mergedChecks(added: readonly Placed[]): (old: Placed) => boolean {
  const wholes = added.filter(({ assertion }) => isWhole(assertion) || demandsThrow(assertion.text) === true);
  const flagged = added.filter(({ assertion }) => OF_ROW.test(assertion.text));
  return (old) =>
    wholes.some((whole) => isNearby(old, whole) && holds(whole.assertion, old.assertion)) ||
    (OF_ERROR.test(old.assertion.text) &&
      flagged.some((one) => isNearby(old, one) && isCalledAround(one.assertion, old.assertion)));
}

/** A column of a test table that says whether an error is expected. */
const OF_ROW = /\b\w+ \. (?:wantErr\w*|expectErr\w*|expectedErr\w*|isErr\w*|fails|throws|shouldFail)\b/;
const OF_ERROR = /\berr (?:==|!=) nil\b/;

function isCalledAround({ side, line }: Assertion, old: Assertion): boolean {
  const body = side.lines.slice(Math.max(0, line - 8), line + 1).map(({ text }) => text);
  const calls = old.text.match(/\b[A-Z]\w*(?= \()/g) ?? [];
  return calls.some(
    (name) => !/^(?:Error|Fatal|New)/.test(name) && body.some((text) => text.includes(`${name}(`)),
  );
}

function isWhole({ strength, negated, text }: Assertion): boolean {
  const condition = text.replace(/\{ \w+ \. (?:Error|Fatal).*$/, '');
  return !negated && (FIELDS.test(condition) || ((strength ?? 0) >= EXACT && WHOLE.test(condition)));
}

const EXACT = 3.5;
const OF_KIND = 2.5;

function isNearby(old: Placed, now: Placed): boolean {
  if (old.change !== now.change) return false;
  if (old.test !== null && now.test !== null && old.test.name === now.test.name) return true;
  const hunkOf = ({ side, line }: Assertion) => side.lines[line]?.hunk;
  return hunkOf(old.assertion) === hunkOf(now.assertion);
}

function holds(whole: Assertion, old: Assertion): boolean {
  if (FAILS.test(old.text)) return demandsThrow(whole.text) === true;
  if (old.negated || demandsThrow(old.text) === true || !isSameSubject(whole, old)) return false;
  if (!isWhole(whole) && (whole.strength ?? 0) < OF_KIND) return false;
  const values = valuesIn(old.expected);
  const known = new Set([...whole.literals, ...whole.literals.map(unanchored)]);
  if (values.length > 0 && values.every((one) => known.has(one))) return true;
  // An exact list also fixes its length.
  return (
    COUNTS.test(old.text) &&
    (whole.strength ?? 0) >= 4 &&
    whole.literals.length >= Number(values[0] ?? Number.NaN)
  );
}

function valuesIn(expected: string): readonly string[] {
  return (expected.match(/"[^"]*"|\b\d[\w.]*/g) ?? []).map((one) => one.replace(/^"(.*)"$/s, '$1'));
}

/** Returns whether both assertions name the same function or value, or the source of the old one's value. */
function isSameSubject(whole: Assertion, old: Assertion): boolean {
  const names = old.subject.match(/[A-Za-z_]\w*/g) ?? [];
  const origins = names.flatMap((name) => originOf(name, old));
  return [...names, ...origins].some((name) => !PLAIN.test(name) && whole.words.has(name));
}

/** Returns the names in a variable's last assignment above an assertion; in Python also in the block whose error it holds. */
function originOf(name: string, { side, line }: Assertion): readonly string[] {
  const setting = new RegExp(
    String.raw`(?:\b${name}\b(?:\s*:\s*[\w<>[\], ]+)?\s*:?=(?!=)\s*(.*)$|^(.*)\bas\s+${name}\s*:)`,
  );
  for (let at = line - 1; at >= Math.max(0, line - 12); at -= 1) {
    const [, value, block] = setting.exec(side.lines[at]?.text ?? '') ?? [];
    if (value !== undefined || block !== undefined)
      return (value ?? block ?? '').match(/[A-Za-z_]\w*/g) ?? [];
  }
  return [];
}
