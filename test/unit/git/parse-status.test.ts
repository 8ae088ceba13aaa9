import { expect, it } from 'vitest';
import { parseIndexEntries } from '../../../src/git/objects/index-file.ts';
import { parsePaths, parseStatus } from '../../../src/git/read/parse-status.ts';

const A = 'a'.repeat(40);
const ZERO = '0'.repeat(40);
const lines = (...records: string[]) =>
  Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1');

it('reads the work tree column alone', () => {
  const ordinary = (xy: string, path: string) => `1 ${xy} N... 100644 100644 100644 ${A} ${A} ${path}`;
  const status = parseStatus(
    lines(
      `# branch.oid ${A}`,
      '# branch.head feature/x',
      ordinary('M.', 'staged only'),
      ordinary('MM', 'edited name with spaces'),
      ordinary('.D', 'gone'),
      ordinary('.T', 'other type'),
      `1 .A N... 000000 000000 100644 ${ZERO} ${ZERO} intended`,
      `u UU N... 100644 100644 100644 100644 ${A} ${A} ${A} in conflict`,
      '? new\nline',
      '? app/',
      '! ignored',
    ),
  );
  expect(status).toEqual({
    head: A,
    branch: 'feature/x',
    changed: ['edited name with spaces', 'other type', 'intended', 'in conflict'],
    deleted: ['gone'],
    untracked: ['new\nline'],
    repositories: ['app'],
  });
});

it('knows a repository without a commit and a detached HEAD', () => {
  expect(parseStatus(lines('# branch.oid (initial)', '# branch.head main'))).toMatchObject({
    head: null,
    branch: 'main',
  });
  expect(parseStatus(lines(`# branch.oid ${A}`, '# branch.head (detached)'))).toMatchObject({
    head: A,
    branch: null,
  });
  expect(parseStatus(Buffer.of())).toMatchObject({ head: null, branch: null, changed: [] });
});

it('reads branch names as UTF-8', () => {
  expect(parseStatus(Buffer.from('# branch.head ünï\0', 'utf8')).branch).toBe('ünï');
});

it('reads the flags of index entries', () => {
  const entries = parseIndexEntries(
    lines(
      `H 100644 ${A} 0\ta b`,
      `h 100755 ${A} 0\tx`,
      `S 120000 ${A} 0\ty`,
      `s 160000 ${A} 0\tz`,
      `M 100644 ${A} 1\tu`,
    ),
  );
  expect(
    entries.map(({ path, mode, assumeUnchanged, skipWorktree }) => [
      path,
      mode,
      assumeUnchanged,
      skipWorktree,
    ]),
  ).toEqual([
    ['a b', '100644', false, false],
    ['x', '100755', true, false],
    ['y', '120000', false, true],
    ['z', '160000', true, true],
    ['u', '100644', false, false],
  ]);
  expect(entries[0]?.oid).toBe(A);
});

it('reads lists of paths', () => {
  expect(parsePaths(lines('a', 'b\nc', '\xe9'))).toEqual(['a', 'b\nc', '\xe9']);
  expect(parsePaths(Buffer.of())).toEqual([]);
});
