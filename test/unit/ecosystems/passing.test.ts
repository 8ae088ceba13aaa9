import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readResults } from '../../../src/proof/results/index.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/runners');
const SUMS = ['adds', 'subtracts', 'multiplies'];

it.each<[string, readonly string[]]>([
  ['bats/a', SUMS],
  ['behave/a', SUMS],
  ['behave/a-ways', ['counts -- @1.1', 'adds']],
  ['cargo/a', ['tests::adds', 'tests::multiplies', 'tests::subtracts']],
  ['check/a-verbose', SUMS.map((name) => `core:${name}`)],
  ['cmocka/a', SUMS],
  ['ctest/a', SUMS],
  ['eunit/a-verbose', SUMS.map((name) => `sums_tests:${name}_test`)],
  ['exunit/a-trace', ['ATest test subtracts', 'ATest test adds', 'ATest test multiplies']],
  ['fpcunit/a', ['TSums.Adds', 'TSums.Subtracts', 'TSums.Multiplies']],
  ['go/a-verbose', ['Adds', 'Subtracts', 'Multiplies'].map((name) => `example.com/sums.Test${name}`)],
  ['go/d-json', ['Adds', 'Subtracts', 'Multiplies'].map((name) => `example.com/sums/other.Test${name}`)],
  ['gtest/a', ['Sums.Adds', 'Sums.Subtracts', 'Sums.Multiplies']],
  ['minitest/a-verbose', ['ATest#test_subtracts', 'ATest#test_adds', 'ATest#test_multiplies']],
  ['prove/a-verbose', [...SUMS, ...SUMS]],
  ['pytest/a-verbose', SUMS.map((name) => `test_a.py::test_${name}`)],
  ['rspec/a-documentation', ['sums adds', 'sums multiplies', 'sums subtracts']],
  ['tcltest/f-file', ['adds-1', 'subtracts-1', 'multiplies-1']],
  ['test-unit/a-verbose', ['test_adds(ATest)', 'test_multiplies(ATest)', 'test_subtracts(ATest)']],
  [
    'unittest/a-verbose',
    ['adds', 'multiplies', 'subtracts'].map((name) => `test_${name} (tests.test_a.Sums.test_${name})`),
  ],
])('the tests that passed are named in %s', (recorded, names) => {
  const text = readFileSync(join(FOLDER, `${recorded}.txt`), 'utf8');
  expect(readResults([], { text, whole: true, files: [] })?.passing).toEqual(names);
});
