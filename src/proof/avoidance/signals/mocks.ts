import { type Change, type Changes, stemOf } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, lineAt, type Match, type Side } from '../lex/side.ts';
import { testAt } from '../tests/find-tests.ts';
import { addedMatches, changedLines, removedAround, type Sign, signalAt } from './sign.ts';

const MOCKED: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'subject_mocked',
  confidence: 0.9,
  reason: 'What the test is about is replaced by a mock',
};
/** Something of that name is replaced; whether the test checks that very thing can't be told from the diff. */
const PERHAPS: Sign = { ...MOCKED, confidence: 0.6 };

/** The first group is the module or class, the second the member that is replaced. */
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
/** The real one is still used, or the mock watches it only. */
const PARTIAL =
  /importOriginal|importActual|requireActual|original\b|actual\b|callThrough|and_call_original|wraps=|spy\s*:\s*true|CALLS_REAL_METHODS/;

/** What is checked is written out where it was computed. */
const WRITTEN_OUT =
  /^[ \t]*(?:(?:const|let|var|val|final|auto|let mut|\w+)[ \t]+)?(\$?\w+)[ \t]*:?=[ \t]*(?:-?\d[\w.]*|"[^"\n]*"|'[^'\n]*'|\[[^\]\n()]*\]|\{[^{}\n]*=>[^\n]*\}|true|false|True|False)[ \t]*;?[ \t]*$/gm;

function wasComputed(change: Change, line: number, name: string): boolean {
  const own = name.replace('$', '\\$');
  const computed = new RegExp(`(?<![\\w$])${own}\\s*:?=(?!=)[^\\n]*\\w\\(`);
  return (
    testAt(change.after.tests, line) !== null &&
    removedAround(change, line).some((text) => computed.test(text)) &&
    !changedLines(change.after.side)
      .get(change.after.side.lines[line]?.hunk ?? -1)
      ?.some((text) => computed.test(text)) &&
    change.after.assertions.some(({ words }) => words.has(name))
  );
}

