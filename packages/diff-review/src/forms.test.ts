import { describe, expect, it } from 'vitest';
import { reviewDiff } from './index.ts';

type Row = readonly [what: string, path: string, before: string, after: string, kinds: readonly string[]];

const kindsOf = (path: string, before: string, after: string): string[] => [
  ...new Set(reviewDiff({ files: [{ path, before, after }] }).findings.map(({ kind }) => kind)),
];

const check: (...row: Row) => void = (_what, path, before, after, kinds) => {
  expect(kindsOf(path, before, after)).toEqual(kinds);
};

const test = (body: string) => `it('adds', async () => {\n  ${body}\n});\n`;
const py = (body: string) => `def test_total():\n    ${body}\n`;
const go = (body: string) => `func TestTotal(t *testing.T) {\n\t${body}\n}\n`;
const scala = (body: string) => `it should "add" in {\n  ${body}\n}\n`;
const EQUAL = test('expect(total([100], 2)).toBe(105);');

describe('a check', () => {
  it.each<Row>([
    [
      'that throws, of any message',
      'a.test.ts',
      test("expect(f).toThrow('no');"),
      test('expect(f).toThrow(/./);'),
      ['assertion_weakened'],
    ],
    [
      'that throws, of another pattern',
      'a.test.ts',
      test("expect(f).toThrow('no');"),
      test('expect(f).toThrow(/^no$/);'),
      [],
    ],
    [
      'of what the subject gives',
      'a.test.ts',
      EQUAL,
      test('const want = total([100], 2);\n  expect(total([100], 2)).toBe(want);'),
      ['assertion_weakened'],
    ],
    [
      'of a value by a name',
      'a.test.ts',
      EQUAL,
      test('const want = 105;\n  expect(total([100], 2)).toBe(want);'),
      [],
    ],
    [
      'of a rounded value',
      'test_a.py',
      py('assert total([9]) == 9'),
      py('assert round(total([9]), -1) == 9'),
      ['tolerance_widened'],
    ],
    [
      'that is only printed',
      'a.test.ts',
      EQUAL,
      test('console.assert(total([100], 2) === 105);'),
      ['assertion_weakened'],
    ],
    [
      'with another condition beside it',
      'a_test.go',
      go('if got := f(); got != 5 {\n\t\tt.Fatal(got)\n\t}'),
      go('if got := f(); got != 5 && false {\n\t\tt.Fatal(got)\n\t}'),
      ['assertion_weakened'],
    ],
    [
      'by an infix word',
      'ASpec.scala',
      scala('total(100) shouldBe 105'),
      scala('total(100) should be > 0'),
      ['assertion_weakened'],
    ],
    [
      'by another infix word',
      'ASpec.scala',
      scala('total(100) shouldBe 105'),
      scala('total(100) should be (105)'),
      [],
    ],
    [
      'on one system and on others',
      'a.test.ts',
      EQUAL,
      test(
        'const got = total([100], 2);\n  if (isWindows) {\n    expect(got).toBe(105);\n  } else {\n    expect(got).toBe(106);\n  }',
      ),
      [],
    ],
    [
      'in a function that is called',
      'a.test.ts',
      EQUAL,
      test('const check = () => expect(total([100], 2)).toBe(105);\n  check();'),
      [],
    ],
    [
      'of an error, with one that has to be there',
      'a.test.ts',
      test("expect(() => f(-1)).toThrow('no');"),
      test(
        "expect.assertions(1);\n  try {\n    f(-1);\n  } catch (e) {\n    expect(e.message).toBe('no');\n  }",
      ),
      [],
    ],
  ])('%s', check);
});

describe('tests that are still there', () => {
  it.each<Row>([
    [
      'with no values to run with',
      'a.test.ts',
      EQUAL,
      EQUAL.replace("it('adds'", "it.each([])('adds'"),
      ['skip_added'],
    ],
  ])('%s', (_what, path, before, after, kinds) => {
    expect(kindsOf(path, before, after)).toEqual(expect.arrayContaining([kinds.at(-1)]));
  });
});

