import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorIn, lastErrorIn } from './error-line.ts';

it.each([
  [
    "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '/app/a.js'\n    at load (node:x:1:1) {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n",
    "Error: Cannot find module '/app/a.js'",
  ],
  [
    'Exception in thread "main" java.lang.Error: a\n\tat A.main(A.java:3)\nCaused by: java.io.IOException: no disk\n\t... 5 more\n',
    'Caused by: java.io.IOException: no disk',
  ],
  ['warning: old\nno configuration\n', 'no configuration'],
  ['Please sign in\nexit status 2\n', 'Please sign in'],
  ['', ''],
])('the last error of %j', (output, line) => expect(lastErrorIn(output)).toBe(line));

describe('errorIn', () => {
  it.each<[string, string, string | null]>([
    [
      "ENOENT: no such file or directory, open 'src/none.ts'",
      "ENOENT: no such file or directory, open 'src/none.ts'",
      'src/none.ts',
    ],
    ['cat: docs/a.md: No such file or directory\n', 'cat: docs/a.md: No such file or directory', 'docs/a.md'],
    [
      'Traceback (most recent call last):\n  File "app/run.py", line 7, in <module>\n    x["y"]\nKeyError: \'y\'',
      "KeyError: 'y'",
      'app/run.py:7',
    ],
    [
      ' FAIL  test/sum.test.ts\nAssertionError: expected 1 to be 2\n ❯ node_modules/x/y.js:1:1\n ❯ test/sum.test.ts:12:5',
      'AssertionError: expected 1 to be 2',
      'test/sum.test.ts:12',
    ],
    [
      "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
      "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
      'src/a.ts:3',
    ],
    [
      "# src/calc.js:4\n# SyntaxError: Identifier 'div' has already been declared\n#     at compileSourceTextModule (node:internal/modules/esm/utils:346:16)",
      "# SyntaxError: Identifier 'div' has already been declared",
      'src/calc.js:4',
    ],
    [
      "# test/tax.test.js:3\n# import { tax } from '../src/price.js';\n#          ^^^\n# SyntaxError: The requested module '../src/price.js' does not provide an export named 'tax'\n#     at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)",
      "# SyntaxError: The requested module '../src/price.js' does not provide an export named 'tax'",
      'test/tax.test.js:3',
    ],
    [
      'Error: Failed to resolve import "./tax" from "src/a.ts". Does the file exist?',
      'Error: Failed to resolve import "./tax" from "src/a.ts". Does the file exist?',
      'src/a.ts',
    ],
    [
      "Error: Cannot find module './tax'\nRequire stack:\n- /app/src/a.js",
      "Error: Cannot find module './tax'",
      '/app/src/a.js',
    ],
    [
      "Error: ENOENT: no such file or directory, open './data/prices.json'",
      "Error: ENOENT: no such file or directory, open './data/prices.json'",
      './data/prices.json',
    ],
    [
      "_____ ERROR collecting tests/test_a.py _____\nE   ModuleNotFoundError: No module named 'calc'\nERROR tests/test_a.py",
      "E   ModuleNotFoundError: No module named 'calc'",
      'tests/test_a.py',
    ],
    ['Error: Exit code 1\nsh: 1: nope: not found', 'sh: 1: nope: not found', null],
    ['exit code 2', '', null],
    ['', '', null],
    ['done\nall good', 'all good', null],
    ['error: see https://example.org/a/b.html', 'error: see https://example.org/a/b.html', null],
    ['error: use read and/or write', 'error: use read and/or write', null],
    ['panicked: at C:\\work\\a.rs', 'panicked: at C:\\work\\a.rs', '\\work\\a.rs'],
  ])('%j', (output, line, path) => {
    expect(errorIn(output)).toEqual({ line, path });
  });

  it('is a line of the output, whatever the output', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (lines) => {
        const output = lines.join('\n');
        const { line } = errorIn(output);
        expect(output).toContain(line.replace(/…$/, ''));
      }),
    );
  });

  it.each(['a'.repeat(100_000), '/'.repeat(100_000), 'a/'.repeat(50_000), 'x\n'.repeat(50_000)])(
    'takes no time for long output',
    (output) => {
      expect(errorIn(output).line.length).toBeLessThanOrEqual(300);
    },
  );
});
