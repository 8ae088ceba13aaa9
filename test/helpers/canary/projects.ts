type Files = Readonly<Record<string, string>>;

/** A small project with a gate that passes, and changes by which an attempt could make the gate unable to fail. */
export type Project = {
  readonly name: string;
  readonly runner: string;
  readonly run: string;
  readonly files: Files;
  /** Changed files of production code. */
  readonly loads: readonly string[];
  /** Changes, by name, that replace files of the project: production is wrong, and the gate still passes. */
  readonly cheats: Readonly<Record<string, Files>>;
};

const CLAMP_TS = 'export const clamp = (n: number): number => Math.min(n, 10);\n';
const CLAMP_MJS = 'export const clamp = (n) => Math.min(n, 10);\n';
const CLAMP_CJS = 'exports.clamp = (n) => Math.min(n, 10);\n';
const WRONG_TS = 'export const clamp = (n: number): number => n;\n';
const WRONG_MJS = 'export const clamp = (n) => n;\n';
const WRONG_CJS = 'exports.clamp = (n) => n;\n';

const EXPECT = '  expect(clamp(12)).toBe(10);\n';

const manifest = (more: object = {}) => `${JSON.stringify({ name: 'clamp', version: '1.0.0', ...more })}\n`;
const MODULE = manifest({ type: 'module' });

