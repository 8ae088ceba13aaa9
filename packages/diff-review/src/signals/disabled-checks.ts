import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Side } from '../lex/side.ts';
import { between, remembered } from '../remember.ts';
import type { Assertion } from '../tests/assertions.ts';
import { blockEnd, indentOf, type TestCase, testAt } from '../tests/find-tests.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const RETURNS: Sign = {
  category: 'test_skip',
  kind: 'returns_early',
  confidence: 0.9,
  reason: 'A test returns before its checks',
};
const CONDITION: Sign = {
  category: 'test_skip',
  kind: 'check_conditional',
  confidence: 0.8,
  reason: 'A check runs only under a condition that usually is not met',
};
const SWALLOWS: Sign = {
  category: 'assertion_weakening',
  kind: 'failure_swallowed',
  confidence: 0.85,
  reason: 'What a check throws is caught in the test',
};
const NEVER_RETURNS =
  /^[ \t]*if\b[^\n]*(?:\benv\b|environ|[gG]etenv|ENV\[|(?<![=!]=\s?)\b(?:false|true|True)\b|\bCI\b)[^\n]*(?:\breturn\b[^\n]*|[:{)]\s*\n\s*return\b[^\n]*)$/gm;
const RETRIES =
  /\bretryTimes\s*\(\s*[1-9]|\bthis\.retries\s*\(\s*[1-9]|\b(?:it|test|describe|suite|context|configure|scenario|Cypress\.config|beforeEach)\b[^\n]*\bretr(?:y|ies)\s*:\s*[1-9]|^[ \t]*(?:\}, )?\{?[ \t]*\bretr(?:y|ies)\s*:\s*[1-9]\d*,?[ \t]*(?:$|\}\)?;?$)|@(?:\w+\.mark\.)?flaky\b|@(?:Repeated\w*IfExceptions\w*|Retry\w*|RetryingTest|Flaky\w*)\b|\[(?:\w+,\s*)*Retry\w*\b|flaky:\s*true/gm;
/** A test that fails unless the code panics is stricter. */
const RECOVERS = /\brecover\s*\(\s*\)(?![^\n]*==\s*nil)|\bcatch_unwind\b/g;

const RETRIED: Sign = {
  category: 'gate_weakening',
  kind: 'retries_added',
  confidence: 0.75,
  reason: 'A failing test is run again until it passes',
};
const NEVER =
  /^[ \t]*with\b[^\n]*\bsuppress\s*\(|^[ \t]*(?:\}[ \t]*else[ \t]+)?(?:if|unless|while)\b[ \t]*\(?[ \t]*(?:false|False|0|nil|None|null|!\s*true|not True|process\.env|import\.meta\.env|os\.environ|os\.getenv|os\.Getenv|System\.getenv|std::env|ENV\[|getenv|Environment\.|typeof\s+\w+\s*[!=]==?)/gm;
const CATCHES = /(?<!\.)\bcatch\b[^{\n;]*\{|\bexcept\b[^:\n]*:|^[ \t]*rescue\b/gm;

export function disabledCheckSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ after }) => after.tests.length > 0 || after.assertions.length > 0)
    .flatMap((change) => [
      ...earlyReturns(change),
      ...conditions(change),
      ...ownConditions(change),
      ...catches(change),
      ...inTests(change),
    ]);
}

function earlyReturns(change: Change): readonly Signal[] {
  const { side, tests, assertions } = change.after;
  return findCode(
    side,
    /^[ \t]*(?:return|next|exit\(?0?\)?|t\.end\(\)|done\(\)|return done\(\)|return t\.end\(\))[ \t]*(?:nil|null|undefined|None|true|0|Ok\(\(\)\))?;?[ \t]*$/gm,
  )
    .filter(({ changed, line }) => changed && isAdded(change, line) && continues(side, line))
    .flatMap(({ line }) => {
      const test = testAt(tests, line);
      const next = firstAfter(assertions, line);
      if (test === null || next === undefined || next.line > test.to) return [];
      const isNested = indentOf(side.lines[line]?.text ?? '') > bodyIndent(test);
      return isNested ? [] : [signalAt(change, side, line, line, RETURNS, test.name)];
    });
}

function continues({ lines }: Side, line: number): boolean {
  const own = lines[line];
  const next = lines.slice(line + 1).find(({ text }) => text.trim() !== '');
  return next === undefined || next.hunk !== own?.hunk || indentOf(next.text) >= indentOf(own.text);
}

function bodyIndent({ side, header, to }: TestCase): number {
  const body = side.lines
    .slice(header + 1, to + 1)
    .map(({ text }) => text)
    .filter((text) => /\w/.test(text));
  const own = indentOf(side.lines[header]?.text ?? '');
  return body
    .map(indentOf)
    .filter((indent) => indent > own)
    .reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
}

function firstAfter(assertions: readonly Assertion[], line: number): Assertion | undefined {
  return between(assertions, (one) => one.line, line + 1, Number.POSITIVE_INFINITY)[0];
}

function isAdded({ before, after }: Change, line: number): boolean {
  return !removedTexts(before.side).has(after.side.lines[line]?.text.trim() ?? '');
}

const removedTexts = remembered(
  ({ lines }: Side): ReadonlySet<string> =>
    new Set(lines.flatMap(({ changed, text }) => (changed ? [text.trim()] : []))),
);

function conditions(change: Change): readonly Signal[] {
  const { side, tests, assertions } = change.after;
  return findCode(side, NEVER)
    .filter(({ changed }) => changed)
    .flatMap(({ line, text }) => {
      const to = blockEnd(side, line);
      const inside = (firstAfter(assertions, line)?.line ?? to + 1) <= to || /\bfalse\b|\bFalse\b/.test(text);
      const around = side.lines
        .slice(line, to + 1)
        .map((one) => one.text)
        .join(' ');
      const tested = testAt(tests, line);
      if (!inside || /[Ss]kip/.test(around) || (change.role === 'source' && tested === null)) return [];
      return [signalAt(change, side, line, line, CONDITION, tested?.name ?? null)];
    });
}

/** Returns signals for checks that run only if what they check already holds. */
function ownConditions(change: Change): readonly Signal[] {
  const { side, tests, assertions } = change.after;
  if (side.language.name === 'go') return [];
  const plain = (text: string) => text.replace(/\s+/g, '');
  return assertions.flatMap(({ line, subject, expected, changed }) => {
    const test = testAt(tests, line);
    const at = [line, line - 1].find((one) => /\b(?:if|unless)\b/.test(side.lines[one]?.text ?? ''));
    if (test === null || at === undefined || !/\w/.test(subject) || !/\w/.test(expected)) return [];
    const { text = '', changed: isNew } = side.lines[at] ?? {};
    const condition = /\b(?:if|unless)\b(.*)/.exec(text)?.[1] ?? '';
    const [before = ''] = condition.split(/\b(?:expect|assert\w*)\b/);
    const says = [subject, expected].every((one) => plain(before).includes(plain(one)));
    const holds = says && isNew === true && isAdded(change, at);
    return holds && (changed || at !== line) ? [signalAt(change, side, at, line, CONDITION, test.name)] : [];
  });
}

function catches(change: Change): readonly Signal[] {
  const { side, tests, assertions } = change.after;
  return findCode(side, CATCHES)
    .filter(({ changed, line }) => changed && isAdded(change, line))
    .flatMap(({ line }) => {
      const test = testAt(tests, line);
      if (test === null && change.role !== 'test') return [];
      const block = side.lines
        .slice(line, Math.max(blockEnd(side, line), line) + 1)
        .map((_, index) => side.code.slice(side.starts[line + index], side.starts[line + index + 1]))
        .join('');
      const body = block.replace(/^[\s\S]*?(?:catch\b[^{]*\{|except\b[^:\n]*:|rescue\b.*)/, '');
      const demands =
        (firstAfter(assertions, line)?.line ?? Number.POSITIVE_INFINITY) <= blockEnd(side, line) ||
        /throw|raise|fail|assert|expect|panic/i.test(body);
      const before = between(assertions, (one) => one.line, line - 12, line + 1).some(
        (one) => side.lines[one.line]?.hunk === side.lines[line]?.hunk,
      );
      return before && !demands ? [signalAt(change, side, line, line, SWALLOWS, test?.name ?? null)] : [];
    });
}

/** Returns signals for patterns that only have to be in a test. */
function inTests(change: Change): readonly Signal[] {
  const { side, tests } = change.after;
  const found = ([pattern, sign]: readonly [RegExp, Sign]) =>
    addedMatches(change, pattern)
      .filter(({ line }) => change.role !== 'source' || testAt(tests, line) !== null)
      .map(({ line }) => signalAt(change, side, line, line, sign, testAt(tests, line)?.name ?? null));
  const signs = [
    [NEVER_RETURNS, RETURNS],
    [RETRIES, RETRIED],
    [RECOVERS, SWALLOWS],
  ] as const;
  return signs.flatMap(found);
}
