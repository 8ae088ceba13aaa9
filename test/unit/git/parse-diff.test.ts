import { describe, expect, it } from 'vitest';
import { changeKind, filePatches, parseDiff } from '../../../src/git/read/parse-diff.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const ZERO = '0'.repeat(40);
const fields = (...list: string[]) => Buffer.from(list.map((field) => `${field}\0`).join(''), 'latin1');

describe('parseDiff', () => {
  const output = Buffer.concat([
    fields(
      `:100644 100644 ${A} ${B} M`,
      'edited',
      `:100644 100644 ${A} ${A} R087`,
      'old name',
      'new name',
      `:000000 100755 ${ZERO} ${A} A`,
      ':100644 is a name',
      '1\t2\tedited',
      '3\t0\t',
      'old name',
      'new name',
      '-\t-\t:100644 is a name',
    ),
    Buffer.from('\0diff --git a/edited b/edited\n'),
  ]);

  it('reads changes, counts by path, and where the patch starts', () => {
    const { raw, counts, patch } = parseDiff(output);
    expect(raw.map(({ status, oldPath, path }) => [status, oldPath, path])).toEqual([
      ['M', null, 'edited'],
      ['R', 'old name', 'new name'],
      ['A', null, ':100644 is a name'],
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      edited: { binary: false, linesAdded: 1, linesRemoved: 2 },
      'new name': { binary: false, linesAdded: 3, linesRemoved: 0 },
      ':100644 is a name': { binary: true, linesAdded: 0, linesRemoved: 0 },
    });
    expect(patch.toString()).toBe('diff --git a/edited b/edited\n');
  });

  it('reads nothing from nothing, and refuses what it does not know', () => {
    expect(parseDiff(Buffer.of())).toEqual({ raw: [], counts: new Map(), patch: Buffer.of() });
    expect(() => parseDiff(fields('warning: what'))).toThrow('unexpected output');
  });
});

it.each([
  ['A', ZERO, B, 'added'],
  ['D', A, ZERO, 'deleted'],
  ['R', A, B, 'renamed'],
  ['T', A, B, 'type_changed'],
  ['M', A, B, 'modified'],
  ['M', A, A, 'mode_changed'],
] as const)('status %s from %s to %s is %s', (status, oldOid, newOid, kind) => {
  const paths = status === 'R' ? ['x', 'y'] : ['x'];
  const { raw } = parseDiff(fields(`:100644 100755 ${oldOid} ${newOid} ${status}`, ...paths));
  expect(raw[0] && changeKind(raw[0])).toBe(kind);
});

describe('filePatches', () => {
  const change = (status: string, mode = '100644') => {
    const output = fields(`:${mode} ${mode} ${A} ${B} ${status}`, 'x');
    return parseDiff(output).raw;
  };
  const hunksOf = (...args: Parameters<typeof filePatches>) =>
    filePatches(...args)?.map(({ hunks }) => hunks) ?? null;
  const patch = (...text: string[]) => Buffer.from(`${text.join('\n')}\n`);

  it('is not misled by content that looks like a header', () => {
    const hunks = hunksOf(
      patch(
        'diff --git a/x b/x',
        '--- a/x',
        '+++ b/x',
        '@@ -3 +3,2 @@ fn()',
        '-@@ -1 +1 @@',
        '+diff --git a/y b/y',
        '+@@',
      ),
      change('M'),
    );
    expect(hunks).toEqual([[{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 2 }]]);
  });

  it('reads every hunk of every file', () => {
    const hunks = hunksOf(
      patch(
        'diff --git a/x b/x',
        'rename from x',
        '@@ -2 +1,0 @@ fn()',
        '-2',
        '@@ -6,2 +7 @@',
        '-6',
        '-7',
        '+7',
        '\\ No newline at end of file',
        'diff --git a/y b/y',
        '@@ -0,0 +1 @@',
        '+y',
      ),
      [...change('M'), ...change('A')],
    );
    expect(hunks).toEqual([
      [
        { oldStart: 2, oldLines: 1, newStart: 1, newLines: 0 },
        { oldStart: 6, oldLines: 2, newStart: 7, newLines: 1 },
      ],
      [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }],
    ]);
  });

  it('leaves out what is unchanged around and between changed lines', () => {
    const lines = [' 1', '-2', '+two', ' 3', ' 4', '+4.5', ' 5', '-6', '\\ No newline at end of file', '+6'];
    expect(hunksOf(patch('diff --git a/x b/x', '@@ -11,6 +21,7 @@ fn()', ...lines), change('M'))).toEqual([
      [
        { oldStart: 12, oldLines: 1, newStart: 22, newLines: 1 },
        { oldStart: 14, oldLines: 0, newStart: 25, newLines: 1 },
        { oldStart: 16, oldLines: 1, newStart: 27, newLines: 1 },
      ],
    ]);
  });

  it('gives both halves of a change of type to it', () => {
    const hunks = hunksOf(
      patch('diff --git a/x b/x', '@@ -1 +0,0 @@', '-x', 'diff --git a/x b/x', '@@ -0,0 +1 @@', '+y'),
      change('T'),
    );
    expect(hunks?.[0]).toHaveLength(2);
  });

  it('says of which change git shows no lines, and is not misled by a line that says so', () => {
    const files = filePatches(
      patch(
        'diff --git a/x b/x',
        'index aaaaaaa..bbbbbbb 100644',
        'Binary files a/x and b/x differ',
        'diff --git a/y b/y',
        '@@ -1 +1 @@',
        '-Binary files a/y and b/y differ',
        '+Binary files a/z and b/z differ',
      ),
      [...change('M'), ...change('M')],
    );
    expect(files?.map(({ binary, hunks }) => [binary, hunks.length])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  it('gives a submodule none', () => {
    expect(hunksOf(patch('diff --git a/x b/x', '@@ -1 +1 @@', '-Subproject'), change('M', '160000'))).toEqual(
      [[]],
    );
  });

  it('is null when the patch has another number of files', () => {
    expect(hunksOf(patch('no header'), change('M'))).toBeNull();
    expect(hunksOf(patch('diff --git a/x b/x', 'diff --git a/y b/y'), change('M'))).toBeNull();
  });
});
