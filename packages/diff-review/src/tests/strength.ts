import {
  ANY_TEXT,
  BOOLEAN,
  EXACT,
  LOOSE_VALUES,
  MATCHERS,
  NOISE,
  RECEIVERS,
  THROWS,
  type Token,
} from 'ralph-ecosystems';
import type { Side } from '../lex/side.ts';
import { remembered } from '../remember.ts';
import { nearHelpersIn } from './near-helpers.ts';
import { argumentsOf, closing, comparisonIn, depthAt, joined, splitAtCommas } from './split.ts';
import { ofThrow } from './throws.ts';

type Weight = {
  readonly strength: number | null;
  readonly subject: string;
  readonly expected: string;
  readonly negated: boolean;
  readonly tolerance: number;
};

export function strengthOf(tokens: readonly Token[], side: Side): Weight {
  const weight = weigh(tokens, side);
  const text = joined(tokens);
  const capping = { ...weight, tolerance: toleranceIn(text), strength: capped(weight, text, side) };
  return throughHelper(capping, side) ?? capping;
}

function partsOf(text: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const word of text.split(' ')) {
    if (/^[([{]$/.test(word)) depth += 1;
    if (/^[)\]}]$/.test(word)) depth -= 1;
    if (word === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''} ${word}`.trim());
  }
  return parts;
}

const nearIn = remembered((side: Side) => nearHelpersIn(side.code));

function throughHelper(weight: Weight, side: Side): Weight | null {
  const call = (text: string) => /^(\w+) \( (.*) \)$/.exec(text);
  const [, compares = '', values = ''] = call(weight.subject) ?? [];
  const compared = nearIn(side).get(compares);
  const [first, second, more] = partsOf(values);
  const isPlain = weight.strength !== null && weight.strength > 0 && !weight.negated;
  if (
    compared?.compares === true &&
    isPlain &&
    first !== undefined &&
    second !== undefined &&
    more === undefined &&
    /^(?:[tT]rue)?$/.test(weight.expected)
  )
    return { ...weight, subject: first, expected: second, tolerance: compared.width, strength: 4 };
  const [, gives = '', value = ''] = call(weight.expected) ?? [];
  const given = nearIn(side).get(gives);
  if (given?.compares !== false || !isPlain || value.includes(' , ')) return null;
  return { ...weight, expected: value, tolerance: given.width };
}

function capped({ strength, subject, expected, negated }: Weight, text: string, side: Side): number | null {
  // `console.assert` only prints, and checks that a release build leaves out are hardly stronger.
  if (/^console \. assert\b/.test(text)) return 0;
  if (ALWAYS.test(text)) return 0;
  if (strength === null) return null;
  if (/^(?:Debug|Trace) \. Assert\b/.test(text)) return 1;
  const always = /(?:\bor True|\|\| true|\bor true)\b(?! and)/.test(text);
  if (always || isConstant(subject, expected) || (expected !== '' && settingOf(subject, side) === expected))
    return 0;
  // Only the existence of a value is demanded.
  if (/^(?:Boolean \(|bool \(|! !)/.test(subject) && /^(?:true|True|)$/.test(expected))
    return Math.min(strength, 1);
  // Only the type of a value is demanded.
  if (/^(?:typeof|type \(|gettype \(|get_class \()/.test(subject)) return Math.min(strength, 1.6);
  // `verify(mock, atLeast(0)).send(any())` demands no call, or any call.
  if (/\batLeast \( 0 \)|\batLeastZero\b|\batMost \(|Times \. AtMost|AnyNumber/.test(text)) return 0;
  if (/^verify\b/.test(text) && /\bany\w* \(/.test(text)) return Math.min(strength, 2);
  if (/^debug_assert/.test(text) || (/^assert (?!\()/.test(text) && /\.java$/.test(side.path)))
    return Math.min(strength, 1);
  if (
    subject !== '' &&
    (subject === expected || (/\(/.test(subject) && subject === settingOf(expected, side))) &&
    !negated
  )
    return 0;
  // The expected value is the default for a missing one, so the assertion always passes.
  if (expected !== '' && ['||', '??', 'or', '?:'].some((word) => subject.endsWith(`${word} ${expected}`)))
    return 0;
  if (ANY_TEXT.test(expected) && expected !== '""') return Math.min(strength, 1);
  const loose = LOOSE_VALUES.find(
    ([pattern]) => pattern.test(expected) || (/^mock \./.test(subject) && pattern.test(subject)),
  )?.[1];
  return loose === undefined ? strength : Math.min(strength, loose);
}

const ALWAYS = /(?:=>|->|\bsatis\w+ \{|lambda \w* ?:) (?:true|True)(?: [)}])*$/;

/** Returns the first value of a name in the file, or an empty text. */
function settingOf(name: string, side: Side): string {
  return /^[a-z_]\w*$/i.test(name) ? (settingsIn(side).get(name) ?? '') : '';
}

const settingsIn = remembered((side: Side): ReadonlyMap<string, string> => {
  const first = new Map<string, string>();
  for (const [, name, value] of side.code.matchAll(/\b(\w+)[ \t]*:?=(?![=>])[ \t]*([^\n]*?);?[ \t]*$/gm))
    if (name !== undefined && !first.has(name)) first.set(name, spaced(value ?? ''));
  return first;
});

function spaced(text: string): string {
  return (text.match(/"[^"]*"|'[^']*'|\w+(?:\.\d+)?|[^\s\w]/g) ?? []).join(' ').replace(/: :/g, '::');
}

function isConstant(subject: string, expected: string): boolean {
  const constant = (text: string) =>
    /^(?:-?[\d.]+|"[^"$]*"|true|false|True|False|nil|null|None|TRUE|:ok|isTrue|isFalse)$/.test(text);
  return constant(subject) && (expected === '' || constant(expected));
}

function weigh(tokens: readonly Token[], side: Side): Weight {
  const none = { negated: false, tolerance: 0 };
  if (tokens[0]?.text === 'if') {
    const call = tokens.findIndex(({ text }, index) => /^tb?$/.test(text) && tokens[index + 1]?.text === '.');
    const brace = tokens.findLastIndex(({ text }, index) => text === '{' && (call < 0 || index < call));
    const condition = tokens.slice(1, brace > 0 ? brace : undefined);
    return { ...ofCondition(condition, side.language.name === 'go'), ...none };
  }
  const bare = tokens.findIndex(({ text }) => /^assert$/.test(text));
  if (
    bare >= 0 &&
    tokens[bare + 1]?.text !== '.' &&
    (side.language.name === 'python' || tokens[bare + 1]?.text !== '(') &&
    tokens[bare + 1]?.text !== '!'
  ) {
    const end = tokens.findIndex(
      ({ text }, index) => index > bare && text === ',' && depthAt(tokens, bare, index) === 0,
    );
    return { ...ofCondition(tokens.slice(bare + 1, end < 0 ? undefined : end), false), ...none };
  }
  return ofCall(tokens, isCommand(tokens, side));
}

/** Ruby and Elixir allow `assert_equal a, b` without brackets. */
function isCommand(tokens: readonly Token[], { language }: Side): boolean {
  return (
    (language.name === 'ruby' || language.name === 'elixir') &&
    /^(?:assert|refute)_\w+$|^(?:assert|refute)$/.test(tokens[0]?.text ?? '') &&
    !/^[(.]$/.test(tokens[1]?.text ?? '(')
  );
}

function ofCondition(
  tokens: readonly Token[],
  fails: boolean,
): Pick<Weight, 'strength' | 'subject' | 'expected'> {
  const whole = { subject: joined(tokens), expected: '' };
  // An assignment in front isn't part of the condition.
  const start =
    tokens.findLastIndex(({ text }, index) => text === ';' && depthAt(tokens, 0, index) === 0) + 1;
  if (tokens[start]?.text === 'not' && /^[=!]=$/.test(comparisonIn(tokens.slice(start + 1)).operator ?? '')) {
    const inner = ofCondition(tokens.slice(start + 1), fails);
    return { ...inner, strength: (inner.strength ?? 0) >= 4 ? 1.5 : 4 };
  }
  // Several conditions for a failure make it rarer.
  if (fails && tokens.some(({ text }, at) => text === '&&' && depthAt(tokens, 0, at) === 0))
    return { ...whole, strength: tokens.some(({ text }) => text === 'false') ? 0 : 3 };
  if (fails && whole.subject === 'false') return { ...whole, strength: 0 };
  const { operator, left, right } = comparisonIn(tokens.slice(start));
  const sides = { subject: joined(left), expected: joined(right) };
  const nothing =
    /^(?:nil|null|None|undefined|NULL|nullptr)$/.test(sides.expected) ||
    /^(?:nil|null|None)$/.test(sides.subject);
  if (operator === null) {
    const text = whole.subject;
    const call =
      /(?:^|\. )(?:isinstance|is_a|is_ok|is_err|is_some|instanceof|kind_of|isArray|any|all|bool)\b|\binstanceof\b/.test(
        text,
      );
    if (/\b(?:matches|DeepEqual|equals|Equal|cmp \. Diff|EqualFold|eq)\b|\berrors \. (?:Is|As) \(/.test(text))
      return { ...whole, strength: /\bmatches\b.*\( _ \)/.test(text) ? 3 : 3.7 };
    // Only two answers are possible.
    if (
      /\b(?:is_?empty|is_?null|is_?none|is_?nil|isBlank|isNaN|is_nan)(?: \(|$)|\b(?:empty|nil|none) \?/i.test(
        text,
      )
    )
      return { ...whole, strength: /^(?:!|not) /.test(text) ? 1 : 3.8 };
    if (/^typeof\b/.test(text)) return { ...whole, strength: 1.6 };
    if (
      /\b(?:contains|includes|startswith|startsWith|starts_with|endsWith|endswith|ends_with|Contains|HasPrefix|HasSuffix|match|search|has|test|include)\b \(/.test(
        text,
      )
    )
      return { ...whole, strength: 3 };
    return { ...whole, strength: call ? 1.6 : /^(?:!|not) /.test(text) ? 1.5 : 1 };
  }
  if (nothing && /!=|is not|!==/.test(operator) !== fails) return { ...sides, strength: 1 };
  if (nothing) return { ...sides, strength: fails ? 1.2 : 4 };
  // A pattern with wildcards leaves parts open.
  if (operator === '=' && /(?:^| )_(?: |$)/.test(sides.subject))
    return { ...sides, strength: /["\d]|:|[A-Z]/.test(sides.subject) ? 3 : 1.2 };
  if (/^(?:==|===|is|=|-eq|=~)$/.test(operator))
    return { ...sides, strength: fails ? 1.5 : operator === '=~' ? 2.8 : 4 };
  if (/^(?:!=|!==|is not|-ne)$/.test(operator)) return { ...sides, strength: fails ? 4 : 1.5 };
  if (/^in$|^not in$/.test(operator)) return { ...sides, strength: 3 };
  return isDistance(sides.subject) ? ofDistance(sides.subject) : { ...sides, strength: 2 };
}

/** `abs(a - b) < 0.1` is a comparison with a tolerance. */
function isDistance(subject: string): boolean {
  return /\b(?:f?abs|Abs)\b/.test(subject) && / - /.test(subject);
}

function ofDistance(text: string): Pick<Weight, 'strength' | 'subject' | 'expected'> {
  const [, subject = text, expected = ''] =
    /^(?:[\w.: ]*\b(?:f?abs|Abs) )?\( (.*) - (.*?) \)(?: \. abs \( \))?$/.exec(text) ?? [];
  return { subject, expected, strength: 4 };
}

const EXISTS = /^(?:tobedefined|tobetruthy|exist|beok|ok|notnull|tobeok)$/;

function ofCall(tokens: readonly Token[], command: boolean): Weight {
  const infix = infixIn(tokens);
  const open = command || infix > 0 ? -1 : tokens.findIndex(({ text }) => text === '(' || text === '{');
  const names = chainNames(tokens);
  const negated = names.some(
    (name) =>
      /^(?:not|to_not|not_to|Not|never|refute\w*|shouldNot\w*|resolvesNot)$/.test(name) ||
      /^(?:assert|is|to|should)_?not(?:_|[A-Z])|_(?:ne|NE)$/i.test(name) ||
      // Negated names: `assert.notEqual`, `t.notDeepEqual`, `isNot`.
      /^(?:[nN]ot[A-Z_]|isNot$|no[A-Z])/.test(name),
  );
  const args =
    open < 0
      ? infixParts(tokens)
      : argumentsOf(tokens, open).filter((arg, index) => !(index === 0 && /^(?:t|tb|b)$/.test(joined(arg))));
  const matcher = matcherCall(tokens, open);
  const [first, second] = args.map(joined);
  const name = names
    .map((word) => word.toLowerCase().replace(/_/g, ''))
    .filter((word) => !NOISE.test(word) && !RECEIVERS.has(word));
  const subjectOf =
    matcher === null
      ? asSubject(first ?? '', second ?? '')
      : { subject: first ?? '', expected: joined(matcher).replace(/^== /, '') };
  const base = { ...subjectOf, negated, tolerance: 0 };
  const last = name.at(-1) ?? '';
  const order = infix > 0 ? matcher?.find(({ text }) => /^(?:<=?|>=?)$/.test(text)) : undefined;
  if (order !== undefined) return { ...base, strength: 2 };
  if (last === 'be' && (matcher === null || matcher.length === 0) && (second ?? '') === '')
    return { ...base, strength: 1 };
  const throws = names.filter(
    (word) => THROWS.test(word.toLowerCase().replace(/_/g, '')) && !/nothrow|noerror/i.test(word),
  );
  // In `rejects.toThrow('…')` the second word has the expected error.
  const throwing = throws.find((word) => !/^rejects$/.test(word)) ?? throws[0];
  // `rejects.toBeDefined()` accepts any error.
  if (/^(?:rejects|rejected)$/.test(throwing ?? '') && EXISTS.test(last)) return { ...base, strength: 1 };
  if (throwing !== undefined && !/^error(?:is|as|contains)|equalerror/i.test(throwing))
    return { ...base, strength: ofThrow(negated, tokens, throwing) };
  if (name.every((word) => BOOLEAN.test(word)) && matcher === null) {
    const ofIt = ofCondition(args[0] ?? [], false);
    // `assertFalse(x.isEmpty())` accepts any content.
    const isThere = ofIt.strength === 3.8 && names.some((word) => /false|refute/i.test(word));
    return { ...base, ...ofIt, strength: isFunctionCheck(second, last) ? 4 : isThere ? 1 : ofIt.strength };
  }
  const operator = comparisonIn(args[0] ?? []).operator;
  if (operator !== null && /^(?:tobe|tobetruthy|be|true|betrue|toequal|istrue|ok)$/.test(last))
    return { ...base, ...ofCondition(args[0] ?? [], false) };
  const found = name
    .map((word) => MATCHERS.find(([pattern]) => pattern.test(word))?.[1])
    .findLast((one) => one !== undefined);
  const toBeNothing = /^(?:be|equal|eq|tobe)$/.test(last) && negated;
  if (toBeNothing || (negated && found === undefined)) return { ...base, strength: 1.5 };
  if (found !== undefined && !(/inlinesnapshot/.test(last) && matcher !== null && matcher.length > 0))
    return { ...base, strength: negated ? Math.min(found, 2) : found };
  if (name.some((word) => EXACT.test(word)) || (matcher !== null && name.length === 0))
    return { ...base, strength: 4 };
  if (/^expect$/.test(names[0] ?? '') && names.length === 1 && args.length === 2)
    return { ...base, subject: first ?? '', expected: second ?? '', strength: 4 };
  return { ...base, strength: null };
}

/** AVA, tape and Dart compare two arguments: `expect(a, b)`, `t.is(a, b)`. */
function isFunctionCheck(second: string | undefined, last: string): boolean {
  return second !== undefined && /^expect$/.test(last) && !/^"/.test(second);
}

/** Returns the words that express the demand in `expect(a).not.toBe(b)`, `Assert.Equal(…)`, `assertThat(a).isEqualTo(b)`. */
function chainNames(tokens: readonly Token[]): readonly string[] {
  const names: string[] = [];
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.text === '(' || token.text === '{' || token.text === '[') at = closing(tokens, at);
    else if (
      token.kind === 'word' &&
      !/^(?:t|c|it|this|self|resolves|is_expected|async|with)$/.test(token.text)
    )
      names.push(token.text);
    at += 1;
  }
  const starter = names.findIndex((word) =>
    /^(?:assert|expect|should|must|wont|refute|EXPECT|ASSERT|REQUIRE|CHECK|XCT|verify|raises|Assert|require|debug_|prop_|intercept|Should|fail|BOOST|raise_error)/.test(
      word,
    ),
  );
  return starter < 0 ? names : names.slice(starter);
}

/** Returns the argument of the matcher after `expect(…)`: of the last call in the chain, or the part after an infix word. */
function matcherCall(tokens: readonly Token[], open: number): readonly Token[] | null {
  const starter = tokens.slice(0, Math.max(open, 0)).findLast(({ kind }) => kind === 'word')?.text ?? '';
  if (open < 0) return infixParts(tokens)[1] ?? null;
  if (!/^(?:expect|assertThat|that|That|verify|Should|soft|poll|Expect)$/.test(starter)) {
    const infix = tokens.findIndex(({ text }) =>
      /^(?:shouldBe\w*|shouldEqual|shouldNotBe|should|Should|Should[A-Z]\w*|shouldContain\w*|must_\w+|must)$/.test(
        text,
      ),
    );
    return infix > 0 ? tokens.slice(infix + 1) : null;
  }
  const end = closing(tokens, open);
  const args = argumentsOf(tokens, open);
  if (end >= tokens.length - 1) return args.length > 1 ? (args[1] ?? null) : null;
  const last = tokens.findLastIndex(
    ({ text }, index) => text === '(' && index > end && depthAt(tokens, end + 1, index) === 0,
  );
  if (last > 0) return argumentsOf(tokens, last).flat();
  return tokens.slice(end + 1).filter(({ text }) => !/^(?:\.|to|not|be|deep|should|is)$/.test(text));
}

function infixParts(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const at = infixIn(tokens);
  // Brackets may be missing: `assert_equal a, b`.
  return at > 0 ? [tokens.slice(0, at), tokens.slice(at + 1)] : splitAtCommas(tokens.slice(1));
}

/** Returns the index of an infix word such as `should`; 0 without one. */
function infixIn(tokens: readonly Token[]): number {
  return Math.max(
    tokens.findIndex(
      ({ text }, index) =>
        index > 0 &&
        /^(?:should\w*|must\w*|wont\w*)$/.test(text) &&
        tokens[index - 1]?.text !== '.' &&
        !/Throw/.test(text) &&
        depthAt(tokens, 0, index) === 0,
    ),
    0,
  );
}

function asSubject(first: string, second: string): { subject: string; expected: string } {
  const computed = (text: string) => /[A-Za-z_]\w* (?:\(|\.|::|->|!)/.test(text);
  const isValue = /^(?:-?[\d.]+|"[^"]*"|true|false|True|False|nil|null|None)$/.test(first);
  if (second !== '' && (isValue || (computed(second) && !computed(first))))
    return { subject: second, expected: first };
  return { subject: first, expected: second };
}

const EPSILON =
  /\b(?:(?:std :: )?f(?:32|64) :: |Number \. |Double \. |Float \. |math \. |sys \. float_info \. )?(?:(?:DBL_|FLT_)?EPSILON|Epsilon|ulpOfOne|float_info \. epsilon)\b(?! [=:(])/g;

/** Returns the tolerance of `abs=1`, `places=0`, `toBeCloseTo(x, 0)`, `EXPECT_NEAR(a, b, 1.0)` or `delta`; a larger number is looser. */
function toleranceIn(written: string): number {
  const text = written.replace(EPSILON, '1e-16');
  const named =
    /\b(?:abs|rel|delta|atol|rtol|abs_tol|rel_tol|within|epsilon|accuracy|tolerance)\b\s*(?:=|:|\()?\s*(?:[A-Za-z][\w.]* \( )?"?([\d.]+(?:e-?\d+)?)/i.exec(
      text,
    );
  if (named?.[1] !== undefined) return Number(named[1]);
  const places = /\b(?:places|decimal|precision)\b\s*[=:]\s*(\d+)/.exec(text);
  if (places?.[1] !== undefined) return 10 ** -Number(places[1]);
  const digits = /\b(?:toBeCloseTo|almost_equal|assertAlmostEqual|closeTo) \(.*, (\d+) \)$/.exec(text);
  if (digits?.[1] !== undefined) return 10 ** -Number(digits[1]);
  if (/\btoBeCloseTo\b|assertAlmostEqual|approx/.test(text)) return 1e-6;
  // Scala writes a tolerance as `105 +- 50`.
  const around = /\+ - ([\d.]+)/.exec(text);
  if (around?.[1] !== undefined) return Number(around[1]);
  const apart = /\b(?:f?abs|Abs)\b.* [<>]=? (\d*\.?\d+(?:e-?\d+)?)/.exec(text);
  if (apart?.[1] !== undefined) return Number(apart[1]);
  const last =
    /\b(?:\w*NEAR|InDelta|InEpsilon|be_within|assert_in_delta|assert_in_epsilon|assertEquals|assertEqualsWithDelta|assertInEpsilon|closeTo|XCTAssertEqual)\b.*, (\d*\.?\d+(?:e-?\d+)?)[fdFD]?(?: \)|$)/.exec(
      text,
    );
  const count = text.split(' , ').length;
  return last?.[1] !== undefined && count >= 3 ? Number(last[1]) : 0;
}
