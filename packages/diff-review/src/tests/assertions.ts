import { RECEIVERS, type Token } from 'ralph-ecosystems';
import { isChanged, lineAt, type Side } from '../lex/side.ts';
import { joined, literal } from './split.ts';
import { strengthOf } from './strength.ts';

export type Assertion = {
  readonly side: Side;
  readonly line: number;
  readonly lastLine: number;
  readonly changed: boolean;
  /** Joined tokens, which are equal when only the layout differs. */
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly literals: readonly string[];
  /** `subject` is the compared value, `expected` the other one; empty if unknown. */
  readonly subject: string;
  readonly expected: string;
  /** 0 (none) to 4 (exact); `null` for a helper of the project. */
  readonly strength: number | null;
  readonly negated: boolean;
  readonly awaited: boolean;
  /** Allowed deviation of the value; 0 without one. */
  readonly tolerance: number;
};

const STARTERS =
  /^(?:assert\w*|Assert\w*|refute\w*|expect|expect(?:[A-Z_]\w*)|EXPECT_\w+|ASSERT_\w+|(?:CHECK|REQUIRE)(?:_\w+)?|BOOST_(?:CHECK|REQUIRE|TEST)\w*|XCTAssert\w*|XCTFail|XCTUnwrap|TEST_(?:ASSERT|CHECK)\w*|CU_ASSERT\w*|(?:ck|cr|g|munit)_assert\w*|verify\w*|debug_assert\w*|prop_assert\w*|raises|assertThat|intercept|raise_error|must_\w+|wont_\w+|should\w*|Should\w*|require|is_expected|\w+_raises|verifyNoMoreInteractions|fail|flunk|throws)$/;
const INFIX = /^(?:should(?!Throw)\w*|Should(?!Throw)\w*|must_\w+|wont_\w+|must|intercept)$/;
/** Methods of testify's suites: `s.Equal(…)`, `s.Require().Equal(…)`. */
const TESTIFY =
  /^(?:Not)?(?:Equal|EqualValues|Exactly|Nil|Empty|Contains|Len|Zero|Same|ElementsMatch|Subset|Regexp|Panics\w*|True|False|NoError|Error|ErrorIs|ErrorAs|ErrorContains|EqualError|JSONEq|InDelta|Greater\w*|Less\w*|Implements|IsType|Eventually)f?$/;
/** Methods of the object that tap, tape, AVA and node:test pass to a test: `t.equal(…)`. */
const HARNESS =
  /^(?:equals?|not|notEquals?|is|isEquivalent|deep(?:Equals?|LooseEqual)|notDeepEquals?|loose(?:Equals?)|same|notSame|strictSame|strictNotSame|strictEqual|notStrictEqual|deepStrictEqual|match|notMatch|doesNotMatch|ok|notOk|true|false|truthy|falsy|throws|throwsAsync|rejects|notThrows|doesNotThrow|type|has|hasStrict|like|regex|snapshot|matchSnapshot)$/;
const DEFINES = new Set([
  'function',
  'def',
  'fun',
  'func',
  'fn',
  'void',
  'class',
  'import',
  'use',
  'from',
  'macro_rules',
  'define',
  'const',
  'let',
  'defp',
]);
const OPENERS = new Set(['(', '[', '{']);
const CLOSERS = new Set([')', ']', '}']);
/** A statement continues before and after these tokens. */
const CONTINUES =
  /^(?:[.?]?\.|\?\.|&&|\|\||[-+*,=<>|&]|==|!=|===|!==|=>|->|::|and|or|to|not_to|should(?!Throw)\w*|is|in|not)$/;

export function assertionsIn(side: Side): readonly Assertion[] {
  const { tokens } = side;
  const found: Assertion[] = [];
  let past = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    if (index < past || !starts(side, index)) continue;
    const first = firstOf(side, index, past);
    const end = statementEnd(side, index);
    found.push(assertionOf(side, tokens.slice(first, end)));
    past = end;
  }
  return found;
}

