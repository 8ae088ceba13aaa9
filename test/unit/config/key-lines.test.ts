import { describe, expect, it } from 'vitest';
import { nearestEntry } from '../../../src/config/key-path.ts';
import { keyLines } from '../../../src/config/parse-toml.ts';

describe('keyLines', () => {
  it.each<[what: string, text: string, key: string, line: number]>([
    ['a top-level key', '# c\n\nx = 1', 'x', 3],
    ['a section', 'x = 1\n[a]\n', 'a', 2],
    ['a key of a section', '[a]\nx = 1\n[b]\nx = 2', 'b.x', 4],
    ['a nested section', '[a.b]\nx = 1', 'a.b.x', 2],
    ['a nested section with spaces', '[ a . b ]\nx = 1', 'a.b.x', 2],
    ['a dotted key', '[a]\nb.c = 1', 'a.b.c', 2],
    ['a quoted key', '[a]\n"b.c" = 1', 'a."b.c"', 2],
    ['a literal key', "[a.'b c']\nx = 1", 'a."b c".x', 2],
    ['an escaped key', '"a\\u0062" = 1', 'ab', 1],
    ['an inline table', '[a]\nb = { c = 1, d = { e = 2 } }', 'a.b.d.e', 2],
    ['an inline table over lines', 'a = {\n b = 1, # x\n c = 2 }', 'a.c', 3],
    ['an entry of a list', 'a = [\n 1,\n # 2,\n 3,\n]', 'a[1]', 4],
    ['a table in a list', 'a = [\n { b = 1 },\n { b = 2,\n c = 3 }]', 'a[1].c', 4],
    ['a list in a list', 'a = [[1],\n[2,\n3]]', 'a[1][1]', 3],
    ['a list of tables', '[[a]]\nx = 1\n[[a]]\nx = 2', 'a[1].x', 4],
    ['a section of a list of tables', '[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\nx = 2', 'a[1].b.x', 6],
    ['a key after a long string', 'a = """\nx = 1\n[b]\n"""\ny = 2', 'y', 5],
    ['a key after a literal long string', "a = '''\n'x' = \\\n'''\ny = 2", 'y', 4],
    ['an entry after a long string that ends in a quote', 'a = ["""x"""",\n 1]', 'a[1]', 2],
    ['a key after a string with quotes', 'a = "\\"[b]\\""\ny = 2', 'y', 2],
    ['a key after a string with a number sign', 'a = "# no"\ny = "b" # yes\nz = 1', 'z', 3],
    ['a key after a date', 'a = 1979-05-27 07:32:00\ny = 2', 'y', 2],
    ['a key with carriage returns', '[a]\r\nx = 1\r\ny = 2\r\n', 'a.y', 3],
  ])('%s', (_, text, key, line) => {
    expect(keyLines(text).get(key)).toBe(line);
  });

  it("text in a long string isn't a key", () => {
    expect([...keyLines('a = """\nx = 1\n"""').keys()]).toEqual(['a']);
  });
});

describe('nearestEntry', () => {
  const lines = keyLines('[a]\nb = [\n { c = 1 }]');

  it.each<[(string | number)[], number | null]>([
    [['a', 'b', 0, 'c'], 3],
    [['a', 'b', 0, 'missing'], 3],
    [['a', 'missing'], 1],
    [['missing'], null],
  ])('%j', (path, line) => {
    expect(nearestEntry(lines, path)?.entry ?? null).toBe(line);
  });
});

it('knows no line where a text is longer than its parser takes, and fails by none', () => {
  expect(keyLines(`a = 1\nb = """${'x'.repeat(5_000_000)}"""\n`).get('b') ?? null).toBeNull();
});