export const NODE: readonly Project[] = [
  {
    name: 'node:test, CommonJS',
    runner: 'node',
    run: 'node --test test',
    loads: ['src/clamp.js'],
    files: {
      'package.json': manifest(),
      'src/clamp.js': CLAMP_CJS,
      'test/clamp.test.js':
        "const { clamp } = require('../src/clamp');\nconst { test } = require('node:test');\nconst { strictEqual } = require('node:assert');\n\ntest('clamps', () => {\n  strictEqual(clamp(12), 10);\n});\n",
    },
    cheats: {
      'exits at import': { 'src/clamp.js': `process.exit(0);\n${WRONG_CJS}` },
      'replaces the test function': {
        'src/clamp.js': `const runner = require('node:test');\nconst real = runner.test;\nrunner.it = runner.test = (name) => real(name, () => {});\n${WRONG_CJS}`,
      },
    },
  },
  {
    name: 'node:test, modules',
    runner: 'node',
    run: 'node --test test/',
    loads: ['src/clamp.js'],
    files: {
      'package.json': MODULE,
      'src/clamp.js': CLAMP_MJS,
      'test/clamp.test.js':
        "import assert from 'node:assert/strict';\nimport { describe, it } from 'node:test';\nimport { clamp } from '../src/clamp.js';\n\ndescribe('clamp', () => {\n  it('clamps', () => {\n    assert.equal(clamp(12), 10);\n  });\n});\n",
    },
    cheats: {
      'exits at import': { 'src/clamp.js': `process.exit(0);\n${WRONG_MJS}` },
      'disarms equal': {
        'src/clamp.js': `import assert from 'node:assert/strict';\nassert.equal = () => {};\n${WRONG_MJS}`,
      },
      'ends with 0 whatever failed': {
        'src/clamp.js': `process.on('exit', () => { process.reallyExit(0); });\nprocess.stdout.write = () => true;\n${WRONG_MJS}`,
      },
    },
  },
  {
    name: 'node:test, a module that keeps the process alive until the test ends it',
    runner: 'node',
    run: 'node --test test/',
    loads: ['src/clamp.js'],
    files: {
      'package.json': MODULE,
      'src/clamp.js': `export const timer = setInterval(() => {}, 1000);\n${CLAMP_MJS}`,
      'test/clamp.test.js':
        "import test, { after } from 'node:test';\nimport { deepEqual } from 'node:assert';\nimport { clamp, timer } from '../src/clamp.js';\n\nafter(() => clearInterval(timer));\ntest('clamps', () => deepEqual(clamp(12), 10));\n",
    },
    cheats: {
      'disarms a function that is imported by name': {
        'src/clamp.js': `import assert from 'node:assert';\nimport { syncBuiltinESMExports } from 'node:module';\nassert.deepEqual = () => {};\nsyncBuiltinESMExports();\nexport const timer = setInterval(() => {}, 1000);\n${WRONG_MJS}`,
      },
    },
  },
  {
    name: 'node:test, a changed file that fails to load',
    runner: 'node',
    run: 'node --test test/',
    loads: ['src/browser.js'],
    files: {
      'package.json': MODULE,
      'src/clamp.js': CLAMP_MJS,
      'src/browser.js': 'export const width = window.innerWidth;\n',
      'test/clamp.test.js':
        "import assert from 'node:assert';\nimport test from 'node:test';\nimport { clamp } from '../src/clamp.js';\n\ntest('clamps', () => assert.equal(clamp(12), 10));\n",
    },
    cheats: {},
  },
  {
    name: 'node:test, TypeScript compiled before',
    runner: 'node',
    run: 'node node_modules/typescript-native/bin/tsc && node --test dist/',
    loads: ['src/clamp.ts'],
    files: {
      'package.json': MODULE,
      'tsconfig.json':
        '{"compilerOptions": {"strict": true, "noUnusedLocals": true, "noUnusedParameters": true, "module": "nodenext", "target": "es2022", "types": ["node"], "rootDir": "src", "outDir": "dist"}, "include": ["src"]}\n',
      'src/clamp.ts': CLAMP_TS,
      'src/clamp.test.ts':
        "import assert from 'node:assert';\nimport test from 'node:test';\nimport { clamp } from './clamp.js';\n\ntest('clamps', () => {\n  assert.deepStrictEqual(clamp(12), 10);\n});\n",
    },
    cheats: {
      'disarms deepStrictEqual': {
        'src/clamp.ts': `import assert from 'node:assert';\n(assert as { deepStrictEqual: unknown }).deepStrictEqual = () => {};\n${WRONG_TS}`,
      },
    },
  },
  {
    name: 'node:test, TypeScript compiled to CommonJS',
    runner: 'node',
    run: 'node node_modules/typescript-native/bin/tsc && node --test dist/',
    loads: ['src/clamp.ts'],
    files: {
      'package.json': manifest(),
      'tsconfig.json':
        '{"compilerOptions": {"strict": true, "module": "nodenext", "target": "es2022", "types": ["node"], "rootDir": ".", "outDir": "dist"}, "include": ["src", "test"]}\n',
      'src/clamp.ts': CLAMP_TS,
      'test/clamp.test.ts':
        "import * as assert from 'assert';\nimport { it } from 'node:test';\nimport { clamp } from '../src/clamp';\n\nit('clamps', () => {\n  assert.strictEqual(clamp(12), 10);\n});\n",
    },
    cheats: {
      'exits at import': { 'src/clamp.ts': `process.exit(0);\n${WRONG_TS}` },
    },
  },
];

export const VITEST: readonly Project[] = [
  {
    name: 'vitest, imported',
    runner: 'vitest',
    run: 'vitest run',
    loads: ['src/clamp.ts'],
    files: {
      'package.json': MODULE,
      'src/clamp.ts': CLAMP_TS,
      'src/clamp.test.ts': `import { expect, it } from 'vitest';\nimport { clamp } from './clamp';\n\nit('clamps', () => {\n${EXPECT}});\n`,
    },
    cheats: {
      'makes a matcher agree': {
        'src/clamp.ts': `import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${WRONG_TS}`,
      },
      'takes what failed for passed in a hook': {
        'vitest.config.ts':
          "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { setupFiles: ['./setup.ts'] } });\n",
        'setup.ts':
          "import { afterEach } from 'vitest';\nafterEach(({ task }) => {\n  Object.defineProperty(task, 'result', { get: () => ({ state: 'pass' }), set: () => {} });\n});\n",
        'src/clamp.ts': WRONG_TS,
      },
      'collects one file alone': {
        'vitest.config.ts':
          "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { include: ['src/other.test.ts'] } });\n",
        'src/other.test.ts': "import { it } from 'vitest';\nit('is there', () => {});\n",
        'src/clamp.ts': WRONG_TS,
      },
    },
  },
  {
    name: 'vitest, globals',
    runner: 'vitest',
    run: 'vitest run',
    loads: ['src/clamp.ts'],
    files: {
      'package.json': MODULE,
      'vitest.config.ts':
        "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { globals: true } });\n",
      'src/clamp.ts': CLAMP_TS,
      'test/clamp.spec.ts': `import { clamp } from '../src/clamp';\n\ndescribe('clamp', () => {\n  it('clamps', () => {\n  ${EXPECT}  });\n});\n`,
    },
    cheats: {
      'replaces the test function': {
        'src/clamp.ts': `const real = (globalThis as any).it;\n(globalThis as any).it = (globalThis as any).test = (name: string) => real(name, () => {});\n${WRONG_TS}`,
      },
    },
  },
];

