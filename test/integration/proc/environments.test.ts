import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { environmentsThatImport } from '../../../src/io/proc/environments.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const PACKAGES = 'lib/python3.11/site-packages';
let root = '';
let home = '';
beforeEach(() => {
  [root, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(root, 'src/pkg'), { recursive: true });
});

/** An environment with one file among its packages. */
function environment(folder: string, name: string, text: string): string {
  const file = join(folder, PACKAGES, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const found = (commands: readonly string[], env = {}) =>
  environmentsThatImport(root, { HOME: home, PATH: '/nowhere/bin', ...env }, commands);

describe('an environment outside of a repository that imports from it', () => {
  it.each<[string, string, (root: string) => string, string]>([
    ['a path', 'p.pth', (at) => `${at}/src\n`, 'src'],
    ['the repository itself', 'p.pth', (at) => `# mine\nimport sys\n${at}\n`, ''],
    ['setuptools, before', 'easy-install.pth', (at) => `/elsewhere\n${at}/src\n`, 'src'],
    [
      'setuptools',
      '__editable___pkg_0_1_finder.py',
      (at) => `from __future__ import annotations\nMAPPING: dict[str, str] = {'pkg': '${at}/src/pkg'}\n`,
      'src',
    ],
    [
      'hatch',
      '_editable_impl_pkg.py',
      (at) => `F.map_module('pkg', '${at}/src/pkg/__init__.py')\n`,
      'src/pkg',
    ],
  ])('by %s', (_how, name, text, imports) => {
    const folder = join(home, 'envs/p');
    const file = environment(folder, name, text(root));
    expect(found([`${folder}/bin/python -m unittest`])).toEqual([
      { folder, file, imports: [join(root, imports)] },
    ]);
  });

  it('is found by what a command, a variable, PATH or a link names, and where tools keep theirs', () => {
    const folders = ['a', 'b', 'c', 'd', 'e', '.virtualenvs/f'].map((name) => join(home, name));
    for (const folder of folders) environment(folder, 'p.pth', `${root}/src\n`);
    const [, b = '', c = '', d = '', e = ''] = folders;
    symlinkSync(c, join(root, '.venv'));
    const seen = found([`. ~/a/bin/activate && pytest`, `PATH="${e}/bin:$PATH" tox`], {
      VIRTUAL_ENV: b,
      PATH: `/usr/bin:${d}/bin`,
    });
    expect(seen.map(({ folder }) => folder).toSorted()).toEqual(folders.toSorted());
  });

  it('is none that lies in the repository, or leads to another one', () => {
    const other = join(home, 'envs/p');
    environment(other, 'p.pth', `${root}-old/src\n`);
    environment(join(root, '.venv'), 'p.pth', `${root}/src\n`);
    expect(found([`${other}/bin/python`, '.venv/bin/python'])).toEqual([]);
  });
});
