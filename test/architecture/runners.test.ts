import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISTINCT_NAMES } from 'ralph-ecosystems';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Distinct names of runners, and names of programs that the same file reads; `jest` and `mocha` are common words in examples. */
const NAMES = new RegExp(
  `\\b(?:${[...DISTINCT_NAMES.filter((name) => !/^(?:jest|mocha)$/.test(name)), 'nose2', 'googletest'].join('|')})`,
  'i',
);

it('a runner of tests is named in its own file, and where commands are followed', () => {
  const naming = sourceFiles()
    .filter((path) => !/^(?:\.\.\/packages\/(?:ecosystems|actions))\//.test(path))
    .filter((path) => NAMES.test(readFileSync(join(SRC, path), 'utf8')));
  expect(naming.toSorted()).toEqual([]);
});
