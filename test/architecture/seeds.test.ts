import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The highest number of a row of each document, how many of its rows have no number, and numbers that stand for several. */
const DOCUMENTS = [
  { name: '000', last: 76, unnumbered: 7, several: {} },
  { name: '001', last: 107, unnumbered: 4, several: { 104: ['104a', '104b', '104c'] } },
  { name: '002', last: 56, unnumbered: 6, several: {} },
  { name: '003', last: 59, unnumbered: 2, several: {} },
  { name: '004', last: 56, unnumbered: 5, several: {} },
] as const;

/** Rows that are not yet as asked for, by their first id. A row that is leaves this list, and none comes in. */
const OPEN: readonly string[] = [];

type Row = { readonly ids: readonly string[]; readonly now: string; readonly held: readonly Holder[] };
type Holder = { readonly file: string; readonly title: string };

const SECTIONS = textOf('docs/internals/seeds.md')
  .split(/^## /m)
  .slice(1)
  .map((part) => ({ name: part.slice(0, 3), rows: rowsOf(part) }));

function rowsOf(section: string): Row[] {
  return section
    .split('\n')
    .filter((line) => /^\| (?:\d|x )/.test(line))
    .map((line) => {
      const [ids = '', _what, now = '', held = ''] = line.slice(2, -2).split(' | ');
      return {
        ids: ids.split(', ').flatMap(idsIn),
        now,
        held: held.split(' + ').map((one) => {
          const [, file = '', title = ''] = /^`([^`]+?) › (.+)`$/.exec(one) ?? [];
          return { file, title };
        }),
      };
    });
}

/** Returns the ids of a range of rows: `07–11` is five. */
function idsIn(range: string): string[] {
  const [, first, last] = /^(\d+)–(\d+)$/.exec(range) ?? [];
  if (first === undefined || last === undefined) return [range];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => String(Number(first) + index).padStart(2, '0'));
}

describe('docs/internals/seeds.md', () => {
  it.each(DOCUMENTS)('has each row of $name once', ({ name, last, unnumbered, several }) => {
    const numbers = Array.from({ length: last }, (_, index) => String(index + 1).padStart(2, '0'));
    const expected = [
      ...numbers.flatMap((number) => (several as Record<string, readonly string[]>)[number] ?? [number]),
      ...Array.from({ length: unnumbered }, (_, index) => `x ${index + 1}`),
    ];
    const rows = SECTIONS.find((one) => one.name === name)?.rows ?? [];
    expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(expected.toSorted());
  });

  it('has 380 rows, each difference with its reason', () => {
    const rows = SECTIONS.flatMap((one) => one.rows);
    expect(rows.flatMap(({ ids }) => ids)).toHaveLength(380);
    const states = /^(?:works|better|same: .|open: .)/;
    expect(rows.map(({ now }) => now).filter((now) => !states.test(now))).toEqual([]);
  });

  it('has no other open rows than these', () => {
    const open = SECTIONS.flatMap(({ name, rows }) =>
      rows.filter(({ now }) => now.startsWith('open')).map(({ ids }) => `${name}-${ids[0]}`),
    );
    expect(open).toEqual(OPEN);
  });

  it('names tests that are there', () => {
    const gone = SECTIONS.flatMap(({ name, rows }) =>
      rows.flatMap(({ ids, held }) =>
        held
          .filter(
            ({ file, title }) =>
              !holds(`${file.startsWith('packages/') ? '' : 'test/'}${file}.test.ts`, title),
          )
          .map(({ file, title }) => `${name} ${ids[0]}: ${file} › ${title}`),
      ),
    );
    expect(gone).toEqual([]);
  });
});

function holds(path: string, title: string): boolean {
  return title !== '' && existsSync(join(ROOT, path)) && textOf(path).replaceAll("\\'", "'").includes(title);
}

it.each([
  'README.md',
  'templates/PROMPT_build.md',
  'docs/INTERVENTIONS.md',
  'docs/PROMPT_ANATOMY.md',
  'docs/ADAPTIVE_TIMEOUT.md',
  'docs/UNBLOCK_GUIDE.md',
  'docs/TROUBLESHOOTING.md',
  'docs/internals/tuning.md',
])('the documents that were asked for are there: %s', (path) => {
  expect(existsSync(join(ROOT, path))).toBe(true);
});

it.each(['commander', 'zod', 'smol-toml', 'chalk', 'ora', 'execa', 'simple-git'])(
  'the libraries that were asked for are in use: %s',
  (name) => {
    const imports = new RegExp(`from '${name}(?:/[a-z]+)?'|import\\('${name}'\\)`);
    expect(sourceFiles().some((path) => imports.test(textOf(`src/${path}`)))).toBe(true);
  },
);
