import { describe, expect, it } from 'vitest';
import { isPhony, vacuousRecipe, vacuousScript, vacuousShell } from '../../../../src/decide/gates/vacuous.ts';

describe('a shell text checks nothing', () => {
  it.each([
    '',
    '\n  \n',
    '# only a comment\n',
    'exit 0\nnpm test\n',
    'exit\nnpm test',
    'exec true\nnpm test'.split('\n')[0] ?? '',
    'set -eu\nexit 0\nnpm test\n',
    'echo checking\nexit 0\nnpm test',
    'cd web && exit 0; npm test',
    'VERBOSE=1\nexit 0\nnpm test',
    'true',
    ':',
    '/bin/true',
    'echo ok',
    'echo ok > log',
    "printf '%s' fine",
    'true || npm test',
    'echo skipped || npm test',
    'if true; then exit 0; fi\nnpm test',
    '{ exit 0; }; npm test',
    "trap 'exit 0' EXIT\nnpm test",
    'trap "exit 0" 0\nnpm test',
    'sh -c "exit 0"',
    "bash -c 'true'",
    'node -e ""',
    "node -e 'process.exit(0)'",
    'ex\\\nit 0\nnpm test'.replace('ex\\\nit', 'exit'),
  ])('%j', (text) => {
    expect(vacuousShell(text)).not.toBeNull();
  });

  it.each([
    'npm test',
    'npm test; exit 0',
    'set -e\nnpm test\nexit 0\n',
    'if [ -n "$CI" ]; then exit 0; fi\nnpm test',
    'echo $(npm test)',
    'echo start\nnpm test',
    'true && npm test',
    'cd web && npm test',
    'grep -q parser src/a.js || exit 1',
    'test -f src/a.js',
    '[ -f src/a.js ]',
    'sh -c "npm test"',
    'node -e "require(\'./check\')"',
    'echo "a" | node check.js',
    'exit 1',
    'exit $CODE',
    'check() { npm test; }\ncheck',
  ])('not %j', (text) => {
    expect(vacuousShell(text)).toBeNull();
  });
});

describe('a script checks nothing', () => {
  it.each([
    ['a.sh', '', 'sh'],
    ['a.sh', '#!/bin/sh\nexit 0\nnpm test\n', ''],
    ['a', '#!/usr/bin/env bash\nset -e\ntrue\n', ''],
    ['a', 'exit 0\n', 'sh'],
    ['a.js', 'process.exit(0);\nrequire("./t")', 'node'],
    ['a.mjs', "import fs from 'node:fs';\nprocess.exit();\nfs.x();", 'node'],
    ['a.js', "'use strict';\n// nothing\n/* at\nall */\n", 'node'],
    ['a.js', 'console.log("ok");\n', 'node'],
    ['a.py', 'import sys\nsys.exit(0)\nrun()', 'python3'],
    ['a.py', '"""Checks."""\nprint("ok")\n', 'python3'],
    ['a', '#!/usr/bin/env python3\nraise SystemExit\n', ''],
    ['a.rb', 'exit 0\nrun\n', 'ruby'],
    ['check.sh', '#!/bin/true\nnpm test\n', ''],
    ['check.sh', '#!/usr/bin/env -S true\nnpm test\n', ''],
    ['check.sh', '#!/opt/anything\nexit 0\nnpm test\n', 'sh'],
  ])('%s %j by %j', (path, text, by) => {
    expect(vacuousScript(path, text, by)).not.toBeNull();
  });

  it.each([
    ['a.sh', '#!/bin/sh\nnpm test\n', ''],
    ['a.js', "import './a.test.js';\n", 'node'],
    ['a.js', 'require("./a.test.js");\n', 'node'],
    ['a.js', 'const fs = require("fs");\nif (!fs.existsSync("x")) process.exit(1);\n', 'node'],
    ['a.py', 'import sys\nassert sys.argv\nsys.exit(0)\n', 'python'],
    ['a.bin', 'exit 0', 'mystery'],
    ['b', '#!/usr/bin/env node\nrun()\n', ''],
    ['a.sh', '#!/bin/true\nnpm test\n', 'sh'],
  ])('not %s %j by %j', (path, text, by) => {
    expect(vacuousScript(path, text, by)).toBeNull();
  });
});

describe('a makefile checks nothing', () => {
  it.each([
    ['check:\n\ttrue\n', ['check']],
    ['check:\n\t@echo ok\n', ['check']],
    ['check:\n', ['check']],
    ['check: ; @true\n', ['check']],
    ['all: check\ncheck:\n\t@:\n', ['all']],
    ['all:\n\t@true\n', []],
    ['SHELL := /bin/true\ncheck:\n\tnpm test\n', ['check']],
    ['.IGNORE:\ncheck:\n\tnpm test\n', ['check']],
    ['MAKEFLAGS += -i\ncheck:\n\tnpm test\n', ['check']],
    ['MAKEFLAGS := n\ncheck:\n\tnpm test\n', ['check']],
  ] as const)('%j %j', (text, targets) => {
    expect(vacuousRecipe(text, targets)).not.toBeNull();
  });

  it.each([
    ['check:\n\tnpm test\n', ['check']],
    ['SHELL := /bin/bash\ncheck:\n\tnpm test\n', ['check']],
    ['all: lint check\nlint:\n\t@true\ncheck:\n\tnpm test\n', ['all']],
    ['all: out.js\n\t@echo built\n', ['all']],
    ['check:\n\t@echo a\n\n\tnpm test\n', ['check']],
    ['X := 1\n', ['check']],
  ] as const)('not %j %j', (text, targets) => {
    expect(vacuousRecipe(text, targets)).toBeNull();
  });

  it("knows what isn't a file", () => {
    expect(isPhony('.PHONY: a check\n', 'check')).toBe(true);
    expect(isPhony('.PHONY: a\n', 'check')).toBe(false);
  });
});
