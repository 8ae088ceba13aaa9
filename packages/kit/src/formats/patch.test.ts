import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePatch } from './patch.ts';

const changed = (
  lines: readonly { readonly changed: boolean; readonly text: string; readonly number: number }[],
) => lines.filter((line) => line.changed).map(({ number, text }) => `${number} ${text}`);

describe('a unified diff', () => {
  it('gives the lines of both versions with their numbers', () => {
    const [file] = parsePatch(
      'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -3,3 +3,4 @@ function f() {\n one\n-two\n+2\n+3\n four\n',
    );
    expect(file).toMatchObject({ oldPath: 'a.ts', newPath: 'a.ts', sections: ['function f() {'] });
    expect(file?.before.map(({ number }) => number)).toEqual([3, 4, 5]);
    expect(changed(file?.before ?? [])).toEqual(['4 two']);
    expect(changed(file?.after ?? [])).toEqual(['4 2', '5 3']);
  });

  it.each([
    [
      'new',
      'diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n',
      null,
      'a',
    ],
    [
      'deleted',
      'diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      'a',
      null,
    ],
    ['renamed', 'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n', 'a', 'b'],
    ['without git headers', '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n', 'a', 'a'],
    ['in two folders that are compared', '--- old/a\n+++ new/a\n@@ -1 +1 @@\n-x\n+y\n', 'new/a', 'new/a'],
    [
      'new by the date that diff -N writes',
      '--- old/a\t1970-01-01 00:00:00.000000000 +0000\n+++ new/a\t2024-05-01 10:00:00\n@@ -0,0 +1 @@\n+x\n',
      null,
      'new/a',
    ],
    [
      'quoted',
      'diff --git "a/f\\303\\274r \\"x\\".ts" "b/f\\303\\274r \\"x\\".ts"\nold mode 100644\nnew mode 100755\n',
      'für "x".ts',
      'für "x".ts',
    ],
    [
      'renamed and quoted',
      'diff --git "a/\\303\\244" b/b c\nsimilarity index 100%\nrename from "\\303\\244"\nrename to b c\n',
      'ä',
      'b c',
    ],
    ['under prefixes of its own', 'diff --git i/a w/a\n--- i/a\n+++ w/a\n@@ -1 +1 @@\n-x\n+y\n', 'a', 'a'],
    ['binary', 'diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n', 'a.png', 'a.png'],
    [
      'a submodule',
      'diff --git a/lib b/lib\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n',
      'lib',
      'lib',
    ],
    ['merged', 'diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1 -1 +1 @@@\n--x\n -y\n++z\n', 'a', 'a'],
  ])('knows a file that is %s', (_what, patch, oldPath, newPath) => {
    expect(parsePatch(patch)).toMatchObject([{ oldPath, newPath }]);
  });

  it('of a merge has what neither parent had, and lacks what both had', () => {
    const [file] = parsePatch(
      'diff --cc a\n--- a/a\n+++ b/a\n@@@ -1,3 -1,3 +1,4 @@@ f()\n  one\n--two\n- mine\n+ theirs\n++both\n',
    );
    expect(changed(file?.before ?? [])).toEqual(['2 two']);
    expect(changed(file?.after ?? [])).toEqual(['3 both']);
    expect(file?.after.map(({ text }) => text)).toEqual(['one', 'theirs', 'both']);
  });

  it('takes a removed line that looks like a header for a line', () => {
    const [file, ...others] = parsePatch('--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1 @@\n--- drop it\n keep\n');
    expect(others).toEqual([]);
    expect(changed(file?.before ?? [])).toEqual(['1 -- drop it']);
  });

  it('never fails, whatever the text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('@@ -1 +1 @@', '--- a/x', '+++ b/x', 'diff --git a/x b/x', '-a', '+b'),
      fc.constantFrom(
        '@@@ -1 -1 +1 @@@',
        'diff --cc x',
        '++c',
        'rename from "\\',
        '\\ No newline at end of file',
      ),
    );
    fc.assert(fc.property(fc.array(line), (lines) => Array.isArray(parsePatch(lines.join('\n')))));
  });
});

it('has the runs of changed lines, with the line before where a side has none', () => {
  const patch =
    'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -3,5 +3,4 @@\n one\n-two\n+2\n three\n-four\n five\n@@ -20,0 +19,1 @@\n+new\n';
  expect(parsePatch(patch)).toMatchObject([
    {
      binary: false,
      runs: [
        { removed: ['two'], added: ['2'], oldStart: 4, newStart: 4 },
        { removed: ['four'], added: [], oldStart: 6, newStart: 5 },
        { removed: [], added: ['new'], oldStart: 20, newStart: 19 },
      ],
    },
  ]);
  expect(parsePatch('diff --git a/x b/x\nBinary files a/x and b/x differ\n')).toMatchObject([
    { binary: true },
  ]);
});
