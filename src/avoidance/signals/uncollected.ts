import type { LanguageName } from '../../lib/code/languages.ts';
import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Side } from '../lex/side.ts';
import { blockEnd, indentOf, type TestCase, testAt } from '../tests/find-tests.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const HIDDEN: Sign = {
  category: 'test_skip',
  kind: 'test_hidden',
  confidence: 0.85,
  reason: 'The tests are still there, and no runner finds them',
};
const UNCALLED: Sign = {
  category: 'test_skip',
  kind: 'check_uncalled',
  confidence: 0.85,
  reason: 'A check stands in a function that nothing calls',
};

/** What a runner looks for around tests. */
const COLLECTED: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  python: /^[ \t]*class\s+(?:Test\w*\b|\w+\s*\([^)\n]*TestCase[^)\n]*\))/gm,
  ruby: /\bclass\s+\w+\s*<\s*(?:Minitest::\w+|Minitest::Test|\w+(?:::\w+)*::(?:TestCase|IntegrationTest)|\w*TestCase)/g,
  swift: /\bclass\s+\w+\s*:\s*[\w, ]*XC\w*TestCase|@Suite\b/g,
  php: /(?<!abstract )\bclass\s+\w+\s+extends\s+\w*TestCase/g,
  csharp: /\[(?:TestClass|TestFixture)\b[^\]\n]*\]|^[ \t]*public\s+(?:sealed\s+|partial\s+)*class\s+\w+/gm,
  java: /^[ \t]*(?:public\s+|final\s+)*class\s+\w+/gm,
  kotlin: /^[ \t]*(?:public\s+|internal\s+|open\s+)*class\s+\w+/gm,
};
/** A test that others can't see isn't run. */
const PRIVATE: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  java: /\bprivate\s+(?:static\s+)?void\s+(\w+)\s*\(/g,
  kotlin: /\bprivate\s+fun\s+(\w+)\s*\(/g,
  swift: /\b(?:file)?private\s+func\s+(\w+)\s*\(/g,
  php: /\b(?:private|protected)\s+function\s+(\w+)\s*\(/g,
  csharp: /\bprivate\s+(?:async\s+)?(?:void|Task)\s+(\w+)\s*\(/g,
};
/** Functions by their name; the runner calls those with certain names. */
const FUNCTIONS =
  /\b(?:def|function|func|fn|fun)\s+(?:\([^)\n]*\)\s*)?(\w+)\s*[(<]|\b(?:const|let|var|val)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^)\n]*\)\s*=>|\w+\s*=>|lambda\b)/;
const HOOKS = /^(?:set_?up|tear_?down|before|after|init|test|main|pytest_|Test|Benchmark|Example)/i;
/** More changed lines than these are a migration. */
const LONE = 4;

/** Tests that stand where no runner looks, and checks that nothing reaches. */
export function uncollectedSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ role, file }) => role === 'test' && file.oldPath !== null && file.newPath !== null)
    .flatMap((change) => [
      ...containers(change),
      ...hidden(change),
      ...shadowed(change),
      ...unawaited(change),
      ...uncalled(change),
    ]);
}

function containers(change: Change): readonly Signal[] {
  const { before, after } = change;
  const pattern = COLLECTED[after.side.language.name];
  const changed = after.side.lines.filter((line) => line.changed && /\w/.test(line.text)).length;
  if (pattern === undefined || changed > LONE) return [];
  const lost = findCode(before.side, pattern).filter((match) => match.changed);
  const kept = findCode(after.side, pattern).filter((match) => match.changed);
  const named = (line: number) => /\bclass\s+(\w+)/.exec(before.side.lines[line]?.text ?? '')?.[1];
  const remains = (line: number) =>
    after.side.lines.some(
      (one) =>
        /\bclass\s+\w/.test(one.text) &&
        (named(line) === undefined || (one.changed && isSameClass(named(line) ?? '', one.text))),
    );
  const aside = addedMatches(
    change,
    /^class[ \t]+(?!Test)\w+[ \t]*(?:\([ \t]*(?:object)?[ \t]*\))?:/gm,
  ).filter(({ line }) => after.side.language.name === 'python' && holdsKnown(change, line));
  return [
    ...lost
      .slice(kept.length)
      .filter(({ line }) => remains(line))
      .map(({ line }) => signalAt(change, before.side, line, line, HIDDEN)),
    ...aside.map(({ line }) => signalAt(change, after.side, line, line, HIDDEN)),
  ];
}

/** Under its name, or without what made it one of tests. */
function isSameClass(name: string, text: string): boolean {
  const now = /\bclass\s+(\w+)/.exec(text)?.[1] ?? '';
  return now === name || name.replace(/^Tests?|Tests?$/g, '') === now;
}

