import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../src/git/copies/below.ts';
import { timeInCopy } from '../../../src/git/copies/slot.ts';
import { parseWalk } from '../../../src/git/copies/walk.ts';

describe('the time of a file in a copy', () => {
  it.each<[what: string, mtime: number, ctime: number, built: readonly number[], time: number]>([
    ['nothing is built', 10, 20, [], 10],
    ['all is built before it', 10, 10, [5, 6], 10],
    ['all is built after it was last touched', 10, 20, [30, 40], 10],
    ['something is built before it was put back with its old time', 10, 20, [5, 15, 30], 20],
    ['something is built at the moment in which it was put back', 10, 20, [20], 20],
    ['something is built as it was written', 10, 10, [10], 10],
  ])('%s', (_what, mtime, ctime, built, time) => {
    expect(timeInCopy({ mtime, ctime }, built)).toBe(time);
  });
});

describe('what differs between two looks', () => {
  const look = (...lines: string[]) => parseWalk(lines.map((line) => `${line}\0`).join(''));
  const before = look('d - ./a', 'f 1 ./a/one', 'f 2 ./a/two', 'd - ./b', 'f 3 ./b/three');

  it.each<[what: string, now: ReturnType<typeof look>, gone: readonly string[], added: readonly string[]]>([
    ['nothing', before, [], []],
    ['the order alone', look('d - ./b', 'f 3 ./b/three', 'd - ./a', 'f 2 ./a/two', 'f 1 ./a/one'), [], []],
    [
      'another file in its place',
      look('d - ./a', 'f 9 ./a/one', 'f 2 ./a/two', 'd - ./b', 'f 3 ./b/three'),
      [],
      ['a/one'],
    ],
    ['a folder is gone', look('d - ./a', 'f 1 ./a/one', 'f 2 ./a/two'), ['b'], []],
    [
      'a folder is new, with what lies in it',
      look('d - ./a', 'f 1 ./a/one', 'f 2 ./a/two', 'd - ./b', 'f 3 ./b/three', 'd - ./a/c', 'f 4 ./a/c/d e'),
      [],
      ['a/c'],
    ],
    ['a file stands where a folder was', look('d - ./a', 'f 1 ./a/one', 'f 2 ./a/two', 'f 5 ./b'), [], ['b']],
    [
      'the mode of a folder alone',
      look('d 755 ./a', 'f 1 ./a/one', 'f 2 ./a/two', 'd - ./b', 'f 3 ./b/three'),
      [],
      [],
    ],
  ])('%s', (_what, now, gone, fresh) => {
    expect(changesBetween(before, now)).toEqual({ removed: gone, added: fresh });
  });
});
