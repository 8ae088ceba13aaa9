import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Match } from '../lex/side.ts';
import { literal } from '../tests/split.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const BRANCH: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'literal_branch',
  confidence: 0.8,
  reason: 'A given input is answered with a written-out result instead of computing it',
};
const TABLE: Sign = {
  ...BRANCH,
  kind: 'literal_table',
  reason: 'Results are looked up in a table of given inputs instead of computed',
};
const CONSTANT: Sign = {
  ...BRANCH,
  kind: 'constant_result',
  reason: 'A computation was replaced by a constant',
};

const VALUE =
  String.raw`(?:-?\d[\w.]*|"[^"\n]*"|'[^'\n]*'|` +
  '`[^`\\n$]*`' +
  String.raw`|\[[^\n]*\]|\{[^\n]*\}|(?:new |&?vec!)?[\w.:]*[[({][^\n]*[\])}](?:\.\w+\(\))?)`;
/** `if (x === 3 && y === 4) return 7`, over one or several lines, with or without brackets. */
const BRANCHES = new RegExp(
  String.raw`\b(?:if|elif|elsif|when|unless)\b([^\n{:]*?(?:={2,3}|\.equals\(|\.eql\?|\beq\b|\bis\b|\bin\b|\.includes\(|deepEqual|isEqual|strcmp|DeepEqual|equals\()[^\n]*?)(?:\{|:|\bthen\b|\)|\n)\s*(?:\{\s*)?(?:return|Some\(|Ok\(|=>)?\s*(?:return\s+)?(?:Ok\(|Some\()?(${VALUE})[^\n]*`,
  'g',
);
const SUFFIXED = new RegExp(
  String.raw`\breturn\s+(${VALUE})\s+(?:if|unless)\s+([^\n]*(?:==|\.eql\?|\bin\b)[^\n]*)`,
  'g',
);
const TERNARY = new RegExp(String.raw`\breturn\s+([^\n?]*={2,3}[^\n?]*)\?\s*(${VALUE})\s*:`, 'g');
const TABLES =
  /\b\w*(?:known|answer|expected|lookup|fixture|result|canned|precomputed|case|output|response|cache|table|special|golden|sample|memo)\w*\b[^=\n;(){}]{0,80}(?::=|=)\s*(?:Object\.freeze\(|new Map\(|Map\.of\(|dict\(|new Map<[^>]*>\(|map\[\w+\]\w+|HashMap::from\(|mapOf\(|new \w+(?:<[^>]*>)?\s*\(?\)?)?\s*[[{(][\s\S]{0,1500}?[\])}]/gi;
/** One arm of a `switch` or `match`. */
const ARMS = new RegExp(
  String.raw`(?:\bcase\s+|\bwhen\s+|^[ \t]*)("[^"\n]*"|'[^'\n]*'|-?\d[\w.]*|\[[^\]\n]*\])\s*(?::|=>|->|\bthen\b|\n)\s*(?:return\s+|Ok\(|Some\()?(${VALUE})[^\n]*`,
  'gm',
);
const CONSTANTS = new RegExp(
  String.raw`^[ \t]*(?:return\s+)?(?:Ok\(|Some\()?(${VALUE}|[tT]rue|[fF]alse|null|None|nil|undefined|pass|\.\.\.)\)?[ \t]*;?[ \t]*$`,
  'gm',
);

/** Results that are written out where they were, or should be, computed. */
export function literalSignals({ all }: Changes): readonly Signal[] {
  const tests = new Set(
    all
      .filter(({ role }) => role === 'test')
      .flatMap(({ after, before }) => [...literalsOf(after.side.tokens), ...literalsOf(before.side.tokens)]),
  );
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => [...branches(change, tests), ...tables(change, tests), ...constants(change, tests)]);
}

function literalsOf(tokens: readonly { readonly kind: string; readonly text: string }[]): readonly string[] {
  return tokens
    .filter(({ kind }) => kind === 'string' || kind === 'number')
    .map(({ text }) => literal(text))
    .filter((text) => !isTrivial(text));
}

/** Values that every program has. */
function isTrivial(text: string): boolean {
  return /^(?:-?[012](?:\.0)?|10|100|1000|1024|0x[0-9a-f]+|)$/i.test(text);
}

function branches(change: Change, tests: ReadonlySet<string>): readonly Signal[] {
  const found = [
    ...addedMatches(change, BRANCHES).map((match) => ({
      match,
      condition: match.groups[1] ?? '',
      value: match.groups[2] ?? '',
    })),
    ...addedMatches(change, SUFFIXED).map((match) => ({
      match,
      condition: match.groups[2] ?? '',
      value: match.groups[1] ?? '',
    })),
    ...addedMatches(change, TERNARY).map((match) => ({
      match,
      condition: match.groups[1] ?? '',
      value: match.groups[2] ?? '',
    })),
  ];
  const arms = addedMatches(change, ARMS).filter(({ groups }) =>
    isTestArm(groups[1] ?? '', groups[2] ?? '', tests),
  );
  const special = found
    .filter(({ condition, value }) => isSpecialCase(condition, value, tests))
    .filter(({ match }) => !isOneOfMany(change, match));
  return [...special.map(({ match }) => match), ...arms].map(({ line, lastLine }) =>
    signalAt(change, change.after.side, line, lastLine, BRANCH),
  );
}

/** A sentence or list as the input, or one of a test in the diff; words and codes are ordinary. */
function isTestArm(input: string, value: string, tests: ReadonlySet<string>): boolean {
  if (!isWrittenOut(value)) return false;
  const inputs = valuesIn(input);
  const known = inputs.some((text) => tests.has(text)) && valuesIn(value).some((text) => tests.has(text));
  return (
    known ||
    (/^(?:["'])/.test(input) &&
      inputs.some((text) => /\w[\s,;!?]+\w/.test(text)) &&
      valuesIn(value).length > 0)
  );
}

function valuesIn(text: string): readonly string[] {
  return (text.match(/"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g) ?? []).map(literal);
}

/** Names of what has a few known values: to tell them apart is ordinary code. */
const ENUMERATED =
  /(?:^|[._\]])(?:kind|type|status|code|mode|state|key|name|role|level|method|platform|event|action|errno|exitCode|signal|tag|format|ext|extension|lang|language|locale|version|length|size|op|operator|unit|theme|direction)\)?\s*$/i;

/** Every condition compares with a written-out value, and so is the result; a mapping of words is none. */
function isSpecialCase(condition: string, value: string, tests: ReadonlySet<string>): boolean {
  const parts = condition
    .replace(/[({]\s*$/, '')
    .split(/&&|\band\b/)
    .map((part) => part.trim());
  const comparisons = parts.map((part) =>
    /^[(!\s]*([\s\S]*?)\s*(?:={2,3}|\.(?:equals|eql\?|includes)\(|\bis\b|\bin\b|,)\s*([\s\S]+?)[)\s]*$/.exec(
      part,
    ),
  );
  if (comparisons.some((one) => one === null) || !isWrittenOut(value)) return false;
  const inputs = comparisons.flatMap((one) => valuesIn(`${one?.[1]} ${one?.[2]}`));
  const results = valuesIn(value);
  const open = comparisons.some((one) => !isWrittenOut(one?.[2] ?? '') && !isWrittenOut(one?.[1] ?? ''));
  if (inputs.length === 0 || results.length === 0 || open) return false;
  const telling = inputs.filter((text) => !isTrivial(text));
  const answers = results.filter((text) => !isTrivial(text));
  if (telling.some((text) => tests.has(text)) && answers.length > 0) return true;
  if (inputs.length >= 2 && comparisons.some((one) => /^[[{(]/.test(one?.[2] ?? ''))) return true;
  if (
    telling.length === 0 ||
    (comparisons.every((one) => ENUMERATED.test(one?.[1] ?? '')) &&
      !telling.some((text) => /[[\]{},]/.test(text)))
  )
    return false;
  const isNumber = (text: string) => /^-?[\d.]+$/.test(text);
  // Codes of HTTP and what they mean.
  if (telling.every((text) => /^[1-5]\d\d$/.test(text)) && answers.every((text) => /^[A-Z][a-z]+/.test(text)))
    return false;
  const isData = (text: string) => isNumber(text) || /[\s,;:!?=+*^%#@<>()|\\]|[a-z]\d|\d[a-z]/i.test(text);
  if (answers.length === 0)
    return comparisons.length >= 2 && isNumber(results[0] ?? '') && telling.some(isNumber);
  const single = comparisons.length === 1 && answers.every((text) => isNumber(text) && text.length > 1);
  return telling.some(isData) || single || /^[[{]/.test(value);
}

/** Nothing in it has to be computed: literals, and what wraps them. */
function isWrittenOut(text: string): boolean {
  if (/`[^`]*\$\{/.test(text)) return false;
  const values = text.replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\b\d[\w.]*/g, ' ');
  const wrappers =
    /\b(?:new|vec|List|Set|Map|Array|Arrays|Some|Ok|String|from|to_string|to_owned|into|of|asList|listOf|mapOf|setOf|frozenset|tuple|list|dict|set|True|False|true|false|null|nil|None|int|string|float64|byte|rune|BigInt|Decimal|BigDecimal|i32|i64|u8|u32|u64|f64)\b|\b\w+\s*:(?!:)/g;
  return !/[A-Za-z_$]/.test(values.replace(wrappers, ' '));
}

/** Such branches were there before, or come as one of several: a mapping. */
function isOneOfMany(change: Change, match: Match): boolean {
  const before = findCode(change.before.side, BRANCHES).filter(
    ({ groups }) => valuesIn(groups[1] ?? '').length > 0 && valuesIn(groups[2] ?? '').length > 0,
  );
  return before.filter(({ changed }) => !changed).length >= 1 && /^["'`]/.test(match.groups[2] ?? '');
}

function tables(change: Change, tests: ReadonlySet<string>): readonly Signal[] {
  const { side } = change.after;
  const keyed = addedMatches(
    change,
    /\bJSON\.stringify\s*\(\s*(?:args|arguments|\[|input|params|\w+)\s*\)\s*(?:\]|\s+in\b|\)\s*(?:!==|\)))|\{\s*\([^()\n]*\d[^()\n]*\)\s*:\s*[-\d"']|\[\s*\(\s*[-\d"'][^)\n]*\)\s*\]/g,
  );
  const named = addedMatches(change, TABLES).filter(({ text }) => {
    const values = valuesIn(text);
    const known = values.filter((one) => tests.has(one)).length;
    const byComma = /Map\.of\(|\[\s*\[|\{\s*\{|\(\s*\(|\[\s*\(/.test(text);
    const pairs = (
      text.match(byComma ? /["'\d\])]\s*,\s*["'\d[{(-]/g : /["'\d\])]\s*(?:=>|:|->|to)\s*["'\d[{(-]/g) ?? []
    ).length;
    const inputs = values.filter((one) => /[\s,;:!?=+*^%<>()|]/.test(one) || /^-?\d/.test(one)).length;
    const used =
      /(?:known|answer|expected|canned|precomputed|golden|special|fixture|sample|lookup|memo|case|table)/i.test(
        text.slice(0, 60),
      );
    return known >= 2 || (pairs >= 1 && inputs >= 1 && used);
  });
  return [...keyed, ...named].map(({ line, lastLine }) => signalAt(change, side, line, lastLine, TABLE));
}

function constants(change: Change, tests: ReadonlySet<string>): readonly Signal[] {
  const { side } = change.after;
  return addedMatches(change, CONSTANTS).flatMap(({ line, lastLine, groups }) => {
    const value = groups[1] ?? '';
    const values = valuesIn(value);
    const isTest = values.some((one) => tests.has(one));
    const number = side.lines[line]?.number ?? 0;
    const removed = change.before.side.lines.filter(
      (one) => one.changed && one.hunk === side.lines[line]?.hunk && /\w/.test(one.text),
    );
    const computed = removed.some(
      ({ text }) =>
        /^\s*(?:return\b|[\w.]+\(|[\w.]+ [-+*/])/.test(text) &&
        /[+*/%]|\w\(|\w!\(|\.\w+|\bfor\b/.test(text.replace(/["'][^"']*["']/g, '')),
    );
    const added = side.lines.filter(
      (one) => one.changed && one.hunk === side.lines[line]?.hunk && /\w/.test(one.text),
    ).length;
    const telling = values.some((one) => !isTrivial(one)) || isTest;
    if (
      number === 0 ||
      !computed ||
      added > 2 ||
      (removed.length > 1
        ? !telling && !/^(?:[tT]rue|[fF]alse|\d|null|None|nil|undefined|pass|\.\.\.)/.test(value)
        : !telling && !/^(?:[tT]rue|[fF]alse|\d|null|None|nil|undefined|pass|\.\.\.)/.test(value))
    )
      return [];
    if (/\w\(/.test(value)) return [];
    return [signalAt(change, side, line, lastLine, CONSTANT)];
  });
}