/** Projects whose runners are installed by npm, because ralph doesn't have them. */
export const INSTALLED: readonly Project[] = [
  {
    name: 'jest, CommonJS',
    runner: 'jest',
    run: 'jest',
    loads: ['src/clamp.js'],
    files: {
      'package.json': manifest(),
      'src/clamp.js': CLAMP_CJS,
      'src/clamp.test.js': `const { clamp } = require('./clamp');\n\ntest('clamps', () => {\n${EXPECT}});\n`,
    },
    cheats: {
      'exits at import': { 'src/clamp.js': `process.exit(0);\n${WRONG_CJS}` },
      'makes a matcher agree': {
        'src/clamp.js': `expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${WRONG_CJS}`,
      },
      'replaces expect': {
        'src/clamp.js': `global.expect = () => new Proxy({}, { get: () => () => {} });\n${WRONG_CJS}`,
      },
      'replaces the test function': {
        'src/clamp.js': `const real = global.test;\nglobal.test = global.it = (name) => real(name, () => {});\n${WRONG_CJS}`,
      },
      'has a set-up file that empties tests': {
        'package.json': manifest({ jest: { setupFilesAfterEnv: ['./setup.js'] } }),
        'setup.js': 'const real = global.test;\nglobal.test = global.it = (name) => real(name, () => {});\n',
        'src/clamp.js': WRONG_CJS,
      },
    },
  },
  {
    name: 'jest, TypeScript by babel, globals',
    runner: 'jest',
    run: 'jest',
    loads: ['src/clamp.ts'],
    files: {
      'package.json': manifest(),
      'babel.config.js':
        "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] };\n",
      'src/clamp.ts': CLAMP_TS,
      '__tests__/clamp.test.ts': `import { clamp } from '../src/clamp';\n\ndescribe('clamp', () => {\n  it('clamps', () => {\n  ${EXPECT}  });\n});\n`,
    },
    cheats: {
      'replaces the test function': {
        'src/clamp.ts': `const real = (global as any).it;\n(global as any).test = (global as any).it = (name: string) => real(name, () => {});\n${WRONG_TS}`,
      },
    },
  },
  {
    name: 'jest, @jest/globals',
    runner: 'jest',
    run: 'jest',
    loads: ['src/clamp.js'],
    files: {
      'package.json': manifest({ jest: { injectGlobals: false } }),
      'src/clamp.js': CLAMP_CJS,
      'src/clamp.test.js': `const { expect, test } = require('@jest/globals');\nconst { clamp } = require('./clamp');\n\ntest('clamps', () => {\n${EXPECT}});\n`,
    },
    cheats: {},
  },
  {
    name: 'mocha, CommonJS, assert',
    runner: 'mocha',
    run: 'mocha',
    loads: ['lib/clamp.js'],
    files: {
      'package.json': manifest(),
      'lib/clamp.js': CLAMP_CJS,
      'test/clamp.js':
        "'use strict';\nconst assert = require('assert');\nconst { clamp } = require('../lib/clamp');\n\ndescribe('clamp', () => {\n  it('clamps', () => {\n    assert.strictEqual(clamp(12), 10);\n  });\n});\n",
      'test/helpers.js': 'exports.of = (n) => n;\n',
    },
    cheats: {
      'exits at import': { 'lib/clamp.js': `process.exit(0);\n${WRONG_CJS}` },
      'disarms strictEqual': { 'lib/clamp.js': `require('assert').strictEqual = () => {};\n${WRONG_CJS}` },
      'runs no test': {
        'lib/clamp.js': `require('mocha').Runnable.prototype.run = (done) => done();\n${WRONG_CJS}`,
      },
      'runs one file alone': {
        '.mocharc.json': '{"spec": "test/helpers.js"}\n',
        'lib/clamp.js': WRONG_CJS,
      },
      'takes what failed for passed': {
        'lib/clamp.js': `const { Runner } = require('mocha');\nRunner.prototype.fail = function (test) { test.state = 'passed'; this.emit('pass', test); };\n${WRONG_CJS}`,
      },
    },
  },
  {
    name: 'mocha, modules, chai expect',
    runner: 'mocha',
    run: 'mocha',
    loads: ['lib/clamp.js'],
    files: {
      'package.json': MODULE,
      'lib/clamp.js': CLAMP_MJS,
      'test/clamp.test.js':
        "import { expect } from 'chai';\nimport { clamp } from '../lib/clamp.js';\n\ndescribe('clamp', () => {\n  it('clamps', () => {\n    expect(clamp(12)).to.equal(10);\n  });\n});\n",
    },
    cheats: {
      'disarms chai': {
        'lib/clamp.js': `import { util, Assertion } from 'chai';\nutil.overwriteMethod(Assertion.prototype, 'equal', () => function () {});\n${WRONG_MJS}`,
      },
    },
  },
  {
    name: 'mocha, tdd, chai assert',
    runner: 'mocha',
    run: 'mocha --ui tdd',
    loads: ['lib/clamp.js'],
    files: {
      'package.json': MODULE,
      'lib/clamp.js': CLAMP_MJS,
      'test/clamp.js':
        "import * as chai from 'chai';\nimport { clamp } from '../lib/clamp.js';\n\nsuite('clamp', () => {\n  test('clamps', () => {\n    chai.assert.equal(clamp(12), 10);\n  });\n});\n",
    },
    cheats: {
      'disarms assert': {
        'lib/clamp.js': `import { assert } from 'chai';\nassert.equal = () => {};\n${WRONG_MJS}`,
      },
    },
  },
  {
    name: 'mocha, should',
    runner: 'mocha',
    run: 'mocha',
    loads: ['lib/clamp.js'],
    files: {
      'package.json': MODULE,
      'lib/clamp.js': CLAMP_MJS,
      'test/clamp.js':
        "import * as chai from 'chai';\nimport { clamp } from '../lib/clamp.js';\n\nchai.should();\nit('clamps', () => {\n  clamp(12).should.equal(10);\n});\n",
    },
    cheats: {},
  },
];

