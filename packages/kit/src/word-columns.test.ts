import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, wordColumnsOf } from './columns.ts';

describe('a line of words in columns', () => {
  it('is broken between words, and inside of one only where that is longer than a line', () => {
    expect(wordColumnsOf('one two three', 8)).toEqual(['one two', 'three']);
    expect(wordColumnsOf('    one two', 11)).toEqual(['    one two']);
    expect(wordColumnsOf('see `npm help` now', 9)).toEqual(['see `npm', 'help` now']);
    expect(wordColumnsOf('a abcdefghij', 4)).toEqual(['a ab', 'cdef', 'ghij']);
    expect(wordColumnsOf('', 4)).toEqual(['']);
  });

  it('holds every word, and no line is too wide', () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 9, max: 40 }), (words, width) => {
        const lines = wordColumnsOf(words.join(' '), width);
        expect(lines.join(' ').split(' ').filter(Boolean)).toEqual(words);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
