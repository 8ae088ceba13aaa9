import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { columnsOf, fitWidth as cutTo, displayWidth } from './columns.ts';
import {
  escapeUnseen,
  firstFew,
  onOneLine,
  pathText,
  quotedNames,
  stripControl,
  tail,
  visible,
} from './text.ts';

describe('stripControl', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['cursor movement', 'a\u001b[2J\u001b[10;10Hb', 'ab'],
    ['a window title', '\u001b]0;owned\u0007text', 'text'],
    ['a link', '\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['an unfinished string ends at its line', 'a\u001b]0;title\nsecond', 'a\nsecond'],
    ['a device string', '\u001bP1$r0m\u001b\\x', 'x'],
    ['eight-bit sequences', '\u009b31mred', 'red'],
    ['a charset switch', '\u001b(0lq\u001b(B', 'lq'],
    ['a bell, a backspace and a NUL', 'a\u0007b\u0008c\u0000d', 'abcd'],
    ['progress written over itself', '10 %\r50 %\r\ndone', '10 %\n50 %\ndone'],
    ['marks that reorder text', 'safe\u202egnp.exe\u2066', 'safegnp.exe'],
    ["characters that can't be seen", 'a\u200bb\u2060c\ufeffd\u00ade\u{e0041}f', 'abcdef'],
    ['a joiner outside of emoji', 'a\u200db 👩\u200d💻 👩\u200d', 'ab 👩\u200d💻 👩'],
    [
      'selectors outside of emoji',
      'a\ufe0fb\u{e0100} ❤\ufe0f 1\ufe0f⃣ 🏳\ufe0f\u200d🌈',
      'ab ❤\ufe0f 1\ufe0f⃣ 🏳\ufe0f\u200d🌈',
    ],
    ['more selectors than an emoji has', '❤\ufe0f\ufe0e\ufe0f', '❤\ufe0f'],
    ['nothing of ordinary text', 'tab\tline\nä 漢 🎉', 'tab\tline\nä 漢 🎉'],
    ['a sequence that only appears when another is taken out', '\u001b\u001b[0m[31mx', '[31mx'],
  ])('takes out %s', (_, text, expected) => {
    expect(stripControl(text)).toBe(expected);
  });

  it('leaves no control character but line feed and tab, whatever comes in', () => {
    const piece = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '0',
      ';',
      'm',
      '\u0007',
      '\\',
      'P',
      '\u009b',
      '\u009d',
      '\r',
      '\n',
      'x',
      '\u0085',
      '\u202e',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary-ascii', maxLength: 5 })), { maxLength: 30 }),
        (parts) => {
          const clean = stripControl(parts.join(''));
          expect(clean).not.toMatch(/(?![\n\t])\p{Cc}/u);
          expect(stripControl(clean)).toBe(clean);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Everything that no output of ralph's holds, but for what is in an emoji. */
const HIDDEN =
  /[\u202a-\u202e\u2066-\u2069\u200b\u200c\u200e\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]|\u034f/u;

describe('what is shown of names', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', 'src/a.ts'],
    ['ä 漢 🎉/👩\u200d💻.md', 'ä 漢 🎉/👩\u200d💻.md', 'ä 漢 🎉/👩\u200d💻.md'],
    ['safe\u202egnp.exe', 'safe\\u202egnp.exe', 'safegnp.exe'],
    ['a\u200b\u{e0041}.ts', 'a\\u200b\\udb40\\udc41.ts', 'a.ts'],
    ['a\n\tb\u001b[2J', 'a\\n\\tb\\u001b[2J', 'a\\n\\tb'],
  ])('%j is %s as a path, and %s as a text', (name, path, text) => {
    expect([pathText(name), onOneLine(name)]).toEqual([path, text]);
    expect(pathText(path)).toBe(path);
  });

  it('holds nothing hidden, whatever comes in', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(...'\u202e\u2066\u200b\u200d\u200f\u2060\ufeff\u{e0041}\ufe0f\u034f👩❤1'),
            fc.string({ unit: 'binary', maxLength: 1 }),
          ),
        }),
        (name) => {
          for (const shown of [pathText(name), onOneLine(name), stripControl(name)])
            expect(shown).not.toMatch(HIDDEN);
          expect(stripControl(stripControl(name))).toBe(stripControl(name));
        },
      ),
    );
  });
});

