import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Side } from '../lex/side.ts';
import { between } from '../remember.ts';
import { blockEnd, indentOf, type TestCase, testAt } from '../tests/find-tests.ts';
import { demandsThrow } from '../tests/throws.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const GUARDED: Sign = {
  category: 'assertion_weakening',
  kind: 'check_guarded',
  confidence: 0.8,
  reason: 'A check is left out where the value that it is about is missing',
};
const DROPPED: Sign = {
  category: 'assertion_weakening',
  kind: 'failure_swallowed',
  confidence: 0.85,
  reason: 'What a check throws is caught in the test',
};
const DEFERRED: Sign = {
  category: 'test_skip',
  kind: 'check_deferred',
  confidence: 0.8,
  reason: 'A check stands in a function that the test does not wait for',
};
const ONLY_CAUGHT: Sign = {
  category: 'assertion_weakening',
  kind: 'throw_optional',
  confidence: 0.8,
  reason: 'A check of an error no longer fails where none is thrown',
};

/** A failing check and its catch in one line, or a block that drops what fails in it. */
const DROPS =
  /\btry\s*\{[^\n]*\b(?:[aA]ssert\w*|expect)\b[^\n]*\}\s*catch\b[^\n]*\{\s*\}|\brunCatching\s*\{[^\n]*\b(?:assert\w*|should\w*)\b|\b(?:expect|assert\w*|must_\w+)\b[^\n]*\brescue\s+(?:nil|true|false)\s*$|\bsuppress\s*\(\s*(?:AssertionError|Exception|BaseException)\b/gm;
const DEFERS =
  /\b(?:setTimeout|setImmediate|setInterval|nextTick|queueMicrotask)\s*\(\s*(?:async\s*)?(?:\(\s*\)|\w+|function\s*\(\s*\))\s*(?:=>)?\s*\{?\s*(?:expect|assert)\b/g;
/** The condition is about a value, and there is no other branch. */
const GUARDS =
  /^[ \t]*if\b[ \t]*\(?[ \t]*(?:typeof[ \t]+|(?:Array\.isArray|isinstance|Number\.is\w+|is_\w+)\()?(!?[\w.$[\]]+(?:\([^()\n]*\))?)[ \t]*(?:\)|:|\{|$|,|[!=<>]=|[<>]|&&|and\b|is\b|in\b|instanceof\b)[^\n]*/gm;
/** That there is a value at all. */
const IS_THERE =
  /^[ \t]*if\b[ \t]*\(?[ \t]*!?[\w.$[\]]+(?:\([^()\n]*\))?[ \t]*(?:(?:!==?|>|is not|!=)[ \t]*(?:undefined|null|None|nil|0|''|""))?[ \t]*(?:\)|:|\{|$)/;
const MODIFIERS =
  /\b(?:expect|assert\w*|refute\w*|must_\w+)\b[^\n]*[^\s:]\s+(?:if|unless)\s+[\w.[\]'"?!]+\s*$/gm;
const NO_ROUNDS = /^[ \t]*for\b[^\n]*\b(?:in|of)\b\s*\(?\s*\[\s*\]/gm;

/** Checks that a test may end without, though they are still there. */
export function unreachedCheckSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ after, before }) => after.assertions.length > 0 && before.side.lines.length > 0)
    .flatMap((change) => [
      ...inTests(change, DROPS, DROPPED),
      ...inTests(change, DEFERS, DEFERRED),
      ...inTests(change, NO_ROUNDS, DEFERRED),
      ...(change.after.side.language.name === 'ruby' ? inTests(change, MODIFIERS, GUARDED) : []),
      ...guards(change),
      ...onlyCaught(change),
    ]);
}

/** Of tests that were there before. */
function inTests(change: Change, pattern: RegExp, sign: Sign): readonly Signal[] {
  return addedMatches(change, pattern).flatMap(({ line, lastLine }) => {
    const test = testAt(change.after.tests, line);
    const known = test === null ? change.role === 'test' : wasTest(change, test);
    return known ? [signalAt(change, change.after.side, line, lastLine, sign, test?.name ?? null)] : [];
  });
}

function wasTest({ before }: Change, { name }: TestCase): boolean {
  return before.tests.some((one) => one.name === name);
}

/** `if (got) expect(got)…` where `expect(got)…` stood alone. */
function guards(change: Change): readonly Signal[] {
  const { before, after } = change;
  // There the failing call itself is conditional.
  if (after.side.language.name === 'go' || after.side.language.name === 'shell') return [];
  return addedMatches(change, GUARDS).flatMap(({ line, text: condition, groups }) => {
    const test = testAt(after.tests, line);
    const to = blockEnd(after.side, line);
    const inside = between(after.assertions, (one) => one.line, line, to + 1);
    const about = groups[1]?.replace(/^!/, '') ?? '';
    const text = inside.map((one) => one.text).join(' ');
    const alone = before.assertions.some(
      (old) => old.changed && old.expected !== '' && text.includes(old.expected),
    );
    const otherwise = after.side.lines.slice(line, to + 2).some((one) => /\belse\b|\belif\b/.test(one.text));
    const isIt =
      IS_THERE.test(condition) || inside.some(({ subject }) => subject.replace(/ /g, '') === about);
    const named = /^\w+/.exec(about)?.[0] ?? '';
    return test !== null &&
      wasTest(change, test) &&
      alone &&
      !otherwise &&
      isIt &&
      isChecked(named, text, after.side)
      ? [signalAt(change, after.side, line, to, GUARDED, test.name)]
      : [];
  });
}

/** What is checked is that value, or what it was taken from. */
function isChecked(name: string, text: string, { code }: Side): boolean {
  return (
    name.length > 0 &&
    !/^(?:process|os|sys|platform|env|System|Rails|is[A-Z]\w*|has[A-Z]\w*)$/.test(name) &&
    new RegExp(String.raw`\b${name.replace(/\$/g, '\\$')}\b`).test(
      `${text} ${/^\w+$/.test(name) ? '' : code}`,
    )
  );
}

/** What is thrown is looked at in a `catch`, and nothing fails where nothing is thrown. */
function onlyCaught(change: Change): readonly Signal[] {
  const { before, after } = change;
  const demanded = before.assertions.filter((one) => one.changed && demandsThrow(one.text) === true);
  if (demanded.length === 0) return [];
  return findCode(after.side, /\bcatch\b[^{\n]*\{|^[ \t]*except\b[^:\n]*:|^[ \t]*rescue\b/gm)
    .filter(({ changed }) => changed)
    .flatMap(({ line }) => {
      const test = testAt(after.tests, line);
      if (test === null || !wasTest(change, test) || demanded.length === 0) return [];
      const checks = between(after.assertions, (one) => one.line, line, blockEnd(after.side, line) + 1);
      const body = after.side.lines
        .slice(test.header, test.to + 1)
        .map(({ text }) => text)
        .join('\n');
      const insists =
        /(?:\b|[a-z]\.|XCT|_)[fF]ail\w*!?\s*\(|\bFAIL\s*\(|\bIssue\.record\b|\bthrow\s+new\b|\braise\b|\bunreachable|expect\.(?:assertions|hasAssertions)|t\.plan|assert_raises|\belse\b|\bthrew\b|\bcaught\b/i;
      return checks.length > 0 && !insists.test(body) && isIndented(after.side, line)
        ? [signalAt(change, after.side, line, line, ONLY_CAUGHT, test.name)]
        : [];
    });
}

function isIndented({ lines }: Side, line: number): boolean {
  return indentOf(lines[line]?.text ?? '') > 0;
}
