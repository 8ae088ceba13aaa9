import { type Change, type Changes, stemOf } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, lineAt, type Match, type Side } from '../lex/side.ts';
import { testAt } from '../tests/find-tests.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const MOCKED: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'subject_mocked',
  confidence: 0.9,
  reason: 'What the test is about is replaced by a mock',
};
/** The diff doesn't show whether the test checks the replaced code. */
const PERHAPS: Sign = { ...MOCKED, confidence: 0.6 };

/** Group 1 is the module or class, group 2 the replaced member. */
const MOCKS: readonly RegExp[] = [
  /\b(?:vi|jest|td|mock)\.(?:mock|doMock|unstable_mockModule|replace|module)\s*\(\s*(?:import\()?["'`]([^"'`\n]+)["'`]()\)?/g,
  /\bproxyquire\s*\(\s*["']([^"']+)["']()/g,
  /\b(?:spyOn|stub|replace|mock\.method|fake)\s*\(\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`]([^"'`\n]+)["'`]\s*\)\s*,\s*["'](\w+)["']/g,
  /\b(?:spyOn|stub|replace|mock\.method|fake)\s*\(\s*(\w+(?:\.prototype)?)\s*,\s*["'](\w+)["']/g,
  /\bmonkeypatch\.setattr\s*\(\s*["']([\w.]+)\.(\w+)["']/g,
  /\brequire\.cache\[\s*require\.resolve\(\s*["']([^"']+)["']()/g,
  /\bObject\.assign\(\s*(\w+(?:\.prototype)?)\s*,\s*\{\s*(\w+)\s*[:(]/g,
  /\b(?:mocker\.|mock\.)?patch\s*\(\s*["']([\w.]+)\.(\w+)["']/g,
  /\b(?:setattr|patch\.object)\s*\(\s*([\w.]+)\s*,\s*["'](\w+)["']/g,
  /\b(?:mock|mockStatic|mockObject|stub_const|spy|mockk|Mockito\.mock|createMock|getMockBuilder|createStub|instance_double|class_double|double|Substitute\.For|Mock)\s*(?:<\s*(\w+)\s*>|\(\s*["']?(\w+)(?:\.class|::class)?)/g,
  /\ballow(?:_any_instance_of)?\s*\(\s*(\w+)\s*\)\.to\s+receive\s*\(\s*:(\w+[?!]?)/g,
  /\ballow(?:_any_instance_of)?\s*\(\s*(\w+)\s*\)\.to\s+receive_messages\s*\(\s*(\w+):/g,
  /\b(\w+)\.(?:stub|stubs|expects)\s*\(?\s*:(\w+)/g,
  /\bwhen\s*\(\s*(\w+)\.(\w+)\s*\(/g,
  /(?<![\w.$])(\w+(?:\.prototype)?)\.(\w+)\s*=\s*(?:lambda\b|(?:async\s*)?(?:\([^()\n]*\)|\w+)\s*=>|(?:async\s+)?function\b|(?:vi|jest|sinon)\.(?:fn|stub)\(|(?:Magic|Async)?Mock\()/g,
];
const PARTIAL =
  /importOriginal|importActual|requireActual|original\b|actual\b|callThrough|and_call_original|wraps=|spy\s*:\s*true|CALLS_REAL_METHODS/;

export function mockSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ role }) => role === 'test')
    .flatMap((change) =>
      MOCKS.flatMap((pattern) => addedMatches(change, pattern))
        .filter((match) => mocksSubject(change, match))
        .map((match) => {
          const { line, lastLine } = match;
          const sign = checksReplaced(change, match) ? MOCKED : PERHAPS;
          const test = testAt(change.after.tests, line)?.name ?? null;
          return signalAt(change, change.after.side, line, lastLine, sign, test);
        }),
    );
}

function mocksSubject(change: Change, match: Match): boolean {
  const target = match.groups[1] ?? match.groups[2] ?? '';
  const member = match.groups[1] === undefined ? '' : (match.groups[2] ?? '');
  const statement = statementAt(change, match);
  const checked = checkedNames(change);
  if (PARTIAL.test(statement)) return false;
  const stem = bareName(stemOf(change.path));
  const module = bareName(lastOf(target));
  // A bare package name isn't the project's own code.
  const isOwn = /^[./@~#]/.test(target) || member !== '' || !/["'`]/.test(match.text);
  if (member === '') {
    if (!isOwn || module !== stem) return false;
    const names = (statement.match(/\b\w+(?=\s*:)/g) ?? []).filter((name) => name !== 'default');
    return names.length === 0 || checked.size === 0 || names.some((name) => checked.has(name));
  }
  const returns =
    /return_?[vV]alue|lambda|=>|mock(?:Return|Resolved|Implementation)|and_return|\.returns\(|thenReturn|:\s*\w+\(|callsFake|and\.return|side_effect|receive_messages|receive\(:\w+[?!]?\)\s*\{/.test(
      statement,
    ) || /patch|setattr|Object\.assign|\bfunction$/.test(match.text);
  return returns && checked.has(member);
}

/** Returns whether an assertion of the same test calls the replaced code; outside of tests, an assertion of the file. */
function checksReplaced({ after, path }: Change, { groups, line }: Match): boolean {
  const [target = '', member = ''] = [groups[1], groups[2]];
  const test = testAt(after.tests, line);
  const subjects = after.assertions
    .filter((one) => test === null || testAt(after.tests, one.line) === test)
    .map(({ subject, text }) => (subject === '' ? text : subject));
  const calls = (called: string) =>
    subjects.some((subject) => new RegExp(`(?<![\\w.] ?)${called} \\(`).test(subject));
  if (member === '')
    return importedFrom(after.side, target).some((name) => calls(name) || calls(`${name} \\. \\w+`));
  const owner = lastOf(target.replace(/\.prototype$/, ''));
  const isOwnClass = /^[A-Z]/.test(owner) && bareName(owner) === bareName(stemOf(path));
  return (
    calls(`${owner} \\. ${member}`) || (isOwnClass && subjects.some((one) => one.includes(`. ${member} (`)))
  );
}

/** Returns the names that a file imports or requires from a module: `sum` of `import { sum } from '../src/sum.js'`. */
function importedFrom({ lines }: Side, module: string): readonly string[] {
  const bare = (path: string) => path.replace(/\.[cm]?[jt]sx?$/, '');
  return lines.flatMap(({ text }) => {
    const from = /(?:\bfrom|\brequire\s*\(|\bimport\s*\()\s*["'`]([^"'`\n]+)["'`]/.exec(text);
    if (from === null || bare(from[1] ?? '') !== bare(module)) return [];
    return (
      text.slice(0, from.index).match(/\b(?!(?:import|const|let|var|await|as|type|default)\b)\w+/g) ?? []
    );
  });
}

const lastOf = (path: string): string =>
  path
    .split(/[/.\\]/)
    .findLast((part) => part !== '' && !/^(?:js|ts|mjs|tsx|jsx|prototype|index)$/.test(part)) ?? '';

const bareName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

function checkedNames({ after, path }: Change): ReadonlySet<string> {
  const stem = bareName(stemOf(path));
  if (after.assertions.length === 0)
    return new Set(
      after.side.lines.flatMap(({ text }) =>
        /^\s*(?:import|from)\b/.test(text) && bareName(text).includes(stem)
          ? (text.replace(/["'][^"']*["']/g, '').match(/\w+/g) ?? [])
          : [],
      ),
    );
  return new Set(
    after.assertions.flatMap(({ subject, text }) =>
      [...(subject === '' ? text : subject).matchAll(/(\w+) (?=\()/g)].map(([, name]) => name ?? ''),
    ),
  );
}

function statementAt({ after: { side } }: Change, { start, line }: Match): string {
  const end =
    findCode(side, /;|\n(?=\S)|\)\s*\n/g, 'bare').find((one) => one.start > start)?.start ?? side.code.length;
  const to = Math.max(lineAt(side, end), line);
  return side.code.slice(start, side.starts[Math.min(to, line + 12) + 1] ?? side.code.length);
}