function starts(side: Side, index: number): boolean {
  const token = side.tokens[index];
  const before = side.tokens[index - 1];
  const next = side.tokens[index + 1];
  if (token === undefined) return false;
  const sameLine = () => before !== undefined && lineAt(side, before.start) === lineAt(side, token.start);
  if (token.kind !== 'word') return false;
  if (isFailure(side, index) || isOfSuite(side, index) || isOfHarness(side, index)) return true;
  if (!STARTERS.test(token.text)) return false;
  if (before !== undefined && DEFINES.has(before.text) && sameLine()) return false;
  if (isImport(side, token)) return false;
  const name = token.text;
  if (name === 'require')
    return side.language.name === 'go'
      ? next?.text === '.'
      : next?.text === '(' &&
          side.language.name !== 'js' &&
          side.language.name !== 'ruby' &&
          side.language.name !== 'php';
  // A description of a test isn't an assertion: `"a stack" should "pop" in {`.
  if (
    /^(?:should|must)$/.test(name) &&
    (before?.kind === 'string' || /^(?:it|they)$/.test(before?.text ?? '')) &&
    (next?.kind === 'string' || next?.text === '{')
  )
    return false;
  if (name === 'verify') return next?.text === '(';
  if (name === 'throws') return side.language.name === 'php' && before?.text === '->' && next?.text === '(';
  if (name === 'fail' || name === 'flunk') return next?.text === '(' && before?.text !== '.';
  if (name === 'raises') return before?.text === '.' || next?.text === '(';
  if (/^(?:expect|Assert|assert)$/.test(name) && side.language.name === 'js')
    return next?.text === '(' || next?.text === '.';
  if (name === 'Assert')
    return next?.text === '.' || next?.text === '(' || next?.text === ':' || next?.text === '::';
  if (side.language.name === 'rust') return next?.text === '!';
  return next?.text !== '=' && next?.text !== ':';
}

/** Go reports failures by calls such as `t.Errorf`; the condition around the call is the assertion. */
function isFailure({ tokens, language }: Side, index: number): boolean {
  if (language.name !== 'go' || tokens[index + 1]?.text !== '.') return false;
  return (
    /^[tb]$|^tb$/.test(tokens[index]?.text ?? '') &&
    /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(tokens[index + 2]?.text ?? '')
  );
}

function isOfHarness({ tokens, language }: Side, index: number): boolean {
  return (
    language.name === 'js' &&
    /^(?:s?tt?|t\d|tap)$/.test(tokens[index]?.text ?? '') &&
    tokens[index - 1]?.text !== '.' &&
    tokens[index + 1]?.text === '.' &&
    HARNESS.test(tokens[index + 2]?.text ?? '') &&
    tokens[index + 3]?.text === '('
  );
}

function isOfSuite({ tokens, language }: Side, index: number): boolean {
  if (language.name !== 'go' || tokens[index + 1]?.text !== '(' || tokens[index - 1]?.text !== '.')
    return false;
  if (!TESTIFY.test(tokens[index]?.text ?? '')) return false;
  const before = tokens[index - 2]?.text ?? '';
  return (
    /^[a-z]\w{0,5}$/.test(before) ||
    (before === ')' && /^(?:Require|Assert)$/.test(tokens[index - 4]?.text ?? ''))
  );
}

function isImport(side: Side, token: Token): boolean {
  const line = side.lines[lineAt(side, token.start)]?.text ?? '';
  return (
    /^\s*(?:import|from|use|using|require|export \{|const \{[^}]*\} = require|@?import static|alias|#include|open)\b/.test(
      line,
    ) && !/^\s*require\.\w/.test(line)
  );
}

