import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/domain/config.ts';
import { boxAt, isWholeBox } from '../../helpers/boxed.ts';
import { hostOf } from '../../helpers/modules.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

/** A folder with a module in it, its state home with a key, and a file of yours beside. */
function placeWith(source: string, settings: Partial<Config['box']> = {}) {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  const stateHome = join(outside, 'state');
  const git = join(root, '.git');
  for (const folder of [stateHome, join(git, 'objects')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(stateHome, 'key'), 'the key');
  writeFileSync(join(outside, 'yours.txt'), 'yours');
  writeFileSync(join(root, 'notes.txt'), 'notes');
  writeFileSync(join(root, 'mine.mjs'), source);
  const box = boxAt({ root, stateHome, gitDir: git, commonDir: git, home: homedir(), settings });
  const boxed = hostOf(root, ['mine.mjs'], { stateHome, box: () => box });
  const ask = (input: unknown) => boxed.ask('mine.mjs', { kind: 'function', name: 'detect' }, input, 20_000);
  return { root, outside, stateHome, boxed, ask };
}

/** A module that does what it is told to, and reports what came of it. */
const DOER = `import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
export function detect({ read, write, folder }) {
  try {
    if (read) return { read: readFileSync(read, 'utf8') };
    writeFileSync(write ?? join(process.env.RALPH_MODULE_DATA, folder), 'written');
    return { written: true };
  } catch (error) {
    return { refused: error.code };
  }
}
`;

describe.skipIf(!isWholeBox)('a module in the box', () => {
  it('reads the repository', async () => {
    const { root, ask } = placeWith(DOER);
    expect(await ask({ read: 'notes.txt' })).toMatchObject({ value: { read: 'notes' } });
    expect(await ask({ read: join(root, 'notes.txt') })).toMatchObject({ value: { read: 'notes' } });
  });

  it('can not read the key, and a module in ralph could', async () => {
    const { root, stateHome, ask } = placeWith(DOER);
    const read = join(stateHome, 'key');
    expect(await ask({ read })).not.toMatchObject({ value: { read: 'the key' } });
    const inRalph = await import(pathToFileURL(join(root, 'mine.mjs')).href);
    expect(inRalph.detect({ read })).toEqual({ read: 'the key' });
  });

  it('writes neither the repository nor what is yours, and a module in ralph could', async () => {
    const { root, outside, stateHome, ask } = placeWith(DOER);
    for (const write of [
      join(root, 'new.txt'),
      join(root, '.git', 'config'),
      join(outside, 'new.txt'),
      join(stateHome, 'trust.json'),
    ]) {
      // In the home folder of the box it may, and that goes with it.
      await ask({ write });
      expect(existsSync(write)).toBe(false);
    }
    const inRalph = await import(pathToFileURL(join(root, 'mine.mjs')).href);
    expect(inRalph.detect({ write: join(outside, 'new.txt') })).toEqual({ written: true });
  });

  it('writes to its folder, which stays, and to what you opened', async () => {
    const { root, stateHome, ask } = placeWith(DOER, { writable: ['reports'] });
    mkdirSync(join(root, 'reports'));
    expect(await ask({ folder: 'mine.txt' })).toMatchObject({ value: { written: true } });
    expect(readFileSync(join(stateHome, 'module-data', 'mine.txt'), 'utf8')).toBe('written');
    expect(await ask({ write: 'reports/a.txt' })).toMatchObject({ value: { written: true } });
    expect(existsSync(join(root, 'reports', 'a.txt'))).toBe(true);
  });

  it('ends neither ralph nor the next call, whatever it does to the process', async () => {
    const { ask } = placeWith(
      `export function detect({ how }) {
         if (how === 'patch') JSON.parse = JSON.stringify = () => 'mine';
         if (how === 'exit') process.exit(3);
         if (how === 'kill') process.kill(process.pid, 'SIGKILL');
         return { pid: process.pid };
       }`,
    );
    for (const [how, outcome] of [
      ['patch', 'value'],
      ['exit', 'failed'],
      ['kill', 'failed'],
      ['none', 'value'],
    ])
      expect(await ask({ how })).toMatchObject({ kind: outcome });
    expect(process.pid).toBeGreaterThan(1);
  });

  it('is asked while nothing else happens in ralph, and a crash is an answer', async () => {
    const { boxed } = placeWith(
      `export default [{ name: 'mine', judge: ({ how }) => {
         if (how === 'hang') for (;;);
         if (how === 'kill') process.kill(process.pid, 'SIGKILL');
         return how;
       } }];`,
    );
    const rules = () => boxed.ask('mine.mjs', { kind: 'rules' }, null, 20_000);
    const judge = (how: string) => boxed.askNow('mine.mjs', { kind: 'judge', index: 0 }, { how }, 500);
    expect(await rules()).toEqual({ kind: 'value', value: [{ name: 'mine', judge: true }] });
    expect(judge('well')).toEqual({ kind: 'value', value: 'well' });
    expect(judge('hang')).toMatchObject({ why: 'gave no answer to judge() within 0.5 s and was ended' });
    expect(await rules()).toMatchObject({ kind: 'value' });
    expect(judge('well')).toEqual({ kind: 'value', value: 'well' });
    expect(judge('kill')).toMatchObject({ kind: 'failed', why: expect.stringContaining('was lost') });
    expect(await rules()).toMatchObject({ kind: 'value' });
    expect(judge('well')).toEqual({ kind: 'value', value: 'well' });
  });

  it.each([['off' as const], [['example.org']]])('answers with the network %j, too', async (network) => {
    const { boxed, ask } = placeWith(`${DOER}export default [{ name: 'mine', judge: () => 'said' }];`, {
      network,
    });
    expect(await ask({ read: 'notes.txt' })).toMatchObject({ value: { read: 'notes' } });
    const reply = boxed.askNow('mine.mjs', { kind: 'judge', index: 0 }, {}, 5_000);
    expect(reply).toEqual({ kind: 'value', value: 'said' });
  });

  it('leaves nothing when it is closed', async () => {
    const { stateHome, boxed, ask } = placeWith('export const detect = () => ({ here: import.meta.url });');
    expect(await ask({})).toMatchObject({ value: { here: expect.stringContaining(stateHome) } });
    await boxed.close();
    await vi.waitFor(() => expect(readdirSync(join(stateHome, 'box'))).toEqual([]));
  });
});
