import { describe, expect, it } from 'vitest';
import { planGates } from '../../../src/proof/gates/index.ts';
import { spec } from './inputs.ts';

describe('planGates', () => {
  it.each([
    ['no restriction', null, ['a.txt'], true],
    ['an empty list restricts nothing', [], ['a.txt'], true],
    ['a glob that matches', ['src/**/*.ts'], ['src/deep/a.ts'], true],
    ['a glob that matches one of several', ['src/**'], ['docs/a.md', 'src/a.ts'], true],
    ['a glob that does not match', ['src/**'], ['docs/a.md'], false],
    ['a star stays within a folder', ['src/*.ts'], ['src/deep/a.ts'], false],
    ['dot files', ['**/*.yml'], ['.github/workflows/ci.yml'], true],
    ['a folder by its name', ['src'], ['src/deep/a.ts'], true],
    ['a folder with a slash', ['./src/'], ['src/a.ts'], true],
    ['a folder is not its namesake', ['src'], ['src-old/a.ts'], false],
    ['a file by its name', ['package.json'], ['package.json'], true],
    ['taken away by !', ['src/**', '!src/**/*.md'], ['src/README.md'], false],
    ['only what is left out', ['!docs/**'], ['src/a.ts'], true],
    ['only what is left out, changed', ['!docs/**'], ['docs/a.md'], false],
    ["brackets in a path aren't a glob", ['src/**'], ['src/[id].ts'], true],
    ['blank patterns match nothing', ['  '], ['a.txt'], false],
  ])('%s', (_, paths, changed, runs) => {
    const gate = spec('test', { paths });
    expect(planGates([gate], changed).run).toEqual(runs ? [gate] : []);
  });

  it('runs nothing when nothing changed', () => {
    expect(planGates([spec('test')], [])).toEqual({
      run: [],
      skipped: [{ name: 'test', reason: 'no files changed' }],
    });
  });

  it('runs everything for the baseline', () => {
    const specs = [spec('test'), spec('docs', { paths: ['docs/**'] })];
    expect(planGates(specs, null)).toEqual({ run: specs, skipped: [] });
  });

  it('keeps the configured order and says why it skips', () => {
    const specs = [spec('c'), spec('a', { paths: ['docs/**', '*.md'] }), spec('b')];
    const plan = planGates(specs, ['src/a.ts']);
    expect(plan.run.map(({ name }) => name)).toEqual(['c', 'b']);
    expect(plan.skipped).toEqual([{ name: 'a', reason: 'no changed path matches docs/**, *.md' }]);
  });
});
