import { TEST_CODE } from 'ralph-ecosystems';
import type { Match, Side } from '../lex/side.ts';
import { findCode, lineAt } from '../lex/side.ts';
import { remembered } from '../remember.ts';

export type TestCase = {
  readonly name: string;
  readonly side: Side;
  /** Indexes into `side.lines`: `from` is the first annotation, `header` the first line, `to` the last one. */
  readonly from: number;
  readonly header: number;
  readonly to: number;
};

export function testsIn(side: Side): readonly TestCase[] {
  const headers = (TEST_CODE[side.language.name]?.headers ?? []).flatMap((pattern) =>
    findCode(side, pattern),
  );
  const seen = new Set<number>();
  return headers.flatMap((match) => {
    const test = testOf(side, match);
    if (seen.has(test.header)) return [];
    seen.add(test.header);
    return [test];
  });
}

export function testAt(tests: readonly TestCase[], line: number): TestCase | null {
  return testsByLine(tests).get(line) ?? null;
}

const testsByLine = remembered((tests: readonly TestCase[]): ReadonlyMap<number, TestCase> => {
  const lines = new Map<number, TestCase>();
  const length = ({ from, to }: TestCase) => to - from;
  for (const test of [...tests].sort((one, other) => length(other) - length(one)))
    for (let line = test.from; line <= test.to; line += 1) lines.set(line, test);
  return lines;
});

function testOf(side: Side, match: Match): TestCase {
  const name = match.groups.slice(1).find((group) => group !== undefined) ?? '';
  const text = match.text.trimStart();
  const header = lineAt(side, match.start + Math.max(text.lastIndexOf(name), 0));
  // A name on its own line is indented further than its call.
  const own = indentOf(side.lines[header]?.text ?? '') > indentOf(side.lines[match.line]?.text ?? '');
  return {
    name: name.replace(/\s+/g, ' '),
    side,
    from: annotationsAbove(side, match.line),
    header,
    to: blockEnd(side, own ? match.line : header),
  };
}

function annotationsAbove({ lines }: Side, line: number): number {
  const own = lines[line];
  const indent = indentOf(own?.text ?? '');
  let from = line;
  for (let index = line - 1; index >= 0; index -= 1) {
    const above = lines[index];
    if (above === undefined || above.hunk !== own?.hunk || above.text.trim() === '') break;
    if (/^\s*(?:@|#!?\[|\[\w|\/\*\*|\*)/.test(above.text)) from = index;
    // An annotation over several lines ends with a bracket, and its content is indented.
    else if (
      indentOf(above.text) < indent ||
      !(indentOf(above.text) > indent || /^\s*[)\]}]+,?$/.test(above.text))
    )
      break;
  }
  return from;
}

/** Returns the last line of the block that starts at a line, by indentation, as a fragment may lack brackets. */
export function blockEnd({ lines }: Side, line: number): number {
  const first = lines[line];
  if (first === undefined) return line;
  const indent = indentOf(first.text);
  let last = line;
  for (let index = line + 1; index < lines.length; index += 1) {
    const { text, hunk } = lines[index] ?? first;
    if (hunk !== first.hunk) break;
    if (text.trim() === '') continue;
    if (indentOf(text) > indent) {
      last = index;
      continue;
    }
    if (!/^\s*(?:[)\]{}]|(?:end|rescue|ensure|else|catch|except|finally)\b)/.test(text)) break;
    last = index;
    // A line such as `])('name', () => {` continues the block, `});` ends it.
    if (!/(?:[{([:,]|=>|\bdo|\|)\s*$|^\s*(?:rescue|ensure|else)\b/.test(text)) break;
  }
  return last;
}

export function indentOf(text: string): number {
  return /^[ \t]*/.exec(text)?.[0].replace(/\t/g, '    ').length ?? 0;
}
