import { expect, it } from 'vitest';
import { reviewDiff } from '../../../src/proof/avoidance/index.ts';

const kindsOf = (path: string, before: string, after: string): string[] => [
  ...new Set(reviewDiff({ files: [{ path, before, after }] }).findings.map(({ kind }) => kind)),
];

const SKIP = ['skip_added'];
const FOCUS = ['focus_added'];

/** A test, and the same test as its framework skips it, or leaves all others out by it. */
it.each<readonly [framework: string, path: string, before: string, after: string, kinds: readonly string[]]>([
  [
    'Deno, ignored',
    'a_test.ts',
    "Deno.test('adds', () => {\n  assertEquals(add(1, 1), 2);\n});\n",
    "Deno.test.ignore('adds', () => {\n  assertEquals(add(1, 1), 2);\n});\n",
    SKIP,
  ],
  [
    'Deno, ignored by an option',
    'a_test.ts',
    "Deno.test({ name: 'adds', fn: () => {\n  assertEquals(add(1, 1), 2);\n} });\n",
    "Deno.test({ name: 'adds', ignore: true, fn: () => {\n  assertEquals(add(1, 1), 2);\n} });\n",
    SKIP,
  ],
  [
    'Deno, alone',
    'a_test.ts',
    "Deno.test('adds', () => {\n  assertEquals(add(1, 1), 2);\n});\n",
    "Deno.test.only('adds', () => {\n  assertEquals(add(1, 1), 2);\n});\n",
    FOCUS,
  ],
  [
    'QUnit',
    'test/a.js',
    "QUnit.test('adds', (assert) => {\n  assert.equal(add(1, 1), 2);\n});\n",
    "QUnit.test.skip('adds', (assert) => {\n  assert.equal(add(1, 1), 2);\n});\n",
    SKIP,
  ],
  [
    'QUnit, as of old',
    'test/a.js',
    "QUnit.test('adds', (assert) => {\n  assert.equal(add(1, 1), 2);\n});\n",
    "QUnit.skip('adds', (assert) => {\n  assert.equal(add(1, 1), 2);\n});\n",
    SKIP,
  ],
  [
    'QUnit, alone',
    'test/a.js',
    "QUnit.test('adds', (assert) => {\n  assert.equal(add(1, 1), 2);\n});\n",
    "QUnit.test.only('adds', (assert) => {\n  assert.equal(add(1, 1), 2);\n});\n",
    FOCUS,
  ],
  [
    'brittle, alone',
    'test/a.test.js',
    "test('adds', (t) => {\n  t.is(add(1, 1), 2);\n});\n",
    "test.solo('adds', (t) => {\n  t.is(add(1, 1), 2);\n});\n",
    FOCUS,
  ],
  [
    'bun, by a condition that never holds',
    'a.test.js',
    "test('adds', () => {\n  expect(add(1, 1)).toBe(2);\n});\n",
    "test.if(false)('adds', () => {\n  expect(add(1, 1)).toBe(2);\n});\n",
    SKIP,
  ],
  [
    'node-tap',
    'test/a.test.js',
    "t.test('adds', (t) => {\n  t.equal(add(1, 1), 2);\n  t.end();\n});\n",
    "t.skip('adds', (t) => {\n  t.equal(add(1, 1), 2);\n  t.end();\n});\n",
    SKIP,
  ],
  [
    'test-unit, omitted',
    'test/test_a.rb',
    'class TestA < Test::Unit::TestCase\n  def test_adds\n    assert_equal 2, add(1, 1)\n  end\nend\n',
    'class TestA < Test::Unit::TestCase\n  def test_adds\n    omit "later"\n    assert_equal 2, add(1, 1)\n  end\nend\n',
    SKIP,
  ],
  [
    'test-unit, pending',
    'test/test_a.rb',
    'class TestA < Test::Unit::TestCase\n  def test_adds\n    assert_equal 2, add(1, 1)\n  end\nend\n',
    'class TestA < Test::Unit::TestCase\n  def test_adds\n    pend\n    assert_equal 2, add(1, 1)\n  end\nend\n',
    SKIP,
  ],
  [
    'Unity',
    'test/test_a.c',
    'void test_adds(void) {\n  TEST_ASSERT_EQUAL(2, add(1, 1));\n}\n',
    'void test_adds(void) {\n  TEST_IGNORE();\n  TEST_ASSERT_EQUAL(2, add(1, 1));\n}\n',
    SKIP,
  ],
  [
    'Catch2, hidden',
    'test/test_a.cpp',
    'TEST_CASE("adds", "[sums]") {\n  REQUIRE(add(1, 1) == 2);\n}\n',
    'TEST_CASE("adds", "[.][sums]") {\n  REQUIRE(add(1, 1) == 2);\n}\n',
    SKIP,
  ],
  [
    'ExUnit',
    'test/a_test.exs',
    'test "adds" do\n  assert add(1, 1) == 2\nend\n',
    '@tag :skip\ntest "adds" do\n  assert add(1, 1) == 2\nend\n',
    SKIP,
  ],
  // What is called so and skips nothing.
  [
    'a file that is omitted from a list',
    'test/test_a.rb',
    'def test_adds\n  assert_equal [1], keys\nend\n',
    'def test_adds\n  assert_equal [1], keys.omit(2)\nend\n',
    [],
  ],
  [
    'an option of production that ignores something',
    'test/a.test.js',
    "test('copies', () => {\n  expect(copy({ from: 'a' })).toBe(true);\n});\n",
    "test('copies', () => {\n  expect(copy({ from: 'a', ignore: true })).toBe(true);\n});\n",
    [],
  ],
])('%s', (_framework, path, before, after, kinds) => {
  const found = kindsOf(path, before, after);
  if (kinds.length === 0) expect(found).toEqual([]);
  else expect(found).toEqual(expect.arrayContaining([...kinds]));
});
