import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/domain/config.ts';
import { boxAt, isWholeBox } from '../../helpers/boxed.ts';
import { eventually } from '../../helpers/eventually.ts';
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
  const ask = (input: unknown) =>
    boxed.ask('mine.mjs', { kind: 'function', name: 'detect' }, input, { wallMs: 20_000 });
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

  it.each([['off' as const], [['example.org']]])('answers with the network %j, too', async (network) => {
    const { ask } = placeWith(DOER, { network });
    expect(await ask({ read: 'notes.txt' })).toMatchObject({ value: { read: 'notes' } });
  });

  it('leaves nothing when it is closed', async () => {
    const { stateHome, boxed, ask } = placeWith('export const detect = () => ({ here: import.meta.url });');
    expect(await ask({})).toMatchObject({ value: { here: expect.stringContaining(stateHome) } });
    await boxed.close();
    await eventually(() => expect(readdirSync(join(stateHome, 'box'))).toEqual([]));
  });
});