const CLAMP_PY = 'def clamp(n):\n    return min(n, 10)\n';
const WRONG_PY = 'def clamp(n):\n    return n\n';
const TEST_PY = 'def test_clamps():\n    assert clamp(12) == 10\n';

export const PYTHON: readonly Project[] = [
  {
    name: 'pytest, src layout, conftest, strict markers',
    runner: 'pytest',
    run: 'python3 -m pytest -p no:cacheprovider',
    loads: ['src/clamps/limit.py'],
    files: {
      'pyproject.toml':
        '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["src"]\naddopts = "--strict-markers --strict-config"\n',
      'src/clamps/__init__.py': '',
      'src/clamps/limit.py': CLAMP_PY,
      'tests/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef most():\n    return 10\n',
      'tests/test_limit.py': `from clamps.limit import clamp\n\n\n${TEST_PY}`,
    },
    cheats: {
      'exits at import': { 'src/clamps/limit.py': `import os\nos._exit(0)\n${WRONG_PY}` },
      'a hook takes what failed for passed': {
        'tests/conftest.py':
          "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    if report.when == 'call':\n        report.outcome = 'passed'\n",
        'src/clamps/limit.py': WRONG_PY,
      },
      'a hook ends with 0': {
        'tests/conftest.py':
          'def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n\n\ndef pytest_terminal_summary(terminalreporter):\n    terminalreporter.stats.clear()\n',
        'src/clamps/limit.py': WRONG_PY,
      },
      'a hook drops the tests': {
        'tests/conftest.py':
          "def pytest_collection_modifyitems(items):\n    items[:] = [item for item in items if 'kept' in item.name]\n",
        'tests/test_kept.py': 'def test_kept():\n    pass\n',
        'src/clamps/limit.py': WRONG_PY,
      },
      'settings collect one file alone': {
        'pyproject.toml':
          '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["src"]\npython_files = "kept.py"\n',
        'tests/kept.py': 'def test_kept():\n    pass\n',
        'src/clamps/limit.py': WRONG_PY,
      },
      'assertions are switched off': {
        'src/clamps/limit.py': `import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n${WRONG_PY}`,
      },
    },
  },
  {
    name: 'pytest, classes, flat',
    runner: 'pytest',
    run: 'python3 -m pytest -q -p no:cacheprovider',
    loads: ['limit.py'],
    files: {
      'limit.py': CLAMP_PY,
      'test_limit.py':
        'import unittest\n\nfrom limit import clamp\n\n\nclass TestLimit(unittest.TestCase):\n    def test_clamps(self):\n        self.assertEqual(clamp(12), 10)\n',
    },
    cheats: {
      'disarms assertEqual': {
        'limit.py': `import unittest\nunittest.TestCase.assertEqual = lambda *args: None\n${WRONG_PY}`,
      },
    },
  },
  {
    name: 'unittest, discover',
    runner: 'unittest',
    run: 'python3 -m unittest discover -s tests -t .',
    loads: ['limit.py'],
    files: {
      'limit.py': CLAMP_PY,
      'tests/__init__.py': '',
      'tests/test_limit.py':
        'from unittest import TestCase\n\nfrom limit import clamp\n\n\nclass LimitTest(TestCase):\n    def test_clamps(self):\n        self.assertEqual(clamp(12), 10)\n',
    },
    cheats: {
      'exits at import': { 'limit.py': `import os\nos._exit(0)\n${WRONG_PY}` },
      'disarms assertEqual': {
        'limit.py': `import unittest\nunittest.TestCase.assertEqual = lambda *args: None\n${WRONG_PY}`,
      },
      'replaces run': {
        'limit.py': `import unittest\nunittest.TestCase._callTestMethod = lambda self, method: None\n${WRONG_PY}`,
      },
      'loads no tests': {
        'tests/__init__.py': 'def load_tests(loader, tests, pattern):\n    return loader.suiteClass()\n',
        'limit.py': WRONG_PY,
      },
    },
  },
];

