import type { LanguageName } from '../../../lib/code/languages.ts';
import type { Match, Side } from '../lex/side.ts';
import { findCode, lineAt } from '../lex/side.ts';
import { remembered } from '../remember.ts';

/** A test case as it stands in one version. */
export type TestCase = {
  readonly name: string;
  readonly side: Side;
  /** Indexes into the side's lines: what is written above it (annotations), its first line, its last. */
  readonly from: number;
  readonly header: number;
  readonly to: number;
};

/** How a test begins; the first group that isn't empty is its name. Suites aren't tests. */
const HEADERS: Readonly<Partial<Record<LanguageName, readonly RegExp[]>>> = {
  js: [
    /(?:(?<![.\w$])|(?<=(?<![.\w$])(?:s?tt?|ctx|context|tap)\.))[xf]?(?:it|test|specify)\b(?:\s*\.\s*(?!describe|step|before|after|use|extend|mock)\w+(?:\([^()]*\))?)*\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)/g,
    /(?<![.\w$])[xf]?(?:it|test|specify)\b(?:\s*\.\s*\w+)*\.(?:each|for)\b[\s\S]{0,2000}?\)\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)/g,
  ],
  python: [/^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*\(/gm],
  go: [/^func[ \t]+(?:\([^)]*\)[ \t]*)?((?:Test|Fuzz|Benchmark|Example)(?:[A-Z_]\w*)?)[ \t]*\(/gm],
  rust: [
    /#\[(?:\w+::)*(?:test|rstest|test_case|proptest|quickcheck)\b[^\]]*\](?:\s*#!?\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
  ],
  java: [
    annotated(
      '@(?:[\\w.]+\\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\\b(?:\\([^)]*\\))?',
    ),
    /^[ \t]*public\s+void\s+(test\w+)\s*\(/gm,
    ...quoted(),
  ],
  kotlin: [
    annotated('@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\\b(?:\\([^)]*\\))?'),
    /(?<![.\w])x?(?:test|it|should|scenario|expect|Then)\s*\(\s*"([^"\n]*)"\s*\)/g,
    ...quoted(),
  ],
  csharp: [
    /\[(?:\w+,\s*)*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b[^\]]*\](?:\s*\[[^\]]*\])*\s*(?:(?:public|private|internal|async|static|void|Task(?:<\w+>)?)\s+)+(\w+)\s*\(/g,
  ],
  ruby: [
    /^[ \t]*[xf]?(?:it|specify|example|scenario|test)[ (]+(?:"([^"\n]*)"|'([^'\n]*)')/gm,
    /^[ \t]*def[ \t]+(test_\w+[?!]?)/gm,
  ],
  php: [
    /function\s+(test\w*)\s*\(/g,
    /#\[Test\](?:\s*#\[[^\]]*\])*\s*public\s+function\s+(\w+)/g,
    /(?<![>\w:$])(?:it|test)\(\s*(?:"([^"\n]*)"|'([^'\n]*)')/g,
  ],
  swift: [
    /^[ \t]*(?:(?:override|public|private|final|@MainActor)\s+)*func\s+(test\w*)\s*\(/gm,
    /@Test\b(?:\([^{]*?\))?\s*(?:\w+\s+)*?func\s+(\w+)/g,
  ],
  cpp: [
    /^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+\s*,\s*\w+)\s*\)/gm,
    /^[ \t]*(?:TEST_CASE|SCENARIO|SECTION|TEST_CASE_METHOD|SUBCASE)\s*\(\s*(?:\w+\s*,\s*)?"([^"\n]*)"/gm,
    /^[ \t]*BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE\s*\(\s*(\w+)/gm,
  ],
  elixir: [/^[ \t]*(?:test|property)[ (]+"([^"\n]*)"/gm],
  dart: [/(?<![.\w])(?:test|testWidgets|blocTest(?:<[^>]*>)?)\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)')/g],
  scala: [
    /^[ \t]*(?:it|they|"[^"\n]*")\s+(?:should|must|can)\s+"([^"\n]*)"\s+(?:taggedAs\s+\w+\s+)?in\b/gm,
    /^[ \t]*test\s*\(\s*"([^"\n]*)"/gm,
    /^[ \t]*"([^"\n]*)"\s+(?:in|-)\s*\{/gm,
  ],
  shell: [/^[ \t]*@test[ \t]+(?:"([^"\n]*)"|'([^'\n]*)')/gm],
};

/** A method of Java or Kotlin below its annotations. */
function annotated(annotation: string): RegExp {
  const others = '(?:\\s*@[\\w.]+(?:\\([^)]*\\))?)*';
  const words = '(?:(?:public|protected|private|internal|final|static|suspend|open|override|void|fun)\\s+)*';
  return new RegExp(
    `${annotation}${others}\\s*${words}(?:\\w[\\w<>]*\\s+)?(?:\`([^\`\\n]*)\`|(\\w+))\\s*\\(`,
    'g',
  );
}

/** Tests of kotest and spock that are named by a string alone. */
function quoted(): RegExp[] {
  return [/^[ \t]*"([^"!\n][^"\n]*)"\s*(?:\.config\([^)]*\)\s*)?\{/gm, /^[ \t]*def[ \t]+"([^"\n]*)"\s*\(/gm];
}

export function testsIn(side: Side): readonly TestCase[] {
  const headers = (HEADERS[side.language.name] ?? []).flatMap((pattern) => findCode(side, pattern));
  const seen = new Set<number>();
  return headers.flatMap((match) => {
    const test = testOf(side, match);
    if (seen.has(test.header)) return [];
    seen.add(test.header);
    return [test];
  });
}

/** The innermost test that a line belongs to. */
export function testAt(tests: readonly TestCase[], line: number): TestCase | null {
  return testsByLine(tests).get(line) ?? null;
}

/** The innermost test of each line. */
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
  // A name on a line of its own is deeper than the call that it is given to.
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
    // One that goes over several lines ends with a bracket, and what is in it is deeper.
    else if (
      indentOf(above.text) < indent ||
      !(indentOf(above.text) > indent || /^\s*[)\]}]+,?$/.test(above.text))
    )
      break;
  }
  return from;
}

/** The last line of the block that begins at a line, by indentation, as fragments don't always have all brackets. */
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
    // `])('name', () => {` goes on, `});` doesn't.
    if (!/(?:[{([:,]|=>|\bdo|\|)\s*$|^\s*(?:rescue|ensure|else)\b/.test(text)) break;
  }
  return last;
}

export function indentOf(text: string): number {
  return /^[ \t]*/.exec(text)?.[0].replace(/\t/g, '    ').length ?? 0;
}
