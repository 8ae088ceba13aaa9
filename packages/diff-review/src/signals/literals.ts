import type { Change, Changes, Version } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, lineAt, type Match, type Side } from '../lex/side.ts';
import { remembered } from '../remember.ts';
import { indentOf, testAt } from '../tests/find-tests.ts';
import { literal } from '../tests/split.ts';
import { addedMatches, changedLines, removedAround, type Sign, signalAt } from './sign.ts';

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
  String.raw`|\[[^\n]*\]|\{[^\n]*\}|\[\n[^[\];]{0,600}\]|\{\n[^{};]{0,600}\}|(?:new |&?vec!)?[\w.:]*[[({][^\n]*[\])}](?:\.\w+\(\))?)`;
/** Matches `if (x === 3 && y === 4) return 7` on one or several lines, with or without brackets. */
const BRANCHES = new RegExp(
  String.raw`\b(?:if|elif|elsif|when|unless)\b([^\n{:]*?(?:={2,3}|\.equals\(|\.eql\?|\beq\b|\bis\b|\bin\b|\.includes\(|deepEqual|isEqual|strcmp|DeepEqual|equals\()[^\n]*?)(?:\{|:|\bthen\b|\)|\n)\s*(?:\{\s*)?(?:return|Some\(|Ok\(|=>)?\s*(?:return\s+)?(?:Ok\(|Some\()?(${VALUE})[^\n]*`,
  'g',
);
const SUFFIXED = new RegExp(
  String.raw`\breturn\s+(${VALUE})\s+(?:if|unless)\s+([^\n]*(?:==|\.eql\?|\bin\b)[^\n]*)`,
  'g',
);
/** The other outcome has to be computed: of two written-out values, neither is special. */
const TERNARY = new RegExp(
  String.raw`\breturn\s+([^\n?]*={2,3}[^\n?]*)\?\s*(${VALUE})\s*:(?!\s*(?:-?\d[\w.]*|"[^"\n]*"|'[^'\n]*')[\s;)]*$)`,
  'gm',
);
const TABLES =
  /\b\w*(?:known|answer|expected|lookup|fixture|result|canned|precomputed|case|output|response|cache|table|special|golden|sample|memo)\w*\b[^=\n;(){}]{0,80}(?::=|=)\s*(?:Object\.freeze\(|new Map\(|Map\.of\(|dict\(|new Map<[^>]*>\(|map\[\w+\]\w+|HashMap::from\(|mapOf\(|new \w+(?:<[^>]*>)?\s*\(?\)?)?\s*[[{(][\s\S]{0,1500}?[\])}](?=[;)]|\s*$)/gim;
const ARMS = new RegExp(
  String.raw`(?:\bcase\s+|\bwhen\s+|^[ \t]*)("[^"\n]*"|'[^'\n]*'|-?\d[\w.]*|\[[^\]\n]*\])\s*(?::|=>|->|\bthen\b|\n)\s*(?:return\s+|Ok\(|Some\()?(${VALUE})[^\n]*`,
  'gm',
);
const LITERAL_PAIRS =
  /("[^"\n]*"|'[^'\n]*'|(?<![\w.])-?\d[\w.]*)\s*(?::|=>|->)\s*(?:return\s+)?(?:"[^"\n]*"|'[^'\n]*'|-?\d[\w.]*)/g;
const CONSTANTS = new RegExp(
  String.raw`^[ \t]*(?:return\s+)?(?:Ok\(|Some\()?(${VALUE}|[tT]rue|[fF]alse|null|None|nil|undefined|pass|\.\.\.)\)?[ \t]*;?[ \t]*$`,
  'gm',
);

export function literalSignals({ all }: Changes): readonly Signal[] {
  const tests = knownFrom(all.filter(({ role }) => role === 'test'));
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => [...branches(change, tests), ...tables(change, tests), ...constants(change, tests)]);
}

/** Literals in the tests of a diff: `pair` returns whether one assertion or row has both values. */
type Known = {
  readonly has: (text: string) => boolean;
  readonly pair: (inputs: readonly string[], answers: readonly string[]) => boolean;
};

function knownFrom(tests: readonly Change[]): Known {
  const groups = tests.flatMap(({ before, after }) => [...groupsIn(before), ...groupsIn(after)]);
  return {
    has: (text) => groups.some((group) => group.has(text)),
    pair: (inputs, answers) =>
      groups.some((group) =>
        inputs.some((input) => group.has(input) && answers.some((one) => one !== input && group.has(one))),
      ),
  };
}

function groupsIn({ side, assertions }: Version): readonly ReadonlySet<string>[] {
  const lines = new Map<number, Set<string>>();
  for (const { kind, text, start } of side.tokens) {
    if (kind !== 'string' && kind !== 'number') continue;
    const line = lineAt(side, start);
    const group = lines.get(line) ?? new Set();
    lines.set(line, group.add(literal(text)));
  }
  const telling = (group: Iterable<string>) => new Set([...group].filter((text) => !isTrivial(text)));
  return [...lines.values(), ...assertions.map(({ literals }) => literals)].map(telling);
}

export function isTrivial(text: string): boolean {
  return /^(?:-?[012](?:\.0)?|10|100|1000|1024|0x[0-9a-f]+|)$/i.test(text);
}

function branches(change: Change, tests: Known): readonly Signal[] {
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
  const special = found
    .filter(({ condition, value }) => isSpecialCase(condition, value, tests))
    .filter(({ match }) => !isOneOfMany(change, match))
    .map(({ match }) => match);
  const arms = addedMatches(change, ARMS)
    .filter((match) => isTestArm(match, tests))
    .filter((match) => !isWord(match.groups[1] ?? '') && !isOneMoreArm(change, match));
  return [...special, ...arms].map(({ line, lastLine }) =>
    signalAt(change, change.after.side, line, lastLine, BRANCH),
  );
}

/** Returns whether an arm has an input and answer of a test in the diff, or a sentence as input. */
function isTestArm({ text, groups: [, input = '', value = ''] }: Match, tests: Known): boolean {
  const [inputs, answers] = [valuesIn(input), valuesIn(value)];
  if (!isWrittenOut(value) || answers.length === 0) return false;
  const isCase = /^\s*(?:case|when)\b|=>|->/.test(text) && /^["']/.test(input);
  const isSentence = isCase && inputs.some((one) => /\w[\s,;!?]+\w/.test(one));
  const telling = inputs.filter((one) => !isTrivial(one));
  return isSentence || tests.pair(telling, answers);
}

function isWord(text: string): boolean {
  return /^["'`]?[A-Za-z][\w.:/-]*["'`]?$/.test(text) && !/\d/.test(text);
}

const pairKeys = remembered((side: Side): ReadonlyMap<number, ReadonlySet<string>> => {
  const hunks = new Map<number, Set<string>>();
  for (const { line, groups } of findCode(side, LITERAL_PAIRS)) {
    const hunk = side.lines[line]?.hunk ?? -1;
    hunks.set(hunk, (hunks.get(hunk) ?? new Set()).add(groups[1] ?? ''));
  }
  return hunks;
});

/** Returns whether the mapping existed before, with other arms. */
function isOneMoreArm(change: Change, match: Match): boolean {
  const hunk = change.after.side.lines[match.line]?.hunk ?? -1;
  const keys = pairKeys(change.before.side).get(hunk);
  return keys !== undefined && (keys.size > 1 || !keys.has(match.groups[1] ?? ''));
}

export function valuesIn(text: string): readonly string[] {
  return (text.match(/"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g) ?? []).map(literal);
}

/** Names of things with a few known values, which ordinary code distinguishes. */
const ENUMERATED =
  /(?:kind|type|status|code|mode|state|key|name|role|level|method|platform|event|action|errno|signal|tag|format|ext|extension|lang|language|locale|version|length|size|op|operator|unit|theme|direction|outcome|result|decision|verdict|reason|category|severity|variant|option|flag|command|cmd|arch|os|country|currency|scheme|protocol|encoding|mark|phase|step|stage|strategy|policy|scope|sort|order|day|month|env|environment|target|side|color|colour)s?\)?\s*$/i;

/** Returns whether a branch compares only with literals and returns one, without being a mapping of words. */
function isSpecialCase(condition: string, value: string, tests: Known): boolean {
  const parts = condition
    .replace(/[({]\s*$/, '')
    .split(/&&|\band\b/)
    .map((part) => part.trim());
  const comparisons = parts.map((part) =>
    /^[(\s]*((?:(?!typeof)[\s\S])*?)\s*(?:(?<!!)={2,3}|\.(?:equals|eql\?|includes)\(|\bis\b|\bin\b|,)\s*([\s\S]+?)[)\s]*$/.exec(
      part,
    ),
  );
  if (/\breturn\b/.test(condition)) return false;
  if (comparisons.some((one) => one === null) || !isWrittenOut(value)) return false;
  const inputs = comparisons.flatMap((one) => valuesIn(`${one?.[1]} ${one?.[2]}`));
  const results = valuesIn(value);
  const open = comparisons.some((one) => !isWrittenOut(one?.[2] ?? '') && !isWrittenOut(one?.[1] ?? ''));
  if (inputs.length === 0 || results.length === 0 || open) return false;
  const telling = inputs.filter((text) => !isTrivial(text));
  const answers = results.filter((text) => !isTrivial(text));
  const isNumber = (text: string) => /^-?[\d.]*\d[\d.]*$/.test(text);
  const isGiven = comparisons.some(
    (one) =>
      !ENUMERATED.test(one?.[1] ?? '') &&
      valuesIn(one?.[2] ?? '').some((text) => /\d/.test(text) && !/^-?[012](?:\.0)?$/.test(text)),
  );
  // Code that returns a number which is neither round nor a limit was written for a given input.
  if (isGiven && answers.some((text) => isNumber(text) && text.length > 1)) return true;
  const enumerated = comparisons.every((one) => ENUMERATED.test(one?.[1] ?? ''));
  if (tests.pair(telling, answers) && !(enumerated && telling.every(isWord))) return true;
  if (inputs.length >= 2 && telling.length > 0 && comparisons.some((one) => /^[[{(]/.test(one?.[2] ?? '')))
    return true;
  if (
    telling.length === 0 ||
    (enumerated && !telling.some((text) => /[[\]{},]/.test(text))) ||
    telling.every((text) => !/[\p{L}\d]/u.test(text))
  )
    return false;
  // Status codes of HTTP and their meanings.
  if (telling.every((text) => /^[1-5]\d\d$/.test(text)) && answers.every((text) => /^[A-Z][a-z]+/.test(text)))
    return false;
  const isData = (text: string) => isNumber(text) || /[\s,;:!?=+*^%#@<>()|\\]|[a-z]\d|\d[a-z]/i.test(text);
  if (answers.length === 0)
    return comparisons.length >= 2 && isNumber(results[0] ?? '') && telling.some(isNumber);
  const single = comparisons.length === 1 && answers.every((text) => isNumber(text) && text.length > 1);
  return telling.some(isData) || single || /^[[{]/.test(value);
}

export function isWrittenOut(text: string): boolean {
  if (/`[^`]*\$\{/.test(text)) return false;
  const values = text.replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\b\d[\w.]*/g, ' ');
  const wrappers =
    /\b(?:new|vec|List|Set|Map|Array|Arrays|Some|Ok|String|from|to_string|to_owned|into|of|asList|listOf|mapOf|setOf|frozenset|tuple|list|dict|set|True|False|true|false|null|nil|None|int|string|float64|byte|rune|BigInt|Decimal|BigDecimal|i32|i64|u8|u32|u64|f64)\b|\b\w+\s*:(?!:)/g;
  return !/[A-Za-z_$]/.test(values.replace(wrappers, ' '));
}

const hasBranches = remembered((side: Side): boolean =>
  findCode(side, BRANCHES).some(
    ({ changed, groups }) =>
      !changed && valuesIn(groups[1] ?? '').length > 0 && valuesIn(groups[2] ?? '').length > 0,
  ),
);

function isOneOfMany(change: Change, match: Match): boolean {
  return hasBranches(change.before.side) && /^["'`]/.test(match.groups[2] ?? '');
}

function tables(change: Change, tests: Known): readonly Signal[] {
  const { side } = change.after;
  const keyed = addedMatches(
    change,
    /[\w)\]]\[\s*JSON\.stringify\s*\([^()\n]*\)\s*\]|\bJSON\.stringify\s*\([^()\n]*\)\s+in\b|\.(?:get|has)\(\s*JSON\.stringify\s*\(\s*(?:args|arguments|\[|input|params)|\{\s*\([^()\n]*\d[^()\n]*\)\s*:\s*[-\d"']|\[\s*\(\s*[-\d"'][^)\n]*\)\s*\]|\{\s*(?:"[^"\n]*\d[^"\n]*"|'[^'\n]*\d[^'\n]*'|-?\d[\d.]*)\s*:[^\n;]*\}\s*(?:\[|\.get\()/g,
  );
  const named = addedMatches(change, TABLES, 'bare')
    .map((match) => ({
      ...match,
      text: side.code.slice(match.start, match.start + match.text.trimStart().length),
    }))
    .filter((match) => isAnswerTable(change, match, tests));
  return [...keyed, ...named].map(({ line, lastLine }) => signalAt(change, side, line, lastLine, TABLE));
}

function isAnswerTable(change: Change, match: Match, tests: Known): boolean {
  const { text } = match;
  const byComma = /Map\.of\(|\[\s*\[|\{\s*\{|\(\s*\(|\[\s*\(/.test(text);
  const separator = byComma ? ',' : '(?::|=>|->|to\\b)';
  const pairs = [
    ...text.matchAll(
      new RegExp(
        String.raw`("[^"\n]*"|'[^'\n]*'|(?<![\w.])-?\d[\w.]*|[\])])\s*${separator}\s*("[^"\n]*"|'[^'\n]*'|-?\d[\w.]*|[[{(])`,
        'g',
      ),
    ),
  ].map(([, key, value]) => [literal(key ?? ''), literal(value ?? '')] as const);
  if (pairs.length === 0 || isOneMoreArm(change, match)) return false;
  if (pairs.some(([key, value]) => !isTrivial(key) && tests.pair([key], [value]))) return true;
  const inputs = pairs.filter(
    ([key]) => /^[\])]$/.test(key) || /[\s,;:!?=+*^%<>()|]/.test(key) || /^-?\d/.test(key),
  );
  const used =
    /(?:known|answer|expected|canned|precomputed|golden|special|fixture|sample|lookup|memo|case|table)/i.test(
      /^\s*\w*/.exec(text)?.[0] ?? '',
    );
  return inputs.length >= 1 && used;
}

const isComputed = remembered((lines: readonly string[]): boolean =>
  lines.some(
    (text) =>
      /^\s*(?:return\b|[\w.]*\(|[\w.]+ [-+*/])/.test(text) &&
      /[+*/%]|\w\(|\w!\(|\.\w+|\bfor\b/.test(text.replace(/["'][^"']*["']/g, '')),
  ),
);

function isInFront({ lines }: Side, line: number): boolean {
  const [above, own, next] = [lines[line - 1], lines[line], lines[line + 1]];
  return (
    own !== undefined &&
    next?.changed === false &&
    next.hunk === own.hunk &&
    /^\s*return\b/.test(own.text) &&
    /^\s*(?!case\b|default\b|when\b|else\b|elif\b|rescue\b|ensure\b|end\b|#|\/\/)[\w@$]/.test(next.text) &&
    indentOf(next.text) === indentOf(own.text) &&
    !/(?:\)|\belse)\s*$|^\s*(?:if|for|while)\b[^{]*$/.test(above?.text ?? '')
  );
}

function constants(change: Change, known: Known): readonly Signal[] {
  const { side, tests } = change.after;
  return addedMatches(change, CONSTANTS).flatMap(({ line, lastLine, groups }) => {
    const value = groups[1] ?? '';
    const values = valuesIn(value);
    const isTest = values.some((one) => known.has(one));
    const removed = removedAround(change, line);
    const computed = isComputed(removed);
    const added = changedLines(side).get(side.lines[line]?.hunk ?? -1)?.length ?? 0;
    const telling = values.some((one) => !isTrivial(one)) || isTest;
    const cutsOff = isWrittenOut(value) && isInFront(side, line);
    if (cutsOff && testAt(tests, line) === null) return [signalAt(change, side, line, lastLine, CONSTANT)];
    if (
      !computed ||
      added > 2 ||
      !(telling || /^(?:[tT]rue|[fF]alse|\d|null|None|nil|undefined|pass|\.\.\.)/.test(value)) ||
      !(isWrittenOut(value) || /^(?:undefined|pass|\.\.\.)$/.test(value))
    )
      return [];
    return [signalAt(change, side, line, lastLine, CONSTANT)];
  });
}
