import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { foldError } from './fold-error.ts';

describe('foldError', () => {
  it.each([
    [
      'ENOENT: no such file or directory, open /repo/a/b.ts',
      'ENOENT: no such file or directory, open <path>',
    ],
    ["Cannot find module './parser.js' from 'src/x.ts'", 'Cannot find module <path> from <path>'],
    ['src/a.ts(12,5): error TS2304: Cannot find name "x".', '<path>: error TS#: Cannot find name x.'],
    ['src/a.ts:12:5 - error', '<path> - error'],
    ['parser.ts is not there', '<path> is not there'],
    ['C:\\work\\a.ts is locked', '<path> is locked'],
    ['took 1.25s, 300 ms, at 12:30:01', 'took #s, # ms, at #:#'],
    ['commit 9fceb02d0ae598 is gone', 'commit <hash> is gone'],
    ['at 0x7ffee3b0', 'at <hash>'],
    ['id 123e4567-e89b-12d3-a456-426614174000', 'id <hash>'],
    ['a   b\n\n\tc\u001b[31md\u001b[0m', 'a b cd'],
    ['say `x` and “y”', 'say x and y'],
    [`key ${'QUJD'.repeat(16)} end`, 'key <long> end'],
    ['String to replace not found in file.', 'String to replace not found in file.'],
  ])('%s', (text, expected) => {
    expect(foldError(text)).toBe(expected);
  });

  it.each([
    '',
    '  \n',
    'Exit code 1',
    'exit status 2',
    'Error: Exit code 127',
    'Command failed with exit code 1.',
    'error',
  ])('has nothing to say of "%s"', (text) => {
    expect(foldError(text)).toBe('');
  });

  it('keeps what was said besides the exit code', () => {
    expect(foldError('Exit code 1\nTypeError: x is undefined')).toBe('Exit code # TypeError: x is undefined');
  });

  it('distinguishes different errors', () => {
    expect(foldError('Cannot find name "left"')).not.toBe(foldError('Cannot find name "right"'));
  });

  it('takes the beginning of what is long, in whole words', () => {
    const folded = foldError('word '.repeat(100_000));
    expect(folded).toMatch(/^(?:word ){59}word$/);
  });

  const parts = fc.constantFrom(
    ...[
      '/a/b.ts',
      'a.ts:1:2',
      '12',
      '1.5',
      'deadbeef1',
      '"',
      "'",
      '`',
      '(',
      ')',
      '<',
      '>',
      ':',
      '.',
      '\n',
      ' ',
      'Exit',
      'code',
    ],
    ...['word', '#', '\u001b[1m', '\\', 'é', '0x1f', 'x'.repeat(70), '<path>', ',', '-'],
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(parts, { maxLength: 200 }).map((some) => some.join('')),
  );

  test('folding twice changes nothing more, and the result is short and has no digits', () => {
    fc.assert(
      fc.property(text, (error) => {
        const folded = foldError(error);
        expect(foldError(folded)).toBe(folded);
        expect(folded.length).toBeLessThanOrEqual(300);
        expect(folded).not.toMatch(/[0-9\n"'`]/);
      }),
      { numRuns: 2000 },
    );
  });

  test('numbers, line numbers and hashes make no difference', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        const error = (n: number) =>
          `src/f${n}.ts:${n}:${n} - error ${n} in ${(n + 2 ** 33).toString(16)}a1b`;
        expect(foldError(error(one))).toBe(foldError(error(other)));
      }),
    );
  });
});
