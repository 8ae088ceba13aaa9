import { type Change, type Changes, stemOf } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, lineAt, type Match } from '../lex/side.ts';
import { testAt } from '../tests/find-tests.ts';
import { addedMatches, changedLines, removedAround, type Sign, signalAt } from './sign.ts';

const MOCKED: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'subject_mocked',
  confidence: 0.8,
  reason: 'What the test is about is replaced by a mock',
};

/** The first group is the module or class, the second the member that is replaced. */
const MOCKS: readonly RegExp[] = [
  /\b(?:vi|jest|td|mock)\.(?:mock|doMock|unstable_mockModule|replace|module)\s*\(\s*(?:import\()?["'`]([^"'`\n]+)["'`]()\)?/g,
  /\bproxyquire\s*\(\s*["']([^"']+)["']()/g,
  /\b(?:spyOn|stub|replace|mock\.method|fake)\s*\(\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`]([^"'`\n]+)["'`]\s*\)\s*,\s*["'](\w+)["']/g,
  /\b(?:spyOn|stub|replace|mock\.method|fake)\s*\(\s*(\w+(?:\.prototype)?)\s*,\s*["'](\w+)["']/g,
  /\bmonkeypatch\.setattr\s*\(\s*["']([\w.]+)\.(\w+)["']/g,
  /\b(?:mocker\.|mock\.)?patch\s*\(\s*["']([\w.]+)\.(\w+)["']/g,
  /\b(?:monkeypatch\.setattr|patch\.object|mocker\.patch\.object)\s*\(\s*([\w.]+)\s*,\s*["'](\w+)["']/g,
  /\b(?:mock|mockStatic|mockObject|stub_const|spy|mockk|Mockito\.mock|createMock|getMockBuilder|createStub|instance_double|class_double|double|Substitute\.For|Mock)\s*(?:<\s*(\w+)\s*>|\(\s*["']?(\w+)(?:\.class|::class)?)/g,
  /\ballow(?:_any_instance_of)?\s*\(\s*(\w+)\s*\)\.to\s+receive\s*\(\s*:(\w+[?!]?)/g,
  /\ballow(?:_any_instance_of)?\s*\(\s*(\w+)\s*\)\.to\s+receive_messages\s*\(\s*(\w+):/g,
  /\b(\w+)\.(?:stub|stubs|expects)\s*\(?\s*:(\w+)/g,
  /\bwhen\s*\(\s*(\w+)\.(\w+)\s*\(/g,
  /^[ \t]*(\w+(?:\.prototype)?)\.(\w+)\s*=\s*(?:lambda\b|(?:async\s*)?\([^()\n]*\)\s*=>|(?:vi|jest|sinon)\.(?:fn|stub)\(|(?:Magic|Async)?Mock\()/gm,
];
/** The real one is still used, or the mock watches it only. */
const PARTIAL =
  /importOriginal|importActual|requireActual|original\b|actual\b|callThrough|and_call_original|wraps=|spy\s*:\s*true|CALLS_REAL_METHODS/;

/** What is checked is written out where it was computed. */
const WRITTEN_OUT =
  /^[ \t]*(?:(?:const|let|var|val|final|auto|let mut|\w+)[ \t]+)?(\$?\w+)[ \t]*:?=[ \t]*(?:-?\d[\w.]*|"[^"\n]*"|'[^'\n]*'|\[[^\]\n()]*\]|true|false|True|False)[ \t]*;?[ \t]*$/gm;

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

/** A name in a test that stands for a mock, or a constant answer, from here on. */
const SHADOWS =
  /^[ \t]*(?:const |let |var |val |final )?(\w+)\s*=\s*(?:(?:vi|jest|sinon|mock)\.(?:fn|stub|fake)\b|(?:mock\.|unittest\.mock\.)?(?:Magic|Async)?Mock\(|lambda\b|\([^)\n]*\)\s*=>\s*[-\d"'[({])/gm;
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
      const shadowed = addedMatches(change, SHADOWS).filter(({ line, groups }) =>
        isShadow(change, line, groups[1] ?? ''),
      );
      const written = addedMatches(change, WRITTEN_OUT).filter(({ line, groups }) =>
        wasComputed(change, line, groups[1] ?? ''),
      );
      const elsewhere = addedMatches(change, FROM_FAKES).filter(({ groups }) =>
        [...(groups[1] ?? '').matchAll(/\w+/g)].some(([name]) => wasTaken(change, name)),
      );
      return [...mocks, ...own, ...shadowed, ...written, ...elsewhere].map(({ line, lastLine }) =>
        signalAt(change, side, line, lastLine, MOCKED, testAt(tests, line)?.name ?? null),
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
  const stem = stemOf(change.path).toLowerCase().replace(/_/g, '');
  const module = (
    target
      .split(/[/.\\]/)
      .findLast((part) => part !== '' && !/^(?:js|ts|mjs|tsx|jsx|prototype|index)$/.test(part)) ?? ''
  )
    .toLowerCase()
    .replace(/[_-]/g, '');
  // Bare names of packages aren't the project's own.
  const isOwn = /^[./@~#]/.test(target) || member !== '' || !/["'`]/.test(match.text);
  if (member === '') {
    if (!isOwn || module !== stem.replace(/-/g, '')) return false;
    const names = (statement.match(/\b\w+(?=\s*:)/g) ?? []).filter((name) => name !== 'default');
    return names.length === 0 || checked.size === 0 || names.some((name) => checked.has(name));
  }
  const returns =
    /return_?[vV]alue|lambda|=>|mock(?:Return|Resolved|Implementation)|and_return|\.returns\(|thenReturn|:\s*\w+\(|callsFake|and\.return|side_effect|receive_messages|receive\(:\w+[?!]?\)\s*\{/.test(
      statement,
    ) || /patch|setattr/.test(match.text);
  return (
    returns &&
    checked.has(member) &&
    (module === stem || module === '' || checked.has(member)) &&
    !isDependency(side.code, member, checked)
  );
}

/** Of the real one only the rest is used: what is checked is written out behind it. */
function overrides(statement: string, checked: ReadonlySet<string>): boolean {
  const behind = /\.\.\.[^,]*,([\s\S]*)$/.exec(statement)?.[1] ?? '';
  return [
    ...behind.matchAll(/\b(\w+)\s*:\s*(?:(?:async\s*)?\(\s*\)\s*=>\s*[-\d"'[({]|(?:vi|jest)\.fn\()/g),
  ].some(([, name]) => name !== undefined && checked.has(name));
}

/** Names that are called inside of what the tests check; where no check is shown, those that are imported. */
function checkedNames({ after, path }: Change): ReadonlySet<string> {
  const stem = stemOf(path).toLowerCase().replace(/[_-]/g, '');
  if (after.assertions.length === 0)
    return new Set(
      after.side.lines.flatMap(({ text }) =>
        /^\s*(?:import|from)\b/.test(text) && text.toLowerCase().replace(/[_-]/g, '').includes(stem)
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