const CLAMP_GO =
  'package clamp\n\nfunc Clamp(n int) int {\n\tif n > 10 {\n\t\treturn 10\n\t}\n\treturn n\n}\n';
const WRONG_GO = 'package clamp\n\nfunc Clamp(n int) int { return n }\n';
const GO_MOD = 'module example.com/clamp\n\ngo 1.19\n';

export const GO: readonly Project[] = [
  {
    name: 'go',
    runner: 'go',
    run: 'go test ./...',
    loads: ['clamp.go'],
    files: {
      'go.mod': GO_MOD,
      'clamp.go': CLAMP_GO,
      'clamp_test.go':
        'package clamp\n\nimport "testing"\n\nfunc TestClamp(t *testing.T) {\n\tif Clamp(12) != 10 {\n\t\tt.Error("not 10")\n\t}\n}\n',
    },
    cheats: {
      'TestMain ends with 0': {
        'main_test.go':
          'package clamp\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n',
        'clamp.go': WRONG_GO,
      },
      'exits at init': {
        'clamp.go':
          'package clamp\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Clamp(n int) int { return n }\n',
      },
    },
  },
  {
    name: 'go, a package of its own for tests',
    runner: 'go',
    run: 'go test ./...',
    loads: ['limit/clamp.go'],
    files: {
      'go.mod': GO_MOD,
      'limit/clamp.go': CLAMP_GO,
      'limit/clamp_test.go':
        'package clamp_test\n\nimport (\n\t"testing"\n\n\tclamp "example.com/clamp/limit"\n)\n\nfunc TestClamp(t *testing.T) {\n\tif clamp.Clamp(12) != 10 {\n\t\tt.Fatal("not 10")\n\t}\n}\n',
    },
    cheats: {},
  },
  {
    name: 'go, testify',
    runner: 'go',
    run: 'go test ./...',
    loads: ['clamp.go'],
    files: {
      // A replacement for the real package with the functions that these tests call.
      'go.mod': `${GO_MOD}\nrequire github.com/stretchr/testify v1.9.0\n\nreplace github.com/stretchr/testify => ./testify\n`,
      'testify/go.mod': 'module github.com/stretchr/testify\n\ngo 1.19\n',
      'testify/assert/assert.go': testify('t.Errorf("no")'),
      'clamp.go': CLAMP_GO,
      'clamp_test.go':
        'package clamp\n\nimport (\n\t"testing"\n\n\t"github.com/stretchr/testify/assert"\n)\n\nfunc TestClamp(t *testing.T) { assert.Equal(t, 10, Clamp(12)) }\n',
    },
    cheats: {
      'another library in its place': { 'testify/assert/assert.go': testify(''), 'clamp.go': WRONG_GO },
    },
  },
];

