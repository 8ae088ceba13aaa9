import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeElsewhere } from '../../../src/io/proc/code-elsewhere.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const PACKAGES = 'lib/python3.11/site-packages';
let root = '';
let home = '';
beforeEach(() => {
  [root, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(root, 'src/pkg'), { recursive: true });
});

function write(file: string, text = ''): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Makes a Python environment with one file among its packages. */
const environment = (folder: string, name: string, text: string) => write(join(folder, PACKAGES, name), text);

const found = (
  commands: readonly string[],
  env = {},
  paths: Partial<Parameters<typeof codeElsewhere>[0]> = {},
) =>
  codeElsewhere({
    ...{ root, commands, code: [], manifests: [], keptPatterns: [] },
    ...{ env: { HOME: home, PATH: '/nowhere/bin', ...env }, ...paths },
  });

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
      { kind: 'imports', file, imports: [join(root, imports)], sharedFiles: [] },
    ]);
  });

  it('is found by what a command, a variable, PATH or a link names, and where tools keep theirs', () => {
    const folders = ['a', 'b', 'c', 'd', 'e', '.virtualenvs/f'].map((name) => join(home, name));
    const files = folders.map((folder) => environment(folder, 'p.pth', `${root}/src\n`));
    const [, b = '', c = '', d = '', e = ''] = folders;
    symlinkSync(c, join(root, '.venv'));
    const seen = found([`. ~/a/bin/activate && pytest`, `PATH="${e}/bin:$PATH" tox`], {
      VIRTUAL_ENV: b,
      PATH: `/usr/bin:${d}/bin`,
    });
    expect(seen.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
  });

  it("isn't one that lies in the repository, or leads to another one", () => {
    const other = join(home, 'envs/p');
    environment(other, 'p.pth', `${root}-old/src\n`);
    environment(join(root, '.venv'), 'p.pth', `${root}/src\n`);
    expect(found([`${other}/bin/python`, '.venv/bin/python'])).toEqual([]);
  });
});

describe('a package of the project that is installed as a copy', () => {
  const code = ['src/pkg/__init__.py', 'src/pkg/clamp.py'];
  beforeEach(() => {
    for (const path of code) write(join(root, path));
  });

  it('in an environment of the repository: with its files', () => {
    const folder = join(root, 'env', PACKAGES);
    for (const path of ['pkg/__init__.py', 'pkg/clamp.py', 'six.py']) write(join(folder, path));
    expect(found(['env/bin/python'], {}, { code })).toEqual([
      {
        kind: 'installed',
        file: join(folder, 'pkg'),
        imports: [join(root, 'src')],
        sharedFiles: [`env/${PACKAGES}/pkg/__init__.py`, `env/${PACKAGES}/pkg/clamp.py`],
      },
    ]);
  });

  it('in one elsewhere: nothing of that lies in copies', () => {
    const file = join(environment(join(home, 'v'), 'pkg/clamp.py', ''), '..');
    expect(found([`${home}/v/bin/python`], {}, { code })).toEqual([
      { kind: 'installed', file, imports: [join(root, 'src')], sharedFiles: [] },
    ]);
  });

  it('a link to the checkout is one elsewhere alone: a copy has its own', () => {
    for (const folder of [join(root, '.venv'), join(home, 'v')]) {
      mkdirSync(join(folder, PACKAGES), { recursive: true });
      symlinkSync(join(root, 'src/pkg'), join(folder, PACKAGES, 'pkg'));
    }
    expect(found([`${home}/v/bin/python`], {}, { code })).toEqual([
      {
        kind: 'imports',
        file: join(home, 'v', PACKAGES, 'pkg'),
        imports: [join(root, 'src')],
        sharedFiles: [],
      },
    ]);
  });

  it("in node_modules, where it isn't a link to a workspace", () => {
    const manifests = ['package.json', 'packages/a/package.json', 'packages/b/package.json'];
    for (const name of ['', 'packages/a/', 'packages/b/'])
      write(join(root, `${name}package.json`), JSON.stringify({ name: `@p/${name.split('/')[1] ?? 'top'}` }));
    write(join(root, 'node_modules/@p/a/lib/x.js'));
    write(join(root, 'node_modules/@p/a/README.md'));
    symlinkSync('../../packages/b', join(root, 'node_modules/@p/b'));
    write(join(root, 'node_modules/left-pad/index.js'));
    expect(found(['npm test'], {}, { manifests })).toEqual([
      {
        ...{ kind: 'installed', file: join(root, 'node_modules/@p/a'), imports: [] },
        sharedFiles: ['node_modules/@p/a/lib/x.js'],
      },
    ]);
  });
});

it('a package of composer is one, too, where its path was mirrored', () => {
  write(join(root, 'composer.json'), '{"name":"p/top"}');
  write(join(root, 'packages/a/composer.json'), '{"name":"p/a"}');
  write(join(root, 'vendor/p/a/src/A.php'));
  const manifests = ['composer.json', 'packages/a/composer.json'];
  expect(found([], {}, { manifests }).map(({ sharedFiles }) => sharedFiles)).toEqual([
    ['vendor/p/a/src/A.php'],
  ]);
});

it('what was built is found where clean copies have it: by names like those of the code, or by a manifest', () => {
  write(join(root, 'package.json'), '{"name":"p","main":"dist/bundle.js"}');
  for (const path of ['dist/clamp.js', 'dist/bundle.js', 'dist/README.md', 'packages/a/out/clamp.js'])
    write(join(root, path));
  for (const path of ['data/other.js', 'target/classes/Clamp.class']) write(join(root, path));
  const keptPatterns = ['dist', 'packages/*/out/', 'data', 'target', 'gone'];
  const code = ['src/clamp.ts', 'src/Clamp.java'];
  const seen = found([], {}, { code, keptPatterns, manifests: ['package.json'] });
  expect(seen.map(({ kind }) => kind)).toEqual(['built', 'built', 'built']);
  expect(seen.map(({ sharedFiles }) => sharedFiles.toSorted())).toEqual([
    ['dist/bundle.js', 'dist/clamp.js'],
    ['packages/a/out/clamp.js'],
    ['target/classes/Clamp.class'],
  ]);
});
