import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareFiles } from './compare-files.ts';

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
