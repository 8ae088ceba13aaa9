import { closeSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openLog } from 'ralph-kit/files/open-log';
import { keepEnds } from 'ralph-kit/programs/output/read-tail';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/helpers/repository.ts';

function kept(text: string, ends: number): string {
  const path = join(temporaryFolder(), 'output.log');
  const log = openLog(path);
  writeSync(log, text);
  keepEnds(log, ends);
  closeSync(log);
  return readFileSync(path, 'utf8');
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${String(from + at).padStart(3, '0')}\n`).join('');

it('leaves whole lines out of the middle of a long log, and says how much', () => {
  const note = 'ralph: 891 bytes of the output are left out here.\n';
  expect(kept(lines(0, 99) + lines(0, 99).slice(0, -1), 50)).toMatch(
    /^line 000\n.*left out here\.\n.*line 099$/s,
  );
  expect(kept(lines(1, 108), 45)).toBe(`${lines(1, 5)}${note.replace('891', '891')}${lines(105, 108)}`);
});

it('leaves a log alone that is short enough', () => {
  expect(kept(lines(1, 10), 45)).toBe(lines(1, 10));
});

it('keeps the ends of one endless line', () => {
  expect(kept('x'.repeat(1000), 10)).toMatch(
    /^x{10}ralph: 980 bytes of the output are left out here\.\nx{10}$/,
  );
});
