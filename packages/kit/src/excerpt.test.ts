import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCERPT_LINES, excerptOf } from './error-line.ts';

it.each<[what: string, output: string, failing: string[], lines: string[]]>([
  [
    'a compiler: its errors',
    "> build\nsrc/a.ts(12,5): error TS2304: Cannot find name 'x'.\nsrc/b.ts(3,1): error TS2322: Type 'a'.\nFound 2 errors.\n",
    [],
    ["src/a.ts(12,5): error TS2304: Cannot find name 'x'.", "src/b.ts(3,1): error TS2322: Type 'a'."],
  ],
  [
    'rustc: the error, then its place',
    'error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:3:5\n  |\n3 |     x\n  |     ^\n',
    [],
    ['error[E0425]: cannot find value `x` in this scope', '--> src/main.rs:3:5'],
  ],
  [
    'TAP: the test, what was expected, and where',
    "not ok 1 - month\n  ---\n  error: |-\n    Expected values to be strictly equal:\n    1 !== 2\n  code: 'ERR_ASSERTION'\n  stack: |-\n    TestContext.<anonymous> (file:///w/test/date.test.js:5:10)\n    node:internal/test:1\n",
    ['month'],
    [
      'failing: month',
      'Expected values to be strictly equal:',
      '1 !== 2',
      'TestContext.<anonymous> (file:///w/test/date.test.js:5:10)',
    ],
  ],
  [
    'go: the test and its place',
    '--- FAIL: TestSum (0.00s)\n    sum_test.go:8: got 3, want 4\nFAIL\nexit status 1\n',
    [],
    ['--- FAIL: TestSum (0.00s)', 'sum_test.go:8: got 3, want 4'],
  ],
  [
    'pytest: why a file could not be loaded',
    "_____ ERROR collecting tests/test_a.py _____\nImportError while importing test module '/w/tests/test_a.py'.\ntests/test_a.py:1: in <module>\n    from calc import add\nE   ModuleNotFoundError: No module named 'calc'\n=== short test summary info ===\nERROR tests/test_a.py\n1 error in 0.06s\n",
    [],
    ["E   ModuleNotFoundError: No module named 'calc'", 'ERROR tests/test_a.py'],
  ],
  [
    'Node: the place above the error',
    "TAP version 13\n# file:///w/src/calc.js:4\n# export const div = 1;\n#              ^\n# SyntaxError: Identifier 'div' has already been declared\n#     at compileSourceTextModule (node:internal/modules/esm/utils:346:16)\nnot ok 1 - test/calc.test.js\n",
    [],
    ['# file:///w/src/calc.js:4', "# SyntaxError: Identifier 'div' has already been declared"],
  ],
  [
    'ESLint: the file before',
    "/w/src/a.js\n  1:1  error  'x' is not defined  no-undef\n",
    [],
    ['/w/src/a.js', "1:1  error  'x' is not defined  no-undef"],
  ],
  [
    'many tests: the first, and how many more',
    '',
    ['a', 'b', 'c', 'd', 'e'],
    ['failing: a', 'failing: b', 'failing: c, and 2 more'],
  ],
  ['no words for an error: the last lines', 'one\ntwo\nthree\nfour\n', [], ['two', 'three', 'four']],
  ['nothing but a status', 'exit status 1\n', [], []],
  ['nothing', '', [], []],
])('%s', (_what, output, failing, lines) => {
  expect(excerptOf(output, failing)).toEqual(lines);
});

it('is short, and takes linear time, whatever was printed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 3000 }),
      fc.array(fc.string(), { maxLength: 9 }),
      (text, names) => {
        const lines = excerptOf(text, names);
        expect(lines.length).toBeLessThanOrEqual(EXCERPT_LINES);
        for (const line of lines) expect(line).not.toMatch(/\r?\n/);
      },
    ),
  );
});

it('names where each failing test failed', () => {
  expect(excerptOf('', ['adds', 'divides'], [{ test: 'adds', place: 'test/a.js:3' }])).toEqual([
    'failing: adds (test/a.js:3)',
    'failing: divides',
  ]);
});
