import type { FileChange } from './diff/file-change.ts';
import { type FileRole, roleOf } from './file-role.ts';
import { type Side, sideOf } from './lex/side.ts';
import { type Assertion, assertionsIn } from './tests/assertions.ts';
import { type TestCase, testAt, testsIn } from './tests/find-tests.ts';

/** A version of a changed file, with the tests and checks in it. */
export type Version = {
  readonly side: Side;
  readonly tests: readonly TestCase[];
  readonly assertions: readonly Assertion[];
};

/** A changed file, read. */
export type Change = {
  readonly file: FileChange;
  /** As it is now; as it was where it is gone. */
  readonly path: string;
  readonly role: FileRole;
  readonly before: Version;
  readonly after: Version;
};

/** All that a diff changes, with what several detectors ask of it. */
export type Changes = {
  readonly all: readonly Change[];
  /** Production code does something else than before: layout and comments don't count. */
  readonly production: boolean;
  /** Names and strings that production code had and no longer has. */
  readonly vanished: ReadonlySet<string>;
};

export function readChanges(files: readonly FileChange[]): Changes {
  const all = files.map(readChange).filter(({ role }) => role !== 'generated');
  const source = all.filter(({ role }) => role === 'source');
  return { all, production: source.some(changesCode), vanished: vanishedFrom(source) };
}

function readChange(file: FileChange): Change {
  const path = file.newPath ?? file.oldPath ?? '';
  const role = roleOf(file.oldPath !== null && roleOf(file.oldPath) === 'test' ? file.oldPath : path);
  return {
    file,
    path,
    role,
    before: versionOf(file.oldPath ?? path, file.before, file.sections, role),
    after: versionOf(path, file.after, file.sections, role),
  };
}

function versionOf(
  path: string,
  lines: FileChange['before'],
  sections: readonly string[],
  role: FileRole,
): Version {
  const side = sideOf(path, lines, sections);
  const tests = role === 'test' || role === 'test_support' || role === 'source' ? testsIn(side) : [];
  const code = role === 'test' || role === 'test_support' || tests.length > 0;
  const assertions = code ? assertionsIn(side) : [];
  const inTest = ({ line }: Assertion) =>
    role === 'test' || role === 'test_support' || testAt(tests, line) !== null;
  return { side, tests, assertions: assertions.filter(inTest) };
}

/** Whether the code differs in more than layout and comments, tests inside of it apart. */
export function changesCode({ before, after }: Change): boolean {
  const changed = ({ side, tests }: Version) =>
    side.lines
      .flatMap((line, index) => (line.changed && testAt(tests, index) === null ? [index] : []))
      .map((index) => side.code.slice(side.starts[index], side.starts[index + 1]).replace(/\s+/g, ''))
      .filter((text) => text !== '' && !/^[{}()[\];,]*$/.test(text))
      .join('');
  return changed(before) !== changed(after);
}

function vanishedFrom(source: readonly Change[]): ReadonlySet<string> {
  const now = new Set(source.flatMap(({ after }) => [...wordsOf(after.side, () => true)]));
  const isCode = ({ side, tests }: Version, line: number) =>
    side.lines[line]?.changed === true && testAt(tests, line) === null;
  const gone = source.flatMap(({ before }) => [...wordsOf(before.side, (line) => isCode(before, line))]);
  const stems = source.flatMap(({ file }) => (file.newPath === null ? [stemOf(file.oldPath ?? '')] : []));
  return new Set([...gone.filter((word) => !now.has(word)), ...stems]);
}

function* wordsOf(side: Side, wanted: (line: number) => boolean): Generator<string> {
  let line = 0;
  for (const { kind, text, start } of side.tokens) {
    while ((side.starts[line + 1] ?? Number.POSITIVE_INFINITY) <= start) line += 1;
    if (!wanted(line)) continue;
    if (kind === 'word' && text.length > 2) yield text;
    if (kind === 'string') for (const word of text.match(/[\w-]{3,}/g) ?? []) yield word;
  }
}

/** The name of what a file is about: `invoice` of `tests/test_invoice.py`, `Basket` of `BasketTest.java`. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  return name.replace(
    /^(?:test_|tests_|Test(?=[A-Z]))|(?:[_-](?:test|tests|spec|unittest)|(?:Tests?|Spec|Specs|IT|TestCase))$/g,
    '',
  );
}

/** The changed lines of a version from one to another, for a finding. */
export function excerpt({ lines }: Side, from: number, to: number): string {
  return lines
    .slice(from, Math.min(to + 1, from + 6))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}
