import { describe, expect, it } from 'vitest';
import { cleanText } from './output/read-tail.ts';
import { parsePs, parseStat } from './table/process-table.ts';

describe('cleanText', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['cursor movements', 'a\u001b[2K\u001b[1Gb', 'ab'],
    ['a title', '\u001b]0;title\u0007text', 'text'],
    ['a link', '\u001b]8;;https://example.com\u001b\\name\u001b]8;;\u001b\\', 'name'],
    ['a character set', '\u001b(Btext', 'text'],
    ['an 8-bit sequence', '\u009b31mred', 'red'],
    ['control characters', 'a\u0000\u0008\u007fb\tc\nd', 'ab\tc\nd'],
    ['line ends of Windows', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['a progress line', '10%\r50%\r100%\ndone', '100%\ndone'],
    ['an escape at the end', 'text\u001b', 'text'],
    ['ordinary text', 'grüße ✓ 日本', 'grüße ✓ 日本'],
  ])('removes %s', (_name, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });
});

describe('parseStat', () => {
  const after = 'S 1 42 7 0 -1 4194560 1 2 3 4 10 5 20 1 20 0 1 0 98765 0 0';

  it('reads a process', () => {
    expect(parseStat(`42 (node) ${after}\n`)).toEqual({
      pid: 42,
      parent: 1,
      group: 42,
      session: 7,
      started: '98765',
      zombie: false,
      cpuMs: { own: 150, children: 210 },
    });
  });
  it.each(['a b', ') S 9 9 9', '(', 'new\nline)'])('is not misled by the name %j', (name) => {
    expect(parseStat(`42 (${name}) ${after}`)).toMatchObject({ pid: 42, parent: 1, session: 7 });
  });
  it('knows a zombie', () => {
    expect(parseStat(`42 (x) ${after.replace('S', 'Z')}`)?.zombie).toBe(true);
  });
  it.each(['', 'x', '42 (x) S 1'])('gives nothing for %j', (text) => {
    expect(parseStat(text)).toBeNull();
  });
});

describe('parsePs', () => {
  it('reads the lines that are processes', () => {
    const text =
      '    1     0     1 Ss   Mon Mar  3 09:00:00 2025\n  77     1    70 Z+   Mon Mar  3 09:01:00 2025  \nnoise\n';
    expect(parsePs(text)).toEqual([
      {
        pid: 1,
        parent: 0,
        group: 1,
        session: 0,
        started: 'Mon Mar  3 09:00:00 2025',
        zombie: false,
        cpuMs: null,
      },
      {
        pid: 77,
        parent: 1,
        group: 70,
        session: 0,
        started: 'Mon Mar  3 09:01:00 2025',
        zombie: true,
        cpuMs: null,
      },
    ]);
  });
});