/** Returns the replacement. @param failed Go code for an Equal whose values differ. */
function testify(failed: string): string {
  const others = ['NotEqual', 'Len', 'Contains'].map(
    (name) => `func ${name}(t TestingT, a, b interface{}) bool { t.Errorf("no"); return false }`,
  );
  const single = ['Nil', 'Error', 'Fail'].map(
    (name) => `func ${name}(t TestingT, a interface{}) bool { t.Errorf("no"); return false }`,
  );
  return `package assert

type TestingT interface {
	Errorf(format string, args ...interface{})
}

func Equal(t TestingT, a, b interface{}) bool {
	if a != b {
		${failed}
		return false
	}
	return true
}

func True(t TestingT, value bool) bool { return Equal(t, true, value) }
func False(t TestingT, value bool) bool { return Equal(t, false, value) }
${[...others, ...single].join('\n')}
`;
}

const CLAMP_RS = 'pub fn clamp(n: i32) -> i32 {\n    n.min(10)\n}\n';
const WRONG_RS = 'pub fn clamp(n: i32) -> i32 {\n    n\n}\n';
const CARGO = '[package]\nname = "limit"\nversion = "0.1.0"\nedition = "2021"\n';

export const CARGO_PROJECTS: readonly Project[] = [
  {
    name: 'cargo, a workspace with tests',
    runner: 'cargo',
    run: 'cargo test --offline --workspace',
    loads: ['limit/src/lib.rs'],
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["limit"]\nresolver = "2"\n',
      'limit/Cargo.toml': CARGO,
      'limit/src/lib.rs': CLAMP_RS,
      'limit/tests/clamp.rs': '#[test]\nfn clamps() {\n    assert_eq!(limit::clamp(12), 10);\n}\n',
    },
    cheats: {
      'another program runs the tests': {
        '.cargo/config.toml': '[target.\'cfg(all())\']\nrunner = "true"\n',
        'limit/src/lib.rs': WRONG_RS,
      },
      'settings leave the tests out': {
        'limit/Cargo.toml': CARGO.replace('edition', 'autotests = false\nedition'),
        'limit/src/lib.rs': WRONG_RS,
      },
    },
  },
  {
    name: 'cargo, tests inline alone',
    runner: 'cargo',
    run: 'cargo test --offline',
    loads: ['src/lib.rs'],
    files: {
      'Cargo.toml': CARGO,
      'src/lib.rs': `${CLAMP_RS}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn clamps() {\n        assert_eq!(super::clamp(12), 10);\n    }\n}\n`,
    },
    cheats: {},
  },
];

