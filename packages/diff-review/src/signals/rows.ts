import type { Token } from 'ralph-ecosystems';
import type { Change, Changes, Version } from '../change.ts';
import { namesOf } from '../compare/compare.ts';
import type { Signal } from '../finding.ts';
import { findCode, lineAt, type Side } from '../lex/side.ts';
import { between, Counts } from '../remember.ts';
import { testAt } from '../tests/find-tests.ts';
import { argumentsOf, closing, joined, literal } from '../tests/split.ts';
import { ASKED, type Sign, signalAt } from './sign.ts';

type Row = {
  readonly change: Change;
  readonly side: Side;
  readonly text: string;
  readonly line: number;
  readonly literals: readonly string[];
};

const REMOVED: Sign = {
  category: 'test_deletion',
  kind: 'row_removed',
  confidence: 0.75,
  reason: 'A case of a table of tests is gone',
};
const CHANGED: Sign = {
  category: 'assertion_weakening',
  kind: 'expectation_replaced',
  confidence: ASKED,
  reason: 'A case of a table of tests expects something else, and no production code changed',
};

/** Matches the start of a table of cases. Its rows are in the next bracket. */
const TABLES =
  /\bparametrize\s*\(|\.(?:each|for)\s*\(|\b(?:cases|tests|table|rows|examples|testCases|tt|tcs|scenarios|inputs|samples|dataset|params|CASES|TEST_CASES|specs)\b[^=\n;(]{0,60}(?::=|=)(?!\s*range\b)\s*|\bstruct\s*\{[^}]*\}\s*(?=\{)|\bin\s+(?=\[)|\brange\s+\[\]struct|\breturn\s+(?=\[\s*\n)|->with\s*\(|forAll\s*\(\s*|\bfor \w+ (?:in|<-)\s*(?=&?\[|\(|[\w.]+!?[([])|\bINSTANTIATE_\w+\s*\(|::testing::Values\s*\(/g;
const SINGLE =
  /\[(?:InlineData|TestCase|DataRow|Arguments)\b[^\n]*\]|#\[(?:case|test_case)(?:::\w+)?\s*\([^\n]*\)\]|@(?:ValueSource|CsvSource|TestWith|Example)\b[^\n]*/g;

export function rowSignals(changes: Changes): readonly Signal[] {
  const files = changes.all.filter(
    ({ role, before }) =>
      before.side.language.name !== 'shell' &&
      (role === 'test' || role === 'test_support' || before.tests.length > 0),
  );
  const old = files.flatMap((change) => rowsOf(change, 'before'));
  const now = files.flatMap((change) => rowsOf(change, 'after'));
  const fresh = new Counts(now.map(({ text }) => text));
  const gone = old.filter(({ text }) => !fresh.take(text));
  const known = new Set(old.map(({ text }) => text));
  const added = now.filter(({ text }) => !known.has(text));
  const literals = new Set(files.flatMap((change) => literalsIn(change)));
  return gone.flatMap((row, index): Signal[] => {
    const covered = row.literals.every((one) => literals.has(one));
    if (row.literals.length === 0 || covered || isObsolete(row, changes)) return [];
    const replaced = index < added.length;
    if (replaced && changes.production) return [];
    return [signalAt(row.change, row.side, row.line, row.line, replaced ? CHANGED : REMOVED)];
  });
}

function isObsolete({ change, line, literals }: Row, { vanished, all }: Changes): boolean {
  // Removed tests have signals of their own.
  const test = testAt(change.before.tests, line);
  const testGone = test !== null && !namesOf(change.after.tests).has(test.name);
  return (
    testGone ||
    literals.some((one) => vanished.has(one)) ||
    all.some(({ role, file }) => role === 'source' && file.newPath === null)
  );
}

function rowsOf(change: Change, which: 'before' | 'after'): Row[] {
  const { side, assertions } = change[which];
  const row = (text: string, start: number, tokens: readonly Token[]): Row => ({
    change,
    side,
    text,
    line: lineAt(side, start),
    literals: tokens
      .filter(({ kind }) => kind === 'string' || kind === 'number')
      .map((token) => literal(token.text)),
  });
  const single = findCode(side, SINGLE).map(({ text, start }) => {
    const inside = between(side.tokens, (token) => token.start, start, start + text.length);
    return row(joined(inside), start, inside);
  });
  const tables = findCode(side, TABLES).flatMap((match) => {
    const end = match.start + match.text.trimStart().length - (/[([{]\s*$/.test(match.text) ? 1 : 0);
    const from =
      side.tokens.length - between(side.tokens, ({ start }) => start, end, Number.POSITIVE_INFINITY).length;
    return from >= side.tokens.length || isInCheck(assertions, match.line)
      ? []
      : elementsAt(side.tokens, from).map((tokens) => row(joined(tokens), tokens[0]?.start ?? 0, tokens));
  });
  const lines = rowLines(change[which]).map((line) => {
    const [from, to] = [side.starts[line] ?? 0, side.starts[line + 1] ?? side.text.length];
    const tokens = between(side.tokens, ({ start }) => start, from, to);
    return row(
      joined(tokens.at(-1)?.text === ',' ? tokens.slice(0, -1) : tokens),
      tokens[0]?.start ?? from,
      tokens,
    );
  });
  const seen = new Set<string>();
  return [...single, ...tables, ...lines].filter(({ text, line }) => {
    const key = `${line} ${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Returns whether a line is part of an assertion. Assertions are sorted and don't overlap. */
function isInCheck(assertions: Version['assertions'], line: number): boolean {
  const last = between(assertions, (one) => one.line, 0, line + 1).at(-1);
  return last !== undefined && line <= last.lastLine;
}

/** The name of a row, in front of its values. */
const NAME = /^(?:yield\s+)?(?:["'][^"']*["']\s*(?:=>|:)\s*)?/;
const NAMED_ROW = /^(?:yield\s+)?(?:["'][^"']*["']\s*(?:=>|:)\s*)?(?:\w+\.param)?[([{].*[)\]}][,;]?$/;

function rowLines({ side, assertions }: Version): readonly number[] {
  const isRow = (index: number) => {
    const text = side.bare.slice(side.starts[index], side.starts[index + 1]).trim();
    return (
      NAMED_ROW.test(text) &&
      /["'\d]/.test(text) &&
      !/=>|\bfunction\b|;/.test(text.replace(NAME, '').replace(/;$/, ''))
    );
  };
  const inCheck = (index: number) => isInCheck(assertions, index);
  const shape = (index: number) => shapeOf(side.bare.slice(side.starts[index], side.starts[index + 1]));
  const alike = (one: number, other: number) => isRow(other) && shape(one) === shape(other);
  return side.lines.flatMap(({ changed }, index) =>
    changed && isRow(index) && (alike(index, index - 1) || alike(index, index + 1)) && !inCheck(index)
      ? [index]
      : [],
  );
}

/** Returns a row's keys or its number of values, which are the same for all rows of a table. */
function shapeOf(text: string): string {
  const keys = [...text.matchAll(/(\w+)\s*[:=](?!=)/g)].map(([, key]) => key);
  if (keys.length > 0) return keys.join(' ');
  let depth = 0;
  let commas = 0;
  for (const char of text.trim().replace(/,$/, '')) {
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === ',' && depth === 1) commas += 1;
  }
  return `${commas}`;
}

function elementsAt(tokens: readonly Token[], from: number): readonly (readonly Token[])[] {
  const open = tokens.findIndex(
    ({ text }, index) => index >= from && index < from + 12 && /^[[{(]$/.test(text),
  );
  if (open < 0) return [];
  const parts = argumentsOf(tokens, open);
  const isRow = (part: readonly Token[]) => part.some(({ text }) => /^[[{(]$/.test(text));
  if (parts.filter(isRow).length >= 2 && parts.every((part) => isRow(part))) return parts;
  // In `parametrize("names", [rows])` and `[]struct{…}{rows}` the list is inside the bracket or after it.
  const end = closing(tokens, open);
  const inner = tokens.slice(open + 1, end).findIndex(({ text }) => text === '[') + open + 1;
  if (inner > open) {
    const rows = argumentsOf(tokens, inner);
    if (rows.length >= 2 || rows.some(isRow)) return rows;
  }
  const next = end + 1;
  return tokens[next]?.text === '{' ? argumentsOf(tokens, next).filter(isRow) : parts.filter(isRow);
}

function literalsIn({ after }: Change): readonly string[] {
  return after.side.tokens
    .filter(
      ({ kind, start }) =>
        (kind === 'string' || kind === 'number') &&
        after.side.lines[lineAt(after.side, start)]?.changed === true,
    )
    .map(({ text }) => literal(text));
}