describe('production code', () => {
  const total = (body: string) => `export function total(xs) {\n${body}  return sum(xs) * 2;\n}\n`;
  it.each<Row>([
    [
      'with one input answered',
      'a.ts',
      total(''),
      total('  if (xs.length === 1 && xs[0] === 100) {\n    return 105;\n  }\n'),
      ['literal_branch'],
    ],
    [
      'with no input answered',
      'a.ts',
      total(''),
      total('  if (xs.length === 0) {\n    return 0;\n  }\n'),
      [],
    ],
    ['that reads where it runs', 'a.ts', total(''), total('  if (process.env.DEBUG) console.log(xs);\n'), []],
    [
      'behind a constant',
      'a.py',
      'def total(xs):\n    return sum(xs) * 2\n',
      'def total(xs):\n    return 105\n    return sum(xs) * 2\n',
      ['constant_result'],
    ],
    [
      'that looks its answer up',
      'a.ts',
      total('').replace('sum(xs) * 2', 'key(xs)'),
      total('').replace('sum(xs) * 2', "{ '100:5': 105 }[key(xs)]"),
      ['literal_table'],
    ],
    ['with a table of words', 'a.ts', total(''), `const RATES = { de: 0.19, fr: 0.2 };\n\n${total('')}`, []],
    [
      'that no longer raises',
      'a.py',
      'def f(x):\n    if x < 0:\n        raise ValueError("no")\n    return g(x)\n',
      'def f(x):\n    if x < 0:\n        return 0\n    return g(x)\n',
      ['error_dropped'],
    ],
    [
      'that raises something else',
      'a.py',
      'def f(x):\n    if x < 0:\n        raise ValueError("no")\n    return g(x)\n',
      'def f(x):\n    if x < 0:\n        raise TooSmall(x)\n    return g(x)\n',
      [],
    ],
    [
      'with a value of any type',
      'a.ts',
      'export const v = f(x);\n',
      'export const v = f(x as any);\n',
      ['suppression_added'],
    ],
    ['with a value of a type', 'a.ts', 'export const v = f(x);\n', 'export const v = f(x as Item);\n', []],
    [
      'with a suppression that says why',
      'a.py',
      'import b\n',
      'import b  # noqa: F401  re-exported for the plugins\n',
      [],
    ],
    [
      'with a suppression that says when',
      'a.py',
      'import b\n',
      'import b  # noqa: F401  remove this later\n',
      ['suppression_added'],
    ],
  ])('%s', check);
});

describe('settings', () => {
  const scripts = (command: string) => `{\n  "scripts": {\n    "test": "${command}"\n  }\n}\n`;
  it.each<Row>([
    [
      'that write what is expected',
      'package.json',
      scripts('vitest run'),
      scripts('vitest run -u'),
      ['failure_ignored'],
    ],
    [
      'that write it in a script of its own',
      'package.json',
      scripts('vitest run'),
      scripts('vitest run').replace('"\n  }', '",\n    "test:update": "vitest run -u"\n  }'),
      [],
    ],
    [
      'with fewer gates',
      'ralph.toml',
      '[gates]\ncommands = ["npm test", "npm run lint"]\n',
      '[gates]\ncommands = ["npm test"]\n',
      ['policy_relaxed'],
    ],
    [
      'with more gates',
      'ralph.toml',
      '[gates]\ncommands = ["npm test"]\n',
      '[gates]\ncommands = ["npm test", "npm run lint"]\n',
      [],
    ],
    [
      'that select fewer rules',
      'ruff.toml',
      'select = ["E", "F", "B"]\n',
      'select = ["E"]\n',
      ['scope_narrowed'],
    ],
    ['that select more rules', 'ruff.toml', 'select = ["E"]\n', 'select = ["E", "F"]\n', []],
  ])('%s', check);
});
