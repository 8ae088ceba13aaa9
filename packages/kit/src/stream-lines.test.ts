import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamLines } from './stream-lines.ts';

const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const KEY = `-----BEGIN PRIVATE KEY-----\nMIIabc\nMIIdef\n-----END PRIVATE KEY-----`;

function shown(pieces: readonly string[], secrets: readonly string[] = []): string[] {
  const lines = streamLines(secrets);
  return [...pieces.flatMap((piece) => lines.push(piece)), ...lines.end()];
}

describe('lines of a stream', () => {
  it.each([
    ['whole lines', ['one\ntwo\n'], ['one', 'two']],
    ['a line in pieces', ['o', 'n', 'e\ntw', 'o'], ['one', 'two']],
    ['lines written over themselves', ['10 %\r50 %\r\ndone'], ['10 %', '50 %', 'done']],
    ['other line ends', ['a\u2028b\u0085c'], ['a', 'b', 'c']],
    ['an escape sequence in two pieces', ['a\u001b', '[2Jb\n'], ['ab']],
    ['an open title', ['a\u001b]0;x\nb'], ['a', 'b']],
    ['nothing', ['', ''], []],
  ])('%s', (_name, pieces, expected) => {
    expect(shown(pieces)).toEqual(expected);
  });

  it('hides a secret wherever the pieces are cut', () => {
    const text = `before ${TOKEN} after my-own-secret\n${KEY}\nend`;
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.toSorted((one, other) => one - other), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        const [first, ...rest] = shown(pieces, ['my-own-secret']);
        expect(first).toBe('before [redacted] after [redacted]');
        expect(rest.at(-1)).toBe('end');
        expect(rest.join('\n')).not.toMatch(/MII/);
      }),
    );
  });

  it('hides a secret that unseen characters break up', () => {
    expect(shown([`${TOKEN.slice(0, 9)}\u200b${TOKEN.slice(9)}\n`])).toEqual(['[redacted]']);
  });

  it('cuts what is too long, and says how much', () => {
    const [line = '', ...others] = shown(['x'.repeat(50_000), 'y'.repeat(50_000)]);
    expect(line).toBe(`${'x'.repeat(2000)}… (98000 more characters)`);
    expect(others).toEqual([]);
  });
});
