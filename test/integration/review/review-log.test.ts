/** @module-tag slow */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLineLog } from '../../../src/store/line-log.ts';
import { bundle } from '../../helpers/bundle.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let driver = '';
beforeAll(async () => {
  driver = await bundle(new URL('../../helpers/review-driver.ts', import.meta.url));
});
let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

/** Reviews so many actions in a process of its own, and kills that once it has answered so many. */
function review(log: string, count: number, killAfter = Number.POSITIVE_INFINITY): Promise<string[]> {
  const child = spawn(process.execPath, ['--expose-gc', driver, log, String(count)]);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    if (output.split('\n').length > killAfter) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return new Promise((resolve) => child.on('close', () => resolve(output.trim().split('\n'))));
}

const numbersIn = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => Number((JSON.parse(line) as { call: string }).call));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('10,000 reviews in one run', () => {
  it('are all in the log, in their order, and memory stays what it was', async () => {
    const log = join(folder, 'reviews.jsonl');
    const output = await review(log, 10_000);
    const text = readFileSync(log, 'utf8');
    expect(numbersIn(text)).toEqual(upTo(10_000));
    const end = JSON.parse(output.at(-1) ?? '') as Record<string, number> & {
      numbers: Record<string, number>;
    };
    expect(end.lines).toBe(10_000);
    expect(end.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(end.numbers).toMatchObject({ total: 10_000, blocked: 2000 });
    expect(end.late ?? 0).toBeLessThan((end.early ?? 0) + 16);
  });

  it.each([1, 40, 777])('none is lost when the loop is killed after %i answers', async (killAfter) => {
    const log = join(folder, 'reviews.jsonl');
    const answered = (await review(log, 10_000, killAfter)).filter((line) => /^\d+$/.test(line)).length;
    const logged = numbersIn(readFileSync(log, 'utf8'));
    expect(answered).toBeGreaterThanOrEqual(killAfter);
    expect(logged).toEqual(upTo(logged.length));
    expect(logged.length).toBeGreaterThanOrEqual(answered);
  });
});

describe('a log of lines', () => {
  const log = () => join(folder, 'own', 'log.jsonl');
  beforeEach(() => mkdirSync(join(folder, 'own')));

  it('is made with its first line', () => {
    const lines = openLineLog(log(), 'the log');
    expect(lines.written()).toMatchObject({ lines: 0 });
    lines.close();
    expect(() => readFileSync(log())).toThrow('ENOENT');
  });

  it.each<[string, () => void]>([
    ['removed', () => rmSync(log())],
    ['removed with its folder', () => rmSync(join(folder, 'own'), { recursive: true })],
    ['moved away', () => renameSync(log(), join(folder, 'elsewhere'))],
    [
      'replaced',
      () => {
        rmSync(log());
        writeFileSync(log(), 'nothing happened\n');
      },
    ],
  ])('is whole where it was %s meanwhile', (_, happens) => {
    const lines = openLineLog(log(), 'the log');
    lines.append('{"id":1}');
    happens();
    lines.append('{"id":2}');
    const text = '{"id":1}\n{"id":2}\n';
    expect(lines.written()).toEqual({ lines: 2, sha256: createHash('sha256').update(text).digest('hex') });
    lines.close();
    expect(readFileSync(log(), 'utf8')).toBe(text);
  });
});
