import { describe, expect, it } from 'vitest';
import { reviewDiff } from './index.ts';

type Row = readonly [what: string, path: string, before: string, after: string, kinds: readonly string[]];

const check: (...row: Row) => void = (_what, path, before, after, kinds) => {
  const { findings } = reviewDiff({ files: [{ path, before, after }] });
  expect([...new Set(findings.map(({ kind }) => kind))]).toEqual(kinds);
};

const spec = (body: string) => `RSpec.describe A do\n  it 'reads' do\n${body}  end\nend\n`;
const PARTS = spec(
  "    row = A.read('x')\n    expect(row.name).to eq('x')\n    expect(row.count).to eq(3)\n",
);
const java = (body: string) => `class QTest {\n  @Test\n  void sorts() {\n${body}  }\n}\n`;
const ITEMS = java(
  '    var rows = q.sorted();\n    assertEquals(2, rows.size());\n    assertEquals("a", rows.get(0));\n    assertEquals("b", rows.get(1));\n',
);
const py = (body: string) => `def test_a():\n${body}`;
const CAUGHT = py(
  '    with raises(E) as caught:\n        f("u")\n    assert str(caught.value) == "no answer"\n',
);
const go = (body: string) => `func TestPut(t *testing.T) {\n${body}}\n`;
const rows = (check: string) =>
  go(
    `\tfor _, tc := range []struct{ in string; wantErr bool }{{"x", false}, {"", true}} {\n\t\t_, err := Put(tc.in)\n\t\t${check}\n\t}\n`,
  );
const EACH = go(
  '\tif _, err := Put(""); err == nil {\n\t\tt.Error("want an error")\n\t}\n\tif _, err := Put("x"); err != nil {\n\t\tt.Error(err)\n\t}\n',
);

describe('checks of parts in one of the whole', () => {
  it.each<Row>([
    [
      'by names',
      'spec/a_spec.rb',
      PARTS,
      spec("    expect(A.read('x')).to have_attributes(name: 'x', count: 3)\n"),
      [],
    ],
    [
      'by some of the names',
      'spec/a_spec.rb',
      PARTS,
      spec("    expect(A.read('x')).to have_attributes(name: 'x')\n"),
      ['assertion_removed'],
    ],
    ['as a list', 'QTest.java', ITEMS, java('    assertEquals(List.of("a", "b"), q.sorted());\n'), []],
    [
      'as a shorter list',
      'QTest.java',
      ITEMS,
      java('    assertEquals(List.of("a"), q.sorted());\n'),
      ['assertion_removed'],
    ],
    [
      'as one of a list',
      'QTest.java',
      ITEMS,
      java('    assertTrue(q.sorted().contains("a"));\n'),
      ['assertion_weakened', 'assertion_removed'],
    ],
    [
      'as a message',
      'test_a.py',
      CAUGHT,
      py('    with raises(E, match=r"^no answer$"):\n        f("u")\n'),
      [],
    ],
    [
      'without the message',
      'test_a.py',
      CAUGHT,
      py('    with raises(E):\n        f("u")\n'),
      ['assertion_removed'],
    ],
    [
      'as a column of a table',
      'a_test.go',
      EACH,
      rows('if (err != nil) != tc.wantErr {\n\t\t\tt.Errorf("Put(%q) = %v", tc.in, err)\n\t\t}'),
      [],
    ],
  ])('%s', check);
});

const tap = (body: string) => `test('adds', (t) => {\n${body}})\n`;
const sub = (end: string) =>
  `test('all', async (t) => {\n  await t.test('one', (t, done) => {\n    f((err) => {\n      t.assert.ifError(err)\n${end}    })\n  })\n\n  await t.test('two', (t) => {\n    t.assert.equal(g(), 2)\n  })\n})\n`;

describe('tests of tap and its like', () => {
  it.each<Row>([
    [
      'lose a check',
      'a.test.js',
      tap('  t.equal(add(1), 2)\n  t.equal(add(2), 3)\n'),
      tap('  t.equal(add(1), 2)\n'),
      ['assertion_removed'],
    ],
    [
      'ask less',
      'a.test.js',
      tap('  t.deepEqual(rows(), [1, 2])\n'),
      tap('  t.ok(rows())\n'),
      ['assertion_weakened'],
    ],
    [
      'ask the same in other words',
      'a.test.js',
      tap('  t.notOk(valid(1))\n  t.equal(add(1), 2)\n'),
      tap('  t.assert.ok(!valid(1))\n  t.assert.equal(add(1), 2)\n'),
      [],
    ],
    ['say when they end', 'a.test.js', sub(''), sub('      done()\n'), []],
    [
      'say that they fail',
      'a.test.js',
      tap('  t.equal(add(1), 2)\n'),
      tap("  if (broken) t.fail('broken')\n  t.equal(add(1), 2)\n"),
      [],
    ],
  ])('%s', check);
});

describe('values', () => {
  it.each<Row>([
    [
      'made alike before they are compared',
      'test_a.py',
      py('    assert slug("A") == "a"\n'),
      py('    assert slug("A").lower() == "a"\n'),
      ['tolerance_widened'],
    ],
    [
      'compared by their distance',
      'test_a.py',
      py('    assert f() == approx(2, abs=1e-6)\n'),
      py('    assert abs(f() - 2) < 1e-6\n'),
      [],
    ],
    [
      'of a body that are all nothing',
      'a.ts',
      'export function spread(xs: number[]) {\n  return { min: least(xs), max: most(xs) };\n}\n',
      'export function spread(xs: number[]) {\n  return { min: 0, max: 0 };\n}\n',
      ['stub'],
    ],
  ])('%s', check);
});

describe('settings', () => {
  it.each<Row>([
    [
      'of tap without a threshold',
      '.taprc',
      'ts: false\nlines: 90\nbranches: 90\n',
      'ts: false\n',
      ['threshold_removed'],
    ],
    [
      'that leave legs of a matrix out',
      '.github/workflows/a.yml',
      'strategy:\n  matrix:\n    os: [a, b]\n',
      'strategy:\n  matrix:\n    os: [a, b]\n    exclude:\n      - os: windows-latest\n',
      [],
    ],
    [
      'of a package, for its publication',
      'package.json',
      '{\n  "name": "a"\n}\n',
      '{\n  "name": "a",\n  "publishConfig": {\n    "ignore": [\n      "bower.json"\n    ]\n  }\n}\n',
      [],
    ],
  ])('%s', check);

  it('may be in the words of the tool that comes after', () => {
    const files = [
      { path: '.eslintrc.json', before: '{ "rules": { "eqeqeq": "error" } }\n', after: null },
      { path: 'biome.json', before: null, after: '{ "linter": { "rules": { "recommended": true } } }\n' },
    ];
    expect(reviewDiff({ files }).findings).toEqual([]);
    expect(reviewDiff({ files: files.slice(0, 1) }).findings).not.toEqual([]);
  });
});