function firstOf(side: Side, index: number, past: number): number {
  const { tokens } = side;
  const token = tokens[index];
  if (token === undefined) return index;
  if (isFailure(side, index)) return conditionBefore(side, index, past);
  if (INFIX.test(token.text) || /^(?:raises|verify|assertThrows|assertFailsWith)$/.test(token.text))
    return lineStart(side, index, past);
  let first = index;
  while (first > past) {
    const before = tokens[first - 1];
    if (before === undefined || lineAt(side, before.start) !== lineAt(side, token.start)) break;
    if (
      !/^(?:await|return|try|with|self|this|\$this|testing|chai|console|Debug|Trace|\.|->|::|#|Assert|Assertions|sinon|async|wait|not)$/.test(
        before.text,
      ) &&
      !RECEIVERS.has(before.text)
    )
      break;
    first -= 1;
  }
  return first;
}

function lineStart(side: Side, index: number, past: number): number {
  const line = lineAt(side, side.tokens[index]?.start ?? 0);
  let first = index;
  // The assertion may share a line with its block: `"adds" { total(1) shouldBe 1 }`.
  while (
    first > past &&
    lineAt(side, side.tokens[first - 1]?.start ?? 0) === line &&
    !(INFIX.test(side.tokens[index]?.text ?? '') && side.tokens[first - 1]?.text === '{')
  )
    first -= 1;
  return first;
}

/** Returns the `if` of a failing call: the nearest line above with less indentation. */
function conditionBefore(side: Side, index: number, past: number): number {
  const indent = (line: number) => /^\s*/.exec(side.lines[line]?.text ?? '')?.[0].length ?? 0;
  const line = lineAt(side, side.tokens[index]?.start ?? 0);
  let above = line - 1;
  while (
    above >= 0 &&
    side.lines[above]?.hunk === side.lines[line]?.hunk &&
    (side.lines[above]?.text.trim() === '' || indent(above) >= indent(line))
  )
    above -= 1;
  if (above < 0 || !/^\s*(?:\} else )?if\b/.test(side.lines[above]?.text ?? ''))
    return lineStart(side, index, past);
  const from = side.starts[above] ?? 0;
  return Math.max(
    past,
    side.tokens.findIndex(({ start }) => start >= from),
  );
}

function statementEnd(side: Side, index: number): number {
  const { tokens } = side;
  let depth = 0;
  for (let at = index; at < tokens.length; at += 1) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (token === undefined) return at;
    if (OPENERS.has(token.text)) depth += 1;
    else if (CLOSERS.has(token.text)) {
      depth -= 1;
      if (depth < 0) return at;
    } else if (token.text === ';' && depth === 0) return at;
    if (depth > 0 || next === undefined) continue;
    const [line, nextLine] = [lineAt(side, token.start + token.text.length - 1), lineAt(side, next.start)];
    if (line === nextLine) continue;
    if (side.lines[line]?.hunk !== side.lines[nextLine]?.hunk) return at + 1;
    if (!CONTINUES.test(token.text) && !CONTINUES.test(next.text)) return at + 1;
  }
  return tokens.length;
}

function messageIn(tokens: readonly Token[], { language }: Side): number {
  if (language.name !== 'go' || tokens[0]?.text !== 'if') return tokens.length;
  const call = tokens.findIndex(({ text }, at) => /^(?:t|b|tb)$/.test(text) && tokens[at + 1]?.text === '.');
  return call < 0 ? tokens.length : call;
}

function assertionOf(side: Side, tokens: readonly Token[]): Assertion {
  const last = tokens.at(-1);
  const line = lineAt(side, tokens[0]?.start ?? 0);
  const lastLine = lineAt(side, (last?.start ?? 0) + (last?.text.length ?? 1) - 1);
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text);
  const body = /^(?:await|return)$/.test(tokens[0]?.text ?? '') ? tokens.slice(1) : tokens;
  return {
    side,
    line,
    lastLine,
    changed: isChanged(side, line, lastLine),
    text: joined(body),
    words: new Set(words),
    literals: body
      .slice(0, messageIn(body, side))
      .filter(({ kind }) => kind === 'string' || kind === 'number' || kind === 'regex')
      .map(({ text }) => literal(text)),
    awaited: body.length < tokens.length,
    ...strengthOf(body, side),
  };
}
