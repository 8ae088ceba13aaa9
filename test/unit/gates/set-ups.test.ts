import { describe, expect, it } from 'vitest';
import { installsFor, manifestsToInstall, setUpsFor } from '../../../src/proof/gates/index.ts';

const lock = (path: string, text = 'new') => ({ path, text });
const nothing = () => null;

describe('what a copy has to install', () => {
  it.each([
    ['package-lock.json', 'new', 'npm ci'],
    ['pnpm-lock.yaml', 'new', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', '# yarn lockfile v1\n', 'yarn install --frozen-lockfile'],
    ['yarn.lock', '__metadata:\n  version: 8\n', 'yarn install --immutable'],
    ['uv.lock', 'new', 'uv sync --frozen'],
    ['Gemfile.lock', 'new', 'bundle install'],
    ['Cargo.lock', 'new', 'cargo fetch --locked'],
    ['go.sum', 'new', 'go mod download'],
  ])('is told by %s', (path, text, run) => {
    expect(setUpsFor('auto', [lock(path, text)], nothing)).toEqual([{ file: path, run }]);
  });

  it('is nothing where the lock file is as when it was installed, and where none is known', () => {
    expect(setUpsFor('auto', [lock('package-lock.json')], () => 'new')).toEqual([]);
    expect(setUpsFor('auto', [lock('other.lock')], nothing)).toEqual([]);
    expect(setUpsFor('off', [lock('package-lock.json')], nothing)).toEqual([]);
  });

  it('is what the setting says, once', () => {
    const locks = [lock('package-lock.json'), lock('Cargo.lock')];
    expect(setUpsFor('make deps', locks, nothing)).toEqual([{ file: 'package-lock.json', run: 'make deps' }]);
  });
});

it('a checkout has to install what a changed lock file names, but for what is fetched anyway', () => {
  const changed = ['src/a.ts', 'package-lock.json', 'packages/a/package-lock.json', 'Cargo.lock'];
  expect(installsFor(changed)).toEqual([{ file: 'package-lock.json', run: 'npm ci' }]);
});

describe('what the work has to have installed by itself', () => {
  it.each<[string, string[], string[], string[]]>([
    ['no lock file', ['src/a.py', 'requirements.txt'], [], ['requirements.txt']],
    ['a lock file of others', ['requirements-dev.txt'], ['package-lock.json'], ['requirements-dev.txt']],
    ['its lock file, which is unchanged', ['package.json'], ['package-lock.json'], []],
    ['its lock file at the top of a workspace', ['packages/a/package.json'], ['pnpm-lock.yaml'], []],
    ['a lock file that is changed, too', ['package.json', 'yarn.lock'], ['yarn.lock'], []],
    ['a lock file that ralph knows nothing of', ['Pipfile.lock'], ['Pipfile.lock'], ['Pipfile.lock']],
    ['a lock file below the top', ['a/package.json'], ['a/package-lock.json'], ['a/package.json']],
    ['nothing to install', ['src/a.ts', 'docs/setup.md'], [], []],
  ])('with %s', (_what, changed, files, expected) => {
    expect(manifestsToInstall('auto', changed, (path) => files.includes(path))).toEqual(expected);
  });

  it('is what its lock file names, too, where set-up is off', () => {
    expect(manifestsToInstall('off', ['package.json', 'yarn.lock'], () => true)).toEqual([
      'package.json',
      'yarn.lock',
    ]);
  });
});
