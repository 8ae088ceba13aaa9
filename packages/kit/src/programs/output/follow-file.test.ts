import { appendFileSync, closeSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followFile } from 'ralph-kit/programs/output/follow-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/helpers/repository.ts';
import { virtualClock } from '../../../../../test/helpers/virtual-clock.ts';

let folder = '';
let path = '';
let file = -1;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'log');
  writeFileSync(path, '');
  file = openSync(path, 'r');
});
afterEach(() => {
  closeSync(file);
});

function follow() {
  const heard: string[] = [];
  const clock = virtualClock();
  const listener = {
    onChunk: (chunk: Uint8Array) => heard.push(Buffer.from(chunk).toString()),
    onBreak: () => heard.push('|'),
  };
  const follower = followFile(file, listener, clock);
  return { heard, look: () => clock.pass(50), finish: follower.finish };
}

describe('a followed file', () => {
  it('is read as it grows, and to its end', async () => {
    const { heard, look, finish } = follow();
    await look();
    appendFileSync(path, 'one ');
    await look();
    await look();
    appendFileSync(path, 'two');
    expect(await finish()).toEqual({ bytes: 7, cuts: 0, skipped: 0 });
    expect(heard).toEqual(['one ', 'two']);
  });

  it.each([
    ['shorter than what was read', 'new'],
    ['longer than what was read', 'this is more than there was before'],
  ])('that is cut and written anew, %s, is read from its new beginning', async (_name, text) => {
    const { heard, look, finish } = follow();
    appendFileSync(path, 'before the cut');
    await look();
    writeFileSync(path, text);
    expect(await finish()).toEqual({ bytes: 14 + text.length, cuts: 1, skipped: 0 });
    expect(heard).toEqual(['before the cut', '|', text]);
  });

  it("whose beginning is longer than what distinguishes it doesn't count as a cut one", async () => {
    const { look, finish } = follow();
    for (let round = 0; round < 20; round += 1) {
      appendFileSync(path, 'x'.repeat(round * 3));
      await look();
    }
    expect(await finish()).toMatchObject({ bytes: 570, cuts: 0 });
  });

  it('that is stretched without being written is read at its end alone', async () => {
    const { heard, look, finish } = follow();
    appendFileSync(path, 'begin\n');
    await look();
    const size = 2 ** 40;
    truncateSync(path, size);
    appendFileSync(path, 'end\n');
    const { skipped, bytes } = await finish();
    expect(skipped).toBeGreaterThan(size - 2 ** 25);
    expect(skipped + bytes).toBe(size + 4);
    expect(heard.slice(0, 2)).toEqual(['begin\n', '|']);
    expect(heard.at(-1)?.endsWith('\0end\n')).toBe(true);
  });
});