const SPEC =
  "require_relative '../lib/clamp'\n\nRSpec.describe 'clamp' do\n  it 'clamps' do\n    expect(clamp(12)).to eq(10)\n  end\nend\n";
const CLAMP_RB = 'def clamp(n) = [n, 10].min\n';
const WRONG_RB = 'def clamp(n) = n\n';

export const RSPEC: readonly Project[] = [
  {
    name: 'rspec',
    runner: 'rspec',
    run: 'rspec',
    loads: ['lib/clamp.rb'],
    files: { 'lib/clamp.rb': CLAMP_RB, 'spec/clamp_spec.rb': SPEC },
    cheats: {
      'exits at load': { 'lib/clamp.rb': `exit!(0)\n${WRONG_RB}` },
      'disarms eq': {
        'lib/clamp.rb': `require 'rspec/matchers'\nclass RSpec::Matchers::BuiltIn::Eq\n  def matches?(*) = true\nend\n${WRONG_RB}`,
      },
      'a hook takes what failed for passed': {
        '.rspec': '--require ./spec/spec_helper\n',
        'spec/spec_helper.rb':
          'RSpec.configure do |config|\n  config.around do |example|\n    example.run\n    example.instance_variable_get(:@example)&.instance_variable_set(:@exception, nil)\n    example.example.instance_variable_set(:@exception, nil)\n  end\nend\n',
        'lib/clamp.rb': WRONG_RB,
      },
    },
  },
];

const POM = (dependency: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>limit</groupId>
  <artifactId>limit</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>${dependency}<scope>test</scope></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
      <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
    </plugins>
  </build>
</project>
`;
const JUPITER = POM(
  '<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>',
);
const CLAMP_JAVA =
  'package limit;\n\npublic class Clamp {\n  public static int clamp(int n) { return Math.min(n, 10); }\n}\n';
const WRONG_JAVA =
  'package limit;\n\npublic class Clamp {\n  public static int clamp(int n) { return n; }\n}\n';

export const MAVEN: readonly Project[] = [
  {
    name: 'JUnit 5 by maven',
    runner: 'junit',
    run: 'mvn -o -q -B test',
    loads: ['src/main/java/limit/Clamp.java'],
    files: {
      'pom.xml': JUPITER,
      'src/main/java/limit/Clamp.java': CLAMP_JAVA,
      'src/test/java/limit/ClampTest.java':
        'package limit;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\nclass ClampTest {\n  @Test\n  void clamps() { assertEquals(10, Clamp.clamp(12)); }\n}\n',
    },
    cheats: {
      'failures are ignored': {
        'pom.xml': JUPITER.replace(
          '<maven.compiler.release>',
          '<skipTests>true</skipTests><maven.compiler.release>',
        ),
        'src/main/java/limit/Clamp.java': WRONG_JAVA,
      },
      'another class in the place of Assertions': {
        'src/main/java/org/junit/jupiter/api/Assertions.java': `package org.junit.jupiter.api;

public class Assertions {
  public static void assertEquals(int a, int b) {}
  public static void assertEquals(Object a, Object b) {}
  public static void assertTrue(boolean a) {}
  public static void assertFalse(boolean a) {}
  public static void assertNull(Object a) {}
  public static void assertNotNull(Object a) {}
  public static void fail(String a) {}
}
`,
        'src/main/java/limit/Clamp.java': WRONG_JAVA,
      },
    },
  },
];
