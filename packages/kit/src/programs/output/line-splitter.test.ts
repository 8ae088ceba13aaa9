import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from './follow-file.ts';

/** All lines of this text, given in chunks that end at these places; one buffer serves for all chunks. */
function linesOf(
  bytes: Buffer,
  cuts: readonly number[],
  options: Parameters<typeof splitLines>[1] = {},
): string[] {
  const lines: string[] = [];
  const splitter = splitLines((line) => lines.push(line), options);
  const shared = Buffer.alloc(bytes.length);
  const places = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
  for (let index = 1; index < places.length; index += 1) {
    const piece = bytes.subarray(places[index - 1], places[index]);
    piece.copy(shared);
    splitter.push(shared.subarray(0, piece.length));
  }
  splitter.end();
  return lines;
}

describe('splitLines', () => {
  it.each([
    ['', []],
    ['one', ['one']],
    ['one\n', ['one']],
    ['one\r\ntwo\n', ['one', 'two']],
    ['\n\nx', ['', '', 'x']],
  ])('gives the lines of %j', (text, expected) => {
    expect(linesOf(Buffer.from(text), [])).toEqual(expected);
  });

  it('gives the same lines however the bytes are cut', () => {
    const text = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (parts, cuts) => {
        const bytes = Buffer.from(parts.join('\n'));
        const fitting = cuts.filter((cut) => cut <= bytes.length);
        expect(linesOf(bytes, fitting)).toEqual(linesOf(bytes, []));
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same lines together, in fewer texts', () => {
    const piece = fc.constantFrom('\n', '\r\n', '\r', 'a', 'é', '😀', 'some words');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(60)), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''));
        const fitting = cuts.filter((cut) => cut <= bytes.length);
        const given = linesOf(bytes, fitting, { together: true });
        expect(given.flatMap((text) => text.split('\n'))).toEqual(linesOf(bytes, []));
      }),
      { numRuns: 300 },
    );
    expect(linesOf(Buffer.from('a\r\nb\nc\nd'), [1, 8], { together: true })).toEqual(['a', 'b\nc', 'd']);
  });

  it('cuts a line that is too long, wherever its chunks end, and continues with the next', () => {
    const bytes = Buffer.from(`${'x'.repeat(100)}\nnext\n${'y'.repeat(50)}`);
    for (const cuts of [[], [5], [10, 11], [30, 60, 90], [99, 100, 101]]) {
      expect(linesOf(bytes, cuts, { longest: 10 })).toEqual(['x'.repeat(10), 'next', 'y'.repeat(10)]);
    }
  });

  it('replaces invalid UTF-8', () => {
    expect(linesOf(Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x62]), [])).toEqual(['a\ufffd\ufffd', 'b']);
  });

  it('keeps a character that two chunks share', () => {
    const bytes = Buffer.from('é€\n');
    expect(linesOf(bytes, [1, 3])).toEqual(['é€']);
  });
});
