import { describe, expect, it } from 'vitest';
import { packageScripts } from './package-scripts.ts';

describe('the scripts of a manifest', () => {
  it.each<[string, string, [string, string][]]>([
    [
      'names and lines',
      '{"scripts": {"test": "vitest", "lint": "biome check"}}',
      [
        ['test', 'vitest'],
        ['lint', 'biome check'],
      ],
    ],
    [
      'the steps of a list as one line',
      '{"scripts": {"check": ["@lint", "phpunit"]}}',
      [['check', '@lint && phpunit']],
    ],
    ['a name that every object has', '{"scripts": {"constructor": "make"}}', [['constructor', 'make']]],
    ['nothing of another kind', '{"scripts": {"a": 1, "b": null, "c": {}}}', []],
    ['a mark of the byte order in front', '\uFEFF{"scripts": {"test": "x"}}', [['test', 'x']]],
    ['no scripts', '{"name": "x"}', []],
    ['scripts that are a list', '{"scripts": ["test"]}', []],
    ['no object', '[]', []],
    ['no JSON', 'scripts: test', []],
  ])('are %s', (_, manifest, expected) => {
    expect([...packageScripts(manifest)]).toEqual(expected);
  });
});
