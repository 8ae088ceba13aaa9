import { appendFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acquireLock } from '../../../src/io/store/lock.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

/** Takes the lock as a run does, and gives it back: the number of its file and the private names beside it. */
function takeOnce(folder: string): { inode: number; names: string[] } {
  const path = join(folder, 'state.lock');
  const lock = acquireLock(path, { waitMs: 0, keep: true });
  expect(lock.ok).toBe(true);
  const inode = statSync(path).ino;
  if (lock.ok) lock.release();
  expect(existsSync(path)).toBe(false);
  return { inode, names: readdirSync(folder) };
}

it('a lock that is kept is the same file each time, and nobody else sees it held in between', () => {
  const folder = temporaryFolder();
  const first = takeOnce(folder);
  const second = takeOnce(folder);
  expect(second).toEqual(first);
  expect(first.names).toHaveLength(1);
  const other = acquireLock(join(folder, 'state.lock'), { waitMs: 0 });
  expect(other).toMatchObject({ ok: true, tookOver: false });
  if (other.ok) other.release();
});

it.each([
  ['changed', (path: string) => appendFileSync(path, 'x')],
  ['removed', (path: string) => rmSync(path)],
])('it is made anew when somebody has %s it', (_what, change) => {
  const folder = temporaryFolder();
  const { names } = takeOnce(folder);
  change(join(folder, names[0] ?? ''));
  const again = takeOnce(folder);
  expect(again.names).toHaveLength(1);
  expect(again.names).not.toEqual(names);
});
