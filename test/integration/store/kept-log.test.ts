import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addToKeptLog, olderLogOf } from '../../../src/store/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

it('a log that stays keeps the newest lines, in two private files', () => {
  const folder = join(temporaryFolder(), 'state');
  const path = join(folder, 'log.jsonl');
  const line = (index: number) => `${index} ${'x'.repeat(100_000)}`;
  for (let index = 0; index < 50; index += 1) addToKeptLog(path, line(index));
  expect(readdirSync(folder).sort()).toEqual(['log.1.jsonl', 'log.jsonl']);
  const kept = [olderLogOf(path), path].map((each) => readFileSync(each, 'utf8')).join('');
  expect(kept.length).toBeLessThan(2_400_000);
  const numbers = kept
    .trimEnd()
    .split('\n')
    .map((each) => Number(each.split(' ')[0]));
  expect(numbers.at(-1)).toBe(49);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect(statSync(path).mode & 0o077).toBe(0);
});

it('is never written through a link', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'state'));
  writeFileSync(join(folder, 'mine'), 'mine');
  symlinkSync(join(folder, 'mine'), join(folder, 'state', 'log.jsonl'));
  expect(() => addToKeptLog(join(folder, 'state', 'log.jsonl'), 'x')).toThrow('cannot be written');
  expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
});