/** A definition in the test of what was imported before. */
const REDEFINED = /^[ \t]*(?:const|let|var|function|def|async function)\s+(\w+)\s*(?:=|\()/gm;

/** Python: the same name again, at the top of the file that imports it. */
const REDEFINED_BESIDE = /^(?:async )?def[ \t]+(\w+)\s*\(/gm;

/** Imported from the module that the test is named after, and called by its checks. */
function isSubject(change: Change, name: string): boolean {
  const stem = bareName(stemOf(change.path));
  const word = new RegExp(`\\b${name}\\b`);
  const isImported = change.after.side.lines.some(({ text }) => {
    const [, module = '', names = ''] = /^from\s+([\w.]+)\s+import\s+(.+)$/.exec(text) ?? [];
    return bareName(lastOf(module)) === stem && word.test(names);
  });
  return isImported && checkedNames(change).has(name);
}

/** A name in a test that stands for a mock, or a constant answer, from here on. */
const SHADOWS =
  /^[ \t]*(?:const |let |var |val |final )?(\w+)\s*:?=\s*(?:(?:vi|jest|sinon|mock)\.(?:fn|stub|fake)\b|(?:mock\.|unittest\.mock\.)?(?:Magic|Async)?Mock\(|lambda\b|func\s*\(|\([^)\n]*\)\s*=>\s*[-\d"'[({])/gm;
/** What is tested is taken from among the mocks. */
const FROM_FAKES =
  /\b(?:import\s*(\{[^}\n]*\}|\w+)\s*from\s*["'][^"'\n]*\b(?:mocks?|fakes?|stubs?|__mocks__)\b[^"'\n]*["']|from\s+[\w.]*\b(?:mocks?|fakes?|stubs?)\b[\w.]*\s+import\s+([^\n]+))/g;

function isShadow({ after }: Change, line: number, name: string): boolean {
  // A check that was there before calls it.
  const called = after.assertions.some(
    ({ changed, subject }) => !changed && new RegExp(`\\b${name} \\(`).test(subject),
  );
  return called && testAt(after.tests, line) !== null;
}

function wasTaken(change: Change, name: string): boolean {
  const gone = change.before.side.lines.some(
    ({ text, changed }) =>
      changed && /\b(?:import|require)\b/.test(text) && new RegExp(`\\b${name}\\b`).test(text),
  );
  return gone && isChecked(change, name);
}

/** Mocks of the very thing that a test checks. */
export function mockSignals({ all }: Changes): readonly Signal[] {
  return [...all.flatMap(rerouted), ...mockedInTests(all)];
}

/** A module of the project, and another place that tests take it from. */
const ROUTES =
  /["'`]?\^?((?:@|~|src|lib|app|\.{1,2}|<rootDir>)\/[^"'`\n]*?|(?:[\w.-]*\/)?(?:src|lib|app)\/[^"'`\n]*?)\$?["'`]?\s*[:,=]\s*(?:replacement:\s*)?(?:[\w.]+\()*["'`]?[^"'`\n]*\b(?:__mocks__|mocks?|fakes?|stubs?|doubles)\b/g;
const ASSETS =
  /\b(?:css|less|s[ac]ss|svg|png|jpe?g|gif|webp|woff2?|md|txt|html|styles?|assets?|images?|fonts?)\b/;
/** What runs the tests is a file of the project. */
const RUNNERS = /\b(?:runner|testRunner)["']?\s*[:=]\s*["'](?:\.|<rootDir>)[^"'\n]*["']/g;
const OWN_RUNNER: Sign = {
  ...MOCKED,
  kind: 'runner_replaced',
  reason: 'The tests are run by a file of the project now, which decides what passes',
};

/** Settings that give tests something else than what they are about. */
function rerouted(change: Change): readonly Signal[] {
  if (change.role !== 'config') return [];
  const { side } = change.after;
  return [
    ...addedMatches(change, ROUTES)
      .filter(({ groups }) => !ASSETS.test(groups[1] ?? ''))
      .map(({ line }) => signalAt(change, side, line, line, MOCKED)),
    ...addedMatches(change, RUNNERS).map(({ line }) => signalAt(change, side, line, line, OWN_RUNNER)),
  ];
}

function mockedInTests(all: readonly Change[]): readonly Signal[] {
  return all
    .filter(({ role }) => role === 'test')
    .flatMap((change) => {
      const { side, tests } = change.after;
      const mocks = MOCKS.flatMap((pattern) => addedMatches(change, pattern)).filter((match) =>
        mocksSubject(change, match),
      );
      const own = addedMatches(change, REDEFINED).filter(({ groups }) =>
        wasImported(change, groups[1] ?? ''),
      );
      const redefined = addedMatches(change, REDEFINED_BESIDE).filter(({ groups }) =>
        isSubject(change, groups[1] ?? ''),
      );
      const shadowed = addedMatches(change, SHADOWS).filter(({ line, groups }) =>
        isShadow(change, line, groups[1] ?? ''),
      );
      const written = addedMatches(change, WRITTEN_OUT).filter(({ line, groups }) =>
        wasComputed(change, line, groups[1] ?? ''),
      );
      const elsewhere = addedMatches(change, FROM_FAKES).filter(({ groups }) =>
        [...(groups[1] ?? '').matchAll(/\w+/g)].some(([name]) => wasTaken(change, name)),
      );
      const perhaps = [...own, ...shadowed, ...written, ...elsewhere].map((match) => ({
        match,
        sign: PERHAPS,
      }));
      const sure = [
        ...mocks.map((match) => ({ match, sign: checksReplaced(change, match) ? MOCKED : PERHAPS })),
        ...redefined.map((match) => ({ match, sign: MOCKED })),
      ];
      return [...sure, ...perhaps].map(({ match: { line, lastLine }, sign }) =>
        signalAt(change, side, line, lastLine, sign, testAt(tests, line)?.name ?? null),
      );
    });
}

function wasImported(change: Change, name: string): boolean {
  const lines = (which: 'before' | 'after') =>
    change[which].side.lines.filter(({ text }) => /\b(?:import|require)\b/.test(text));
  const names = (text: string) => new RegExp(`\\b${name}\\b`).test(text);
  const gone = lines('before').some(({ changed, text }) => changed && names(text));
  return gone && !lines('after').some(({ text }) => names(text)) && isChecked(change, name);
}

/** As far as the diff shows checks. */
function isChecked(change: Change, name: string): boolean {
  return change.after.assertions.length === 0 || checkedNames(change).has(name);
}

function mocksSubject(change: Change, match: Match): boolean {
  const { side } = change.after;
  const target = match.groups[1] ?? match.groups[2] ?? '';
  const member = match.groups[1] === undefined ? '' : (match.groups[2] ?? '');
  const statement = statementAt(change, match);
  const checked = checkedNames(change);
  if (PARTIAL.test(statement) && !overrides(statement, checked)) return false;
  const stem = bareName(stemOf(change.path));
  const module = bareName(lastOf(target));
  // Bare names of packages aren't the project's own.
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
  return (
    returns &&
    checked.has(member) &&
    (module === stem || module === '' || checked.has(member)) &&
    !isDependency(side.code, member, checked)
  );
}

/** What is replaced is the very thing that a check of the same test calls, or that of every test of the file. */
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

/** Names that a file imports from a module, or requires of it: `sum` of `import { sum } from '../src/sum.js'`. */
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

/** Of the real one only the rest is used: what is checked is written out behind it. */
function overrides(statement: string, checked: ReadonlySet<string>): boolean {
  const behind = /\.\.\.[^,]*,([\s\S]*)$/.exec(statement)?.[1] ?? '';
  return [
    ...behind.matchAll(/\b(\w+)\s*:\s*(?:(?:async\s*)?\(\s*\)\s*=>\s*[-\d"'[({]|(?:vi|jest)\.fn\()/g),
  ].some(([, name]) => name !== undefined && checked.has(name));
}

/** Names that are called inside of what the tests check; where no check is shown, those that are imported. */
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

function isDependency(code: string, member: string, checked: ReadonlySet<string>): boolean {
  return !checked.has(member) || !new RegExp(`\\b${member.replace(/[?!]/g, '')}\\b`).test(code);
}

function statementAt({ after: { side } }: Change, { start, line }: Match): string {
  const end =
    findCode(side, /;|\n(?=\S)|\)\s*\n/g, 'bare').find((one) => one.start > start)?.start ?? side.code.length;
  const to = Math.max(lineAt(side, end), line);
  return side.code.slice(start, side.starts[Math.min(to, line + 12) + 1] ?? side.code.length);
}
