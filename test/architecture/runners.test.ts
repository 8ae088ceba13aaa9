import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Names of runners that are no words of English. */
const NAMES =
  /vitest|qunit|\buvu\b|tstyche|\bpoku\b|pytest|unittest|nose2|\bstestr|rspec|minitest|phpunit|\bctest|cmocka|doctest|\bgtest|googletest|exunit|\beunit|testthat|tcltest|shunit|fiveam|fpcunit|nextest|junit/i;

it('a runner of tests is named in its own file, and where commands are followed', () => {
  const naming = sourceFiles()
    .filter((path) => !/^(?:\.\.\/packages\/(?:ecosystems|actions))\//.test(path))
    .filter((path) => NAMES.test(readFileSync(join(SRC, path), 'utf8')));
  expect(naming.toSorted()).toEqual([]);
});
