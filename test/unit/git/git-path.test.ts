import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytePath,
  foldersAbove,
  isWithin,
  parsePath,
  pathBytes,
  printPath,
} from '../../../src/git/call/git-path.ts';

const path = (text: string) => bytePath(Buffer.from(text, 'utf8'));

describe('printPath', () => {
  it.each([
    ['src/a.ts', Buffer.from('src/a.ts')],
    ['ünï/日本', Buffer.from('ünï/日本')],
    ['new\nline', Buffer.from('new\nline')],
    ['"c\\351"', Buffer.from([0x63, 0xe9])],
    ['"\\"q\\"\\t\\\\"', Buffer.from('"q"\t\\')],
  ])('gives %j', (text, bytes) => {
    expect(printPath(bytePath(bytes))).toBe(text);
  });

  it('has a way back for any bytes, and never gives one text for two names', () => {
    const names = fc.uint8Array({ minLength: 1 }).filter((bytes) => !bytes.includes(0));
    fc.assert(
      fc.property(names, (bytes) => {
        const name = Buffer.from(bytes);
        expect(pathBytes(parsePath(printPath(bytePath(name))))).toEqual(name);
      }),
      { numRuns: 300 },
    );
  });
});

describe('parsePath', () => {
  it.each([
    ['"', '"'],
    ['"half', '"half'],
    ['"bad \\x escape"', '"bad \\x escape"'],
    ['"plain"', 'plain'],
  ])('reads %j as %j', (text, name) => {
    expect(pathBytes(parsePath(text)).toString('utf8')).toBe(name);
  });
});

it('foldersAbove names every folder, outermost first', () => {
  expect(foldersAbove(path('a/b/c.txt'))).toEqual(['a', 'a/b']);
  expect(foldersAbove(path('c.txt'))).toEqual([]);
});

it.each([
  ['a', 'a', true],
  ['a/b', 'a', true],
  ['ab', 'a', false],
  ['b/a', 'a', false],
])('isWithin(%j, %j) is %j', (inner, folder, expected) => {
  expect(isWithin(path(inner), path(folder))).toBe(expected);
});
