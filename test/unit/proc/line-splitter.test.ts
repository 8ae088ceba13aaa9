import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONG_RESULT, RESULTS_READ } from '../../../src/domain/agent.ts';
import { splitLines } from '../../../src/io/proc/line-splitter.ts';

/** All lines of this text, given in chunks that end at these places; one buffer serves for all chunks. */
function linesOf(bytes: Buffer, cuts: readonly number[], longest?: number): string[] {
  const lines: string[] = [];
  const splitter = splitLines((line) => lines.push(line), longest === undefined ? {} : { longest });
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

  it('cuts a line that is too long, wherever its chunks end, and goes on with the next', () => {
    const bytes = Buffer.from(`${'x'.repeat(100)}\nnext\n${'y'.repeat(50)}`);
    for (const cuts of [[], [5], [10, 11], [30, 60, 90], [99, 100, 101]]) {
      expect(linesOf(bytes, cuts, 10)).toEqual(['x'.repeat(10), 'next', 'y'.repeat(10)]);
    }
  });

  it('replaces invalid UTF-8', () => {
    expect(linesOf(Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x62]), [])).toEqual(['a\ufffd\ufffd', 'b']);
  });

  it('keeps a character that two chunks share', () => {
    const bytes = Buffer.from('é€\n');
    expect(linesOf(bytes, [1, 3])).toEqual(['é€']);
  });

  it('leaves out the lines that are unread, wherever their chunks end', () => {
    const kept = [
      '{"type":"user"}',
      ' {"type":"user",',
      '{"type":"use',
      'x{"type":"user",',
      '',
      '{"type":"x",é',
    ];
    const unread = ['{"type":"user",', '{"type":"user","message":{"content":"'.padEnd(60, 'x')];
    const bytes = Buffer.from(kept.flatMap((line, index) => [line, unread[index % 2]]).join('\n'));
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const lines: string[] = [];
      const splitter = splitLines((line) => lines.push(line), { unread: ['nothing', '{"type":"user",'] });
      splitter.push(bytes.subarray(0, cut));
      splitter.push(bytes.subarray(cut));
      splitter.end();
      expect(lines).toEqual(kept);
    }
  });

  it('leaves out results that are long, and gives short ones', () => {
    const result = (length: number) => `{"type":"user","x":"${'r'.repeat(length)}"}`;
    const lines: string[] = [];
    const splitter = splitLines((line) => lines.push(line), { unreadWhenLong: ['{"type":"user",'] });
    splitter.push(Buffer.from([result(10), result(LONG_RESULT), 'y'.repeat(LONG_RESULT + 1), ''].join('\n')));
    expect(lines.map((line) => line.length)).toEqual([result(10).length, LONG_RESULT + 1]);
  });

  it('gives results no more when there were very many', () => {
    const line = `{"type":"user","x":"${'r'.repeat(LONG_RESULT / 2)}"}`;
    let given = 0;
    const splitter = splitLines(() => (given += 1), { unreadWhenLong: ['{"type":"user",'] });
    const many = Math.ceil((2 * RESULTS_READ) / line.length);
    for (let index = 0; index < many; index += 1) splitter.push(Buffer.from(`${line}\n`));
    splitter.push(Buffer.from('{"type":"assistant"}\n'));
    expect(given).toBe(Math.floor(RESULTS_READ / line.length) + 2);
  });
});
