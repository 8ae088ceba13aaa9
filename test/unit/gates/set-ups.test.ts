import { describe, expect, it } from 'vitest';
import { installsFor, setUpsFor } from '../../../src/gates/index.ts';

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
