import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { textsOf } from '../../helpers/docs/printed-commands.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const RECORD = /^\d{4}-[a-z\d-]+\.md$/;
const recordsIn = (folder: string) => readdirSync(`${root}${folder}`).filter((name) => RECORD.test(name));
const IN_FORCE = recordsIn('docs/adr');
const HISTORY = recordsIn('docs/adr/history');

/** Texts that may lead to records; those in history speak of what was. */
const TEXTS = [
  ...textsOf(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'GLOSSARY.md', 'CHANGELOG.md', 'docs'], /\.md$/),
  ...textsOf(['src', 'packages'], /(?<!node_modules.*)\.(?:[jt]s|md)$/),
].filter(([path]) => !path.startsWith('docs/adr/history/'));

/** Records that a text names, as file names or as the numbers that file names begin with. */
function namedIn(text: string): string[] {
  const byFile = [...text.matchAll(/(?:docs\/adr\/|\]\()((?:history\/)?\d{4}[\w.-]*(?:\.md)?)/g)];
  const byNumber = [...text.matchAll(/\bADRs? ((?:\d+(?:, | and | to )?)+)/g)];
  return [
    ...byFile.map(([, name = '']) => name.replace(/\.$/, '')),
    ...byNumber.flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? []).map((one) => one.padStart(4, '0')),
  ];
}

const isThere = (name: string) => IN_FORCE.some((record) => record === name || record.startsWith(`${name}-`));

it('docs/adr/README.md has one line of at most 20 words for each decision in force', () => {
  const lines = readFileSync(`${root}docs/adr/README.md`, 'utf8').split('\n');
  const listed = lines.flatMap((line) => {
    const [, number = '', record = '', text = ''] = /^- \[(\d+)\]\(([^)]+)\): (.+\.)$/.exec(line) ?? [];
    return record === '' ? [] : [{ number, record, words: text.split(' ').length }];
  });
  expect(listed.map(({ record }) => record).sort()).toEqual(IN_FORCE.toSorted());
  expect(listed.filter(({ number, record }) => Number(record.slice(0, 4)) !== Number(number))).toEqual([]);
  expect(listed.filter(({ words }) => words > 20)).toEqual([]);
});

it('a number stands for one record', () => {
  const numbers = [...IN_FORCE, ...HISTORY].map((name) => name.slice(0, 4));
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});

it.each(HISTORY)(
  'docs/adr/history/%s begins with what replaced it, or with why it no longer holds',
  (name) => {
    const [first = ''] = readFileSync(`${root}docs/adr/history/${name}`, 'utf8').split('\n');
    const [, by] = /^Replaced by \[\d{4}\]\(\.\.\/([^)]+)\)\.$/.exec(first) ?? [];
    if (by === undefined) expect(first).toMatch(/^No longer holds: ./);
    else expect(IN_FORCE).toContain(by);
  },
);

it('documents and comments name decisions in force alone', () => {
  const dead = TEXTS.flatMap(([path, text]) =>
    namedIn(text)
      .filter((name) => !isThere(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(dead).toEqual([]);
});

it('files that decisions name are there', () => {
  const folders = new Set(readdirSync(`${root}src`));
  const packages = new Set(readdirSync(`${root}packages`));
  const fileOf = (named: string) => {
    const [first = '', ...rest] = named.split('/');
    if (folders.has(first)) return `src/${named}`;
    return packages.has(first) ? `packages/${first}/src/${rest.join('/')}` : named;
  };
  const named = IN_FORCE.flatMap((record) => {
    const text = readFileSync(`${root}docs/adr/${record}`, 'utf8');
    const paths = [...text.matchAll(/`((?:[a-z][\w-]*\/)+[a-z][\w.-]*\.ts)`/g)];
    return paths.map(([, path = '']) => `${record}: ${fileOf(path)}`);
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !existsSync(`${root}${name.split(': ')[1]}`))).toEqual([]);
});

it('finds records by file, by the beginning of a file, and by number', () => {
  const text =
    'See [61](0061-a.md), docs/adr/0013. (docs/adr/0015) ADR 9, ADR 17, 45, ADR 19 to 24 and ADRs 1 and 2.';
  const named = ['0061-a.md', '0013', '0015', '0009', '0017', '0045', '0019', '0024', '0001', '0002'];
  expect(namedIn(text)).toEqual(named);
});