/** Tests that were there before are in the block that begins at a line. */
function holdsKnown({ before, after }: Change, line: number): boolean {
  const names = new Set(before.tests.map(({ name }) => name));
  const to = blockEnd(after.side, line);
  return after.tests.some(({ name, header }) => header > line && header <= to && names.has(name));
}

function hidden(change: Change): readonly Signal[] {
  const { before, after } = change;
  const pattern = PRIVATE[after.side.language.name];
  const names = new Set(before.tests.map(({ name }) => name));
  return pattern === undefined
    ? []
    : addedMatches(change, pattern)
        .filter(({ groups }) => names.has(groups[1] ?? ''))
        .map(({ line, groups }) => signalAt(change, after.side, line, line, HIDDEN, groups[1] ?? null));
}

/** Python: of two functions of one name only the last is there. */
function shadowed(change: Change): readonly Signal[] {
  const { before, after } = change;
  if (after.side.language.name !== 'python') return [];
  const place = ({ side, header }: TestCase) =>
    `${side.lines[header]?.hunk} ${indentOf(side.lines[header]?.text ?? '')}`;
  const twice = (tests: readonly TestCase[]) =>
    tests.filter((one, at) =>
      tests.some((other, index) => index < at && other.name === one.name && place(other) === place(one)),
    );
  const known = new Set(twice(before.tests).map(({ name }) => name));
  return twice(after.tests)
    .filter(({ name }) => !known.has(name) && !after.side.lines.some(({ text }) => /^\s*class\b/.test(text)))
    .map(({ header, name }) => signalAt(change, after.side, header, header, HIDDEN, name));
}

const ASYNC: Sign = {
  ...HIDDEN,
  kind: 'test_never_awaited',
  confidence: 0.75,
  reason: 'The test is a coroutine that waits for nothing: without a plugin none of it is run',
};

/** Python: a test that became `async`, or a generator, without a reason in it. */
function unawaited({ before, after, ...change }: Change): readonly Signal[] {
  const { side } = after;
  if (
    side.language.name !== 'python' ||
    /\b(?:asyncio|anyio|trio|IsolatedAsyncioTestCase|AsyncTestCase)\b/.test(side.code)
  )
    return [];
  return after.tests.flatMap(({ name, header, to }) => {
    const old = before.tests.find((one) => one.name === name);
    const text = side.lines[header]?.text ?? '';
    const body = side.code.slice(side.starts[header + 1], side.starts[to + 1]);
    const was = before.side.lines[old?.header ?? -1]?.text ?? '';
    const became =
      side.lines[header]?.changed === true && /\basync\s+def\b/.test(text) && !/\basync\b/.test(was);
    return old !== undefined && became && !/\bawait\b|\basync\s+(?:with|for)\b/.test(body)
      ? [signalAt({ before, after, ...change }, side, header, header, ASYNC, name)]
      : [];
  });
}

/** Checks that were in a test and are now in a function that goes by a name that nothing else has. */
function uncalled(change: Change): readonly Signal[] {
  const { before, after } = change;
  const moved = new Set(
    before.assertions.flatMap((one) => (testAt(before.tests, one.line) === null ? [] : [one.text])),
  );
  const found = new Map<number, Signal>();
  for (const { line, text } of after.assertions) {
    const header = moved.has(text) ? functionAround(after.side, line) : null;
    if (header === null || found.has(header.line)) continue;
    const uses = after.side.code.match(new RegExp(String.raw`\b${header.name}\b`, 'g'))?.length ?? 0;
    const own = testAt(after.tests, line)?.header === header.line;
    if (uses === 1 && !own && !HOOKS.test(header.name))
      found.set(header.line, signalAt(change, after.side, header.line, line, UNCALLED));
  }
  return [...found.values()];
}

/** The new function that a line is in; none where a test or a call stands between. */
function functionAround(side: Side, line: number): { readonly line: number; readonly name: string } | null {
  let indent = indentOf(side.lines[line]?.text ?? '') + 1;
  for (let at = line; at >= 0 && indent > 0 && side.lines[at]?.hunk === side.lines[line]?.hunk; at -= 1) {
    const { text, changed } = side.lines[at] ?? { text: '', changed: false };
    if (!/\w/.test(text) || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const [, named, assigned] = FUNCTIONS.exec(text) ?? [];
    const name = named ?? assigned;
    if (name !== undefined) return changed ? { line: at, name } : null;
    if (at !== line && !/^\s*(?:if|for|while|with|try|else|switch|case|do|begin|\{)/.test(text)) return null;
  }
  return null;
}
