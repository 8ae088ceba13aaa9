import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPath, findPathOnce } from 'ralph-box/gather';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/helpers/repository.ts';

it('what is found for one launch leads where each alone leads, by links, too', () => {
  const top = realpathSync(temporaryFolder());
  mkdirSync(join(top, 'real', 'deep', 'er'), { recursive: true });
  writeFileSync(join(top, 'real', 'file'), '');
  symlinkSync(join(top, 'real', 'deep'), join(top, 'link'));
  symlinkSync('real/file', join(top, 'to-file'));
  symlinkSync('nowhere', join(top, 'dangling'));
  symlinkSync('itself', join(top, 'itself'));
  const once = findPathOnce();
  const names = [
    ...['', 'real', 'real/file', 'real/file/', 'real/file/below', 'real/deep/er', 'real//deep/er/'],
    ...['link', 'link/', 'link/er', 'link/..', 'link/../file', 'link/./er', 'link/er/../../file'],
    ...['to-file', 'to-file/x', 'dangling', 'dangling/x', 'itself', 'itself/x', 'missing', 'missing/x'],
  ];
  const paths = ['/', '/proc/self/fd', 'package.json', ...names.map((name) => `${top}/${name}`)];
  expect(paths.map((path) => [path, once(path)])).toEqual(paths.map((path) => [path, findPath(path)]));
  expect(once(`${top}/link/er`)).toEqual({ realPath: join(top, 'real/deep/er'), kind: 'folder' });
  expect(once(`${top}/link/../file`)).toEqual({ realPath: join(top, 'real/file'), kind: 'file' });
});

it('what came up since is seen, and what is gone is still what it was', () => {
  const file = join(realpathSync(temporaryFolder()), 'file');
  const once = findPathOnce();
  expect(once(file)).toBeNull();
  writeFileSync(file, '');
  expect(once(file)).toEqual({ realPath: file, kind: 'file' });
  rmSync(file);
  expect(once(file)).toEqual({ realPath: file, kind: 'file' });
});
