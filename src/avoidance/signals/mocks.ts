import { type Change, type Changes, stemOf } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, lineAt, type Match } from '../lex/side.ts';
import { testAt } from '../tests/find-tests.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

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
  /\b(?:spyOn|stub|replace|mock\.method|fake)\s*\(\s*(\w+(?:\.prototype)?)\s*,\s*["'](\w+)["']/g,
  /\bmonkeypatch\.setattr\s*\(\s*["']([\w.]+)\.(\w+)["']/g,
  /\b(?:mocker\.|mock\.)?patch\s*\(\s*["']([\w.]+)\.(\w+)["']/g,
  /\b(?:monkeypatch\.setattr|patch\.object|mocker\.patch\.object)\s*\(\s*([\w.]+)\s*,\s*["'](\w+)["']/g,
  /\b(?:mock|spy|mockk|Mockito\.mock|createMock|getMockBuilder|createStub|instance_double|class_double|double|Substitute\.For|Mock)\s*(?:<\s*(\w+)\s*>|\(\s*["']?(\w+)(?:\.class|::class)?)/g,
  /\ballow(?:_any_instance_of)?\s*\(\s*(\w+)\s*\)\.to\s+receive\s*\(\s*:(\w+[?!]?)/g,
  /\b(\w+)\.(?:stub|stubs|expects)\s*\(?\s*:(\w+)/g,
  /\bwhen\s*\(\s*(\w+)\.(\w+)\s*\(/g,
];
/** The real one is still used, or the mock watches it only. */
const PARTIAL =
  /importOriginal|importActual|requireActual|original\b|actual\b|callThrough|and_call_original|wraps=|spy\s*:\s*true|CALLS_REAL_METHODS/;

/** A definition in the test of what was imported before. */
const REDEFINED = /^[ \t]*(?:const|let|var|function|def|async function)\s+(\w+)\s*(?:=|\()/gm;

/** Mocks of the very thing that a test checks. */
export function mockSignals({ all }: Changes): readonly Signal[] {
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
      return [...mocks, ...own].map(({ line, lastLine }) =>
        signalAt(change, side, line, lastLine, MOCKED, testAt(tests, line)?.name ?? null),
      );
    });
}

function wasImported(change: Change, name: string): boolean {
  const lines = (which: 'before' | 'after') =>
    change[which].side.lines.filter(({ text }) => /\b(?:import|require)\b/.test(text));
  const names = (text: string) => new RegExp(`\\b${name}\\b`).test(text);
  const gone = lines('before').some(({ changed, text }) => changed && names(text));
  return gone && !lines('after').some(({ text }) => names(text)) && checkedNames(change).has(name);
}

function mocksSubject(change: Change, match: Match): boolean {
  const { side } = change.after;
  const target = match.groups[1] ?? match.groups[2] ?? '';
  const member = match.groups[1] === undefined ? '' : (match.groups[2] ?? '');
  const statement = statementAt(change, match);
  if (PARTIAL.test(statement)) return false;
  const checked = checkedNames(change);
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
    /return_?[vV]alue|lambda|=>|mock(?:Return|Resolved|Implementation)|and_return|\.returns\(|thenReturn|:\s*\w+\(|callsFake|and\.return|side_effect/.test(
      statement,
    ) || /patch|setattr/.test(match.text);
  return (
    returns &&
    checked.has(member) &&
    (module === stem || module === '' || checked.has(member)) &&
    !isDependency(side.code, member, checked)
  );
}

/** Names that are called inside of what the tests check. */
function checkedNames({ after }: Change): ReadonlySet<string> {
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
