import { appendFileSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCopyLog } from '../../../src/io/git/protect/copy-log.ts';
import { openObjectCopies } from '../../../src/io/git/protect/object-copies.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

describe('contents in one file', () => {
  const entries = [
    ['a', Buffer.from('one\n')],
    ['b', Buffer.alloc(0)],
    ['c', Buffer.from([0, 10, 255, 10])],
    ['d', Buffer.from('e 5\nother')],
  ] as const;

  it.each(['', 'f', 'f 4', 'f 4\n', 'f 4\nxyz', '\n\n', 'f 4 4\n'])(
    'are read again, whatever was begun behind them: %j',
    (rest) => {
      const path = join(folder, 'log');
      const first = openCopyLog(path);
      for (const [name, bytes] of entries) first.add(name, bytes);
      first.close();
      appendFileSync(path, rest);
      const again = openCopyLog(path);
      again.add('last', Buffer.from('last\n'));
      again.close();
      const third = openCopyLog(path);
      expect([...third.names()]).toEqual(['a', 'b', 'c', 'd', 'last']);
      for (const [name, bytes] of entries) expect(third.read(name)?.equals(bytes)).toBe(true);
      expect(third.read('last')?.toString()).toBe('last\n');
      expect(third.read('f')).toBeNull();
      third.close();
    },
  );

  it('are not looked for in what is no such file', () => {
    mkdirSync(join(folder, 'log'));
    expect(() => openCopyLog(join(folder, 'log'))).toThrow('EISDIR');
  });
});

describe('where there is no room for copies', () => {
  it('a second name keeps what is deleted or replaced, and a copy also what is overwritten', () => {
    const [small, large] = ['small', 'large'].map((name) => join(folder, name)) as [string, string];
    writeFileSync(small, 'ten bytes\n');
    writeFileSync(large, 'eleven bytes');
    const copies = openObjectCopies(join(folder, 'copies'), 15);
    for (const path of [small, large]) copies.keep(path === small ? 'small' : 'large', path, null);
    expect([lstatSync(small).nlink, lstatSync(large).nlink]).toEqual([1, 2]);
    for (const path of [small, large]) writeFileSync(path, 'other');
    expect([copies.isSame('small', small), copies.isSame('large', large)]).toEqual([false, true]);
    expect(copies.put('small', small)).toBe(true);
    expect(readFileSync(small, 'utf8')).toBe('ten bytes\n');
    rmSync(large);
    expect(copies.put('large', large)).toBe(true);
    expect(readFileSync(large, 'utf8')).toBe('other');
    copies.close();
  });
});