describe('tail', () => {
  it('gives back what fits', () => {
    expect(tail('one\ntwo', 7)).toBe('one\ntwo');
    expect(tail('', 0)).toBe('');
  });

  it.each([
    [
      'begins at the start of a line',
      'first line\nsecond\nthird',
      14,
      '[… 11 characters cut]\nsecond\nthird',
    ],
    ['keeps a line that just fits', 'first line\nsecond\nthird', 12, '[… 11 characters cut]\nsecond\nthird'],
    ['cuts a line that is too long', 'x'.repeat(10), 4, '[… 6 characters cut]\nxxxx'],
    [
      'prefers half a line to almost nothing',
      `${'x'.repeat(20)}\nend`,
      12,
      '[… 12 characters cut]\nxxxxxxxx\nend',
    ],
    ['never halves a character', 'aa🎉bb', 3, '[… 4 characters cut]\nbb'],
    ['may keep nothing', 'abc', 0, '[… 3 characters cut]\n'],
  ])('%s', (_, text, limit, expected) => {
    expect(tail(text, limit)).toBe(expected);
  });

  it('keeps an end of the text within the limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', 'é'), maxLength: 80 }),
        fc.nat(60),
        (text, limit) => {
          const kept = tail(text, limit).replace(/^\[… \d+ characters cut\]\n/, '');
          expect(text.endsWith(kept)).toBe(true);
          expect(kept.length).toBeLessThanOrEqual(Math.max(limit, text.length <= limit ? text.length : 0));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('displayWidth and fit', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['漢字', 4],
    ['한국', 4],
    ['e\u0301', 1],
    ['🎉', 2],
    ['👩‍👩‍👧', 2],
    ['ﬁ', 1],
    ['…', 1],
    ['120 × 3.0 – “é”', 15],
    ['a\u00adb', 2],
    ['a\u200bb', 2],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 5, 'too …'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 6, '漢字…'],
    ['e\u0301e\u0301e\u0301', 2, '\u00e9…'],
    ['anything', 1, '…'],
    ['anything', 0, ''],
  ])('fits %j into %i columns', (text, width, expected) => {
    expect(cutTo(text, width)).toBe(expected);
  });

  it('agrees with the library about what is passed over quickly', () => {
    const quick = fc.stringMatching(
      /^[ -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u2193\u2500-\u257f\u25a0\u25cf\u2713-\u2718]*$/,
    );
    fc.assert(
      fc.property(quick, (text) => {
        expect(displayWidth(text)).toBe(stringWidth(text));
      }),
      { numRuns: 300 },
    );
  });

  it('never takes more columns than it was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.nat(20), (text, width) => {
        expect(displayWidth(cutTo(text, width))).toBeLessThanOrEqual(width);
      }),
      { numRuns: 100 },
    );
  });
});

describe('visible', () => {
  it.each([
    ['npm test -- --grep "a b"', 'npm test -- --grep "a b"'],
    ['clear\u001b[2J', '"clear\\u001b[2J"'],
    ['a\nb', '"a\\nb"'],
    ['a\u202eb\u200bc\u{e0041}', '"a\\u202eb\\u200bc\\udb40\\udc41"'],
    ['say "hi"\u0007', '"say \\"hi\\"\\u0007"'],
  ])('%j is shown as %s', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it('changes no value of a JSON document', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = escapeUnseen(JSON.stringify([text], null, 2));
        expect(JSON.parse(json)).toEqual([text]);
        expect(stripControl(json)).toBe(json);
      }),
    );
  });
});

describe('columnsOf', () => {
  it('loses nothing, and keeps each piece within the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 30 }), (text, width) => {
        const pieces = columnsOf(text, width);
        expect(pieces.join('')).toBe(text.normalize());
        for (const piece of pieces) expect(displayWidth(piece)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('firstFew', () => {
  it.each([
    ['nothing of nothing', [], 3, ''],
    ['one', ['a'], 3, 'a'],
    ['as many as there may be', ['a', 'b', 'c'], 3, 'a, b, c'],
    ['one more', ['a', 'b', 'c', 'd'], 3, 'a, b, c and 1 more'],
    ['many more', ['a', 'b', 'c', 'd'], 1, 'a and 3 more'],
  ])('names %s', (_, items, most, expected) => {
    expect(firstFew(items, most)).toBe(expected);
  });
});

describe('quotedNames', () => {
  it.each([
    [[], ''],
    [['test'], '"test"'],
    [['test', 'unit tests'], '"test", "unit tests"'],
  ])('%j is %s', (names, expected) => {
    expect(quotedNames(names)).toBe(expected);
  });
});
