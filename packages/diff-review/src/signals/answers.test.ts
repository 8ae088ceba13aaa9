import { expect, it } from 'vitest';
import { isTestOf, reviewDiff } from '../index.ts';

type Row = readonly [what: string, path: string, before: string | null, after: string, level: string];

const TESTS: Readonly<Record<string, { readonly path: string; readonly text: string }>> = {
  js: {
    path: 'test/clamp.test.js',
    text: "test('clamps', () => {\n  assert.equal(clamp(7, 0, 5), 5);\n  assert.equal(label(7), 'seven');\n  assert.equal(isEven(4), true);\n  assert.equal(version(), '1.2');\n});\n",
  },
  ts: { path: 'test/clamp.test.ts', text: "it('clamps', () => {\n  expect(clamp(7, 0, 5)).toBe(5);\n});\n" },
  py: { path: 'tests/test_clamp.py', text: 'def test_clamp():\n    assert clamp(7, 0, 5) == 5\n' },
  go: {
    path: 'clamp_test.go',
    text: 'func TestClamp(t *testing.T) {\n\tassert.Equal(t, 5, Clamp(7, 0, 5))\n}\n',
  },
  rb: { path: 'test/test_clamp.rb', text: 'def test_clamp\n  assert_equal 5, clamp(7, 0, 5)\nend\n' },
};

const JS = 'export function clamp(value, low, high) {\n  return Math.min(high, value);\n}\n';

it.each<Row>([
  ['a function', 'src/clamp.js', JS, 'export function clamp(value, low, high) {\n  return 5;\n}\n', 'act'],
  [
    'a new function',
    'src/clamp.js',
    null,
    'export function clamp(value, low, high) {\n  return 5;\n}\n',
    'act',
  ],
  ['an arrow', 'src/clamp.js', null, 'export const clamp = (value, low, high) => 5;\n', 'act'],
  [
    'an arrow with a body',
    'src/clamp.js',
    null,
    'export const clamp = (value, low, high) => {\n  return 5;\n};\n',
    'act',
  ],
  [
    'types',
    'src/clamp.ts',
    null,
    'export function clamp(value: number, low: number, high: number): number {\n  return 5;\n}\n',
    'act',
  ],
  [
    'a docstring',
    'app/clamp.py',
    null,
    'def clamp(value, low, high):\n    """Keep value in bounds."""\n    return 5\n',
    'act',
  ],
  ['Go', 'clamp.go', null, 'package a\n\nfunc Clamp(value, low, high int) int {\n\treturn 5\n}\n', 'act'],
  ['Ruby', 'lib/clamp.rb', null, 'def clamp(value, low, high)\n  5\nend\n', 'act'],
  ['a text', 'src/clamp.js', null, "export const label = (value) => 'seven';\n", 'act'],
  [
    'a method',
    'src/clamp.js',
    null,
    'class Range {\n  clamp(value, low, high) {\n    return 5;\n  }\n}\n',
    'act',
  ],
  ['yes or no', 'src/clamp.js', null, 'export const isEven = (value) => true;\n', 'warn'],
  ['a result that is computed', 'src/clamp.js', null, JS, 'none'],
  ['another value', 'src/clamp.js', null, 'export const clamp = (value, low, high) => 50;\n', 'none'],
  ['no parameters', 'src/clamp.js', null, "export function version() {\n  return '1.2';\n}\n", 'none'],
  ['a parameter that says so', 'src/clamp.js', null, "export const label = (_value) => 'seven';\n", 'none'],
  [
    'a first answer among others',
    'src/clamp.js',
    null,
    'export function clamp(value, low, high) {\n  if (value > high) return high;\n  return value;\n}\n',
    'none',
  ],
])('what a test on disk asserts, returned for all parameters: %s', (_what, path, before, after, level) => {
  const tests = Object.values(TESTS).filter((one) => one.path.endsWith(path.slice(path.lastIndexOf('.'))));
  const { findings } = reviewDiff({ files: [{ path, before, after }] }, { tests });
  const found = findings.filter(({ kind }) => kind === 'answer_of_a_test').map((one) => one.level);
  expect(found).toEqual(level === 'none' ? [] : [level]);
});

it.each([
  ['test/sum.test.ts', 'src/sum.ts', true],
  ['tests/test_sum.py', 'app/sum.py', true],
  ['sum_test.go', 'sum.go', true],
  ['src/test/java/a/SumTest.java', 'src/main/java/a/Sum.java', true],
  ['test/other.test.ts', 'src/sum.ts', false],
  ['src/sum.ts', 'src/sum.ts', false],
  ['test/sum.test.ts', 'docs/sum.md', false],
])('%s is a test of %s: %s', (path, changed, expected) => {
  expect(isTestOf(path, [changed])).toBe(expected);
});
