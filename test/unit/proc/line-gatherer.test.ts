import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatherLines } from '../../../src/io/proc/line-gatherer.ts';
import { splitLines } from '../../../src/io/proc/line-splitter.ts';

/** What is given of these chunks when everything has been read behind some of them; one buffer serves for all. */
function given(chunks: readonly Buffer[], pauses: readonly boolean[], held?: number): string[] {
  const texts: string[] = [];
  const gatherer = gatherLines((text) => texts.push(text), held);
  const shared = Buffer.alloc(Math.max(1, ...chunks.map((chunk) => chunk.length)));
  chunks.forEach((chunk, index) => {
    chunk.copy(shared);
    gatherer.push(shared.subarray(0, chunk.length));
    if (pauses[index] === true) gatherer.flush();
  });
  gatherer.end();
  return texts;
}

function linesOf(bytes: Buffer): string[] {
  const lines: string[] = [];
  const splitter = splitLines((line) => lines.push(line));
  splitter.push(bytes);
  splitter.end();
  return lines;
}

const piece = fc.oneof(
  fc.constantFrom('\n', '\r\n', '\r', 'a', 'é', '€', '😀', 'some words'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const chunked = fc
  .record({ text: fc.array(piece, { maxLength: 20 }), cuts: fc.array(fc.nat(80), { maxLength: 6 }) })
  .map(({ text, cuts }) => {
    const bytes = Buffer.from(text.join(''));
    const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b);
    return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
  });

describe('gatherLines', () => {
  it('gives the same lines as one by one, however the bytes come', () => {
    fc.assert(
      fc.property(chunked, fc.array(fc.boolean()), (chunks, pauses) => {
        const together = given(chunks, pauses).join('\n').split('\n');
        const expected = linesOf(Buffer.concat(chunks));
        expect(expected.length === 0 ? [''] : expected).toEqual(together);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the end of what comes too fast', () => {
    fc.assert(
      fc.property(chunked, fc.array(fc.boolean()), (chunks, pauses) => {
        const held = 12;
        const bytes = Buffer.concat(chunks);
        const all = linesOf(bytes).join('\n');
        const texts = given(chunks, pauses, held);
        const last = texts.join('\n');
        // The cut may stand inside of a character, of which three bytes are left at most.
        const end = last.slice(-(held - 3) / 3);
        expect(all.endsWith(end)).toBe(true);
        if (bytes.length <= held / 3) expect(last).toBe(all);
      }),
      { numRuns: 300 },
    );
  });

  it('gives nothing where nothing came', () => {
    expect(given([], [])).toEqual([]);
    expect(given([Buffer.from('no end yet')], [true])).toEqual(['no end yet']);
  });
});
