import { withoutNewSuppressions } from 'ralph-ecosystems';
import { describe, expect, it } from 'vitest';
import { differsInFunctions } from '../../../src/proof/shown/break-code.ts';
import { settingsOfBefore } from '../../../src/proof/shown/green/settings-of-before.ts';
import { raisesRetries } from '../../../src/proof/shown/green/steering.ts';

const json = (value: unknown) => JSON.stringify(value, null, 2);

describe('a file with the settings of before and the needs of now', () => {
  it.each<[string, string, string, string, RegExp, RegExp]>([
    [
      'a script and a dependency',
      'package.json',
      json({ name: 'a', scripts: { test: 'node --test' } }),
      json({ name: 'a', scripts: { test: 'true' }, dependencies: { ms: '2' } }),
      /"ms": "2"[\s\S]*node --test/,
      /"true"/,
    ],
    [
      'a table of a tool and a dependency',
      'pyproject.toml',
      '[project]\nname = "a"\n[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n',
      '[project]\nname = "a"\ndependencies = ["ms"]\n[tool.pytest.ini_options]\nfilterwarnings = ["default"]\n',
      /dependencies = \["ms"\]\n\[tool\.pytest\.ini_options\]\nfilterwarnings = \["error"\]/,
      /default/,
    ],
    [
      'lints and a dependency',
      'crates/a/Cargo.toml',
      '[dependencies]\n[lints.rust]\nunsafe_code = "deny"\n',
      '[dependencies]\nlibc = "1"\n',
      /libc = "1"\n\[lints\.rust\]\nunsafe_code = "deny"/,
      /allow/,
    ],
  ])('%s', (_what, path, before, now, has, lacks) => {
    const text = settingsOfBefore(path, before, now);
    expect(text).toMatch(has);
    expect(text).not.toMatch(lacks);
  });

  it.each([
    ['package.json', json({ scripts: {} }), json({ scripts: {}, dependencies: { ms: '2' } })],
    ['pyproject.toml', '[tool.ruff]\na = 1\n', '[project]\nb = 1\n[tool.ruff]\na = 1\n'],
  ])('is %s as it is where no setting changed', (path, before, now) => {
    expect(settingsOfBefore(path, before, now)).toBe(now);
  });

  it.each([
    ['.c8rc.json', '{}', '{ "a": 1 }'],
    ['package.json', null, '{}'],
    ['package.json', '{', '{}'],
  ])('isn’t known of %s', (path, before, now) => {
    expect(settingsOfBefore(path, before, now)).toBeNull();
  });
});

it.each([
  ['a.ts', 'x(); // eslint-disable-line no-x', 'x();'],
  ['a.ts', '/* eslint-disable no-x */ x();', ' x();'],
  ['a.py', 'x()  # type: ignore[attr]', 'x()'],
  ['a.rs', '#[allow(dead_code)] fn x() {}', ' fn x() {}'],
  ['a.java', '@SuppressWarnings("all") void x() {}', ' void x() {}'],
  ['a.ts', 'x(); // a comment', 'x(); // a comment'],
])('a suppression that is new in %s is left out: %s', (_path, line, left) => {
  expect(withoutNewSuppressions('y();\n', `y();\n${line}\n`)).toBe(`y();\n${left}\n`);
  expect(withoutNewSuppressions(`${line}\n`, `y();\n  ${line}\n`)).toBe(`y();\n  ${line}\n`);
});

it.each([
  ['jest.retryTimes(1);', 'jest.retryTimes(3);'],
  ['', '{ "retries": 2 }'],
  ['retry: 1', 'retry: 2'],
  ['pytest -q', 'pytest -q --reruns 3'],
  ['def test_a():', '@pytest.mark.flaky\ndef test_a():'],
  ['', '<rerunFailingTestsCount>2</rerunFailingTestsCount>'],
  ['node --test', 'flaky-retries node --test'],
])('%s → %s repeats more', (before, now) => {
  expect(raisesRetries(before, now)).toBe(true);
  expect(raisesRetries(now, before)).toBe(false);
  expect(raisesRetries(now, now)).toBe(false);
});

it.each([
  ['a.js', 'exports.a = () => 1;\n', 'exports.a = () => 2;\n', true],
  [
    'a.js',
    "const b = require('./b');\nexports.a = () => 1;\n",
    "const c = require('./c');\nexports.a = () => {\n  return 'x';\n};\n",
    true,
  ],
  ['a.js', 'const most = 5;\nexports.a = () => most;\n', 'const most = 6;\nexports.a = () => most;\n', false],
  ['a.py', 'def a():\n    return 1\n', 'def a():\n    x = "y"\n\n    return x\n', true],
  ['a.py', 'MOST = 5\n\n\ndef a():\n    return 1\n', 'MOST = 6\n\n\ndef a():\n    return 1\n', false],
  ['a.go', 'package a\nfunc A() int { return 1 }\n', 'package a\nfunc A() int { return 2 }\n', true],
  ['a.go', 'package a\nconst M = 1\n', 'package a\nconst M = 2\n', false],
])('%s differs in functions alone: %s → %s', (path, before, now, expected) => {
  expect(differsInFunctions(path, before, now)).toBe(expected);
});
