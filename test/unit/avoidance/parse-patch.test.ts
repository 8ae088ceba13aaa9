import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareFiles } from '../../../src/avoidance/diff/compare-files.ts';
import { parsePatch } from '../../../src/avoidance/diff/parse-patch.ts';

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
  ])('knows a file that is %s', (_what, patch, oldPath, newPath) => {
    expect(parsePatch(patch)).toMatchObject([{ oldPath, newPath }]);
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
    );
    fc.assert(fc.property(fc.array(line), (lines) => Array.isArray(parsePatch(lines.join('\n')))));
  });
});

describe('two versions of a file', () => {
  it('keep the lines that they have in common, in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const { before, after } = compareFiles({
          path: 'x',
          before: one.join('\n'),
          after: other.join('\n'),
        });
        const kept = (lines: typeof before) => lines.filter((line) => !line.changed).map((line) => line.text);
        expect(kept(before)).toEqual(kept(after));
      }),
    );
  });

  it('are new or deleted where one is missing', () => {
    expect(compareFiles({ path: 'x', before: null, after: 'a\n' })).toMatchObject({
      oldPath: null,
      newPath: 'x',
    });
    expect(compareFiles({ path: 'x', before: 'a\n', after: null })).toMatchObject({
      oldPath: 'x',
      newPath: null,
    });
  });
});
