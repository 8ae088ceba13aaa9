import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CriterionStatus } from '../../../src/domain/claim.ts';
import { criteriaOf, pathsOfCriteria } from '../../../src/proof/evidence/index.ts';
import { sourceFiles } from '../../helpers/source-files.ts';
import { file, ignored, missing } from './facts.ts';

type Files = Readonly<Record<string, string>>;

function check(criterion: string, files: Files, others: readonly string[] = []) {
  const task = { acceptance: [criterion] };
  const paths = Object.keys(files);
  const facts = pathsOfCriteria(task).map((path) =>
    others.includes(path) ? ignored(path) : path in files ? file(path) : missing(path),
  );
  const [seen] = criteriaOf(task, { facts, paths, read: (path) => files[path] ?? null });
  return seen;
}

const YES = 'shown';
const NO = 'contradicted';
const OPEN = 'not_checked';
type Row = readonly [criterion: string, standing: CriterionStatus, files: Files];

function rows(table: readonly Row[]): void {
  it.each(table)('%s: %s', (criterion, status, files) => {
    expect(check(criterion, files)).toMatchObject({ criterion: 0, standing: status });
  });
}

const JS = 'export function month(iso) {\n  return Number(iso.slice(5, 7));\n}\n';
const OTHER = 'export function year(iso) {\n  return 1;\n}\n';
const M = 'src/date.js';
const EXPORTS = '`src/date.js` exports `month`';

describe('files', () => {
  const there = { 'src/x.ts': '' };
  rows([
    ...[
      '`src/x.ts` exists',
      '`src/x.ts` exists.',
      '[ ] `src/x.ts` exists',
      'The file `src/x.ts` must exist',
      'File src/x.ts is created',
      'file `src/x.ts` is added',
      'a new file src/x.ts has been created',
      'src/x.ts should exist',
      '`src/x.ts` is present',
      '"src/x.ts" is there',
      '`./src/x.ts` exists',
      'There is a file `src/x.ts`',
      'Create src/x.ts',
    ].flatMap((criterion): Row[] => [
      [criterion, YES, there],
      [criterion, NO, {}],
    ]),
    ...[
      '`src/x.ts` is deleted',
      'The file src/x.ts is removed.',
      '`src/x.ts` no longer exists',
      '`src/x.ts` does not exist',
      '`src/x.ts` is gone',
      'Delete `src/x.ts`',
    ].flatMap((criterion): Row[] => [
      [criterion, NO, there],
      [criterion, YES, {}],
    ]),
    ['`src/a.ts` is renamed to `src/b.ts`', YES, { 'src/b.ts': '' }],
    ['`src/a.ts` is moved to `lib/a.ts`', NO, { 'src/a.ts': '' }],
    ['`src/a.ts` is moved to `lib/`', OPEN, { 'lib/a.ts': '' }],
    ['`date.js` exists', YES, { 'src/date.js': '' }],
    ['`date.js` exists', OPEN, { 'src/date.js': '', 'lib/date.js': '' }],
    ['`date.js` is deleted', OPEN, { 'src/date.js': '' }],
    ['`a.ts`, `b.ts` and `c.ts` exist', YES, { 'a.ts': '', 'b.ts': '', 'c.ts': '' }],
    ['`a.ts`, `b.ts`, and `c.ts` exist', NO, { 'a.ts': '', 'b.ts': '' }],
  ]);

  it('are there where git ignores them', () => {
    expect(check('`.env` exists', {}, ['.env'])?.standing).toBe(YES);
    expect(check('`.env` does not exist', {}, ['.env'])?.standing).toBe(NO);
  });
});

describe('what is said beside that is not checked', () => {
  const files = { 'src/x.ts': 'export const x = 1;', [M]: JS };
  rows(
    [
      'An error is shown when `config.json` exists',
      'If `src/x.ts` exists, it is loaded',
      '`src/y.ts` is created when the user runs init',
      '`src/y.ts` is created by the build',
      '`src/x.ts` is removed from the cache',
      '`src/y.ts` is added to the index',
      '`src/x.ts` exists check is fast',
      'The parser in src/x.ts is removed from use',
      '`*.log` is deleted',
      '`<name>.ts` exists',
      '`$HOME/x.ts` exists',
      '`/etc/hosts` exists',
      '`../x.ts` exists',
      '`dist/` exists',
      'A user exists',
      'The button is removed',
      'Node.js is added',
      'It works',
      '',
      '`src/date.js` exports `week` with a test',
      '`src/date.js` exports `week`, 1 to 53',
      '`src/date.js` exports `week` when asked to',
      '`src/date.js` exports only `month`',
      '`src/date.js` exports an async function `week`',
      '`src/date.js` exports a default function',
      '`src/date.js` exports `week` or `day`',
      '`src/date.js` exports week',
      '`src/date.js` tests `week`',
      '`month("2024-01-01")` returns 1',
      '`src/date.js` contains a test for `week`',
      '`src/date.js` contains `week` at its end',
      '`src/date.js` contains fewer lines',
      '`ralph` exports `week`',
      'no file contains errors',
      'no file contains `x` in its name',
      'Nothing breaks',
      'Either `src/date.js` exports `week` or `day` does',
      'Users can see that `src/date.js` exports `week`',
      'README.md mentions how to install it',
    ].map((criterion): Row => [criterion, OPEN, files]),
  );
});

describe('names in JavaScript', () => {
  const others: readonly (readonly [string, CriterionStatus, string])[] = [
    ['a function', YES, JS],
    ['a constant', YES, 'export const month = (iso) => 1;'],
    ['several in one declaration', YES, 'export const year = (a, b) => [a, b], month = 1;'],
    ['a declaration over lines without semicolons', YES, 'export const year = 1,\n  month = 2\nconst x = 3'],
    ['a pattern', YES, 'export const { year, m: month = 3 } = all;'],
    ['an array pattern', YES, 'export const [month] = all;'],
    ['a class', YES, 'export class month {}'],
    ['async', YES, 'export async function month() {}'],
    ['a generator', YES, 'export function* month() {}'],
    ['a list', YES, 'function month() {}\nexport { month };'],
    ['another name', YES, 'function m() {}\nexport { m as month };'],
    ['a string as its name', YES, 'export { m as "month" };'],
    ['under another name', NO, 'function month() {}\nexport { month as mon };'],
    ['the default', YES, 'export default function month() {}'],
    ['the default by its name', YES, 'const month = () => 1;\nexport default month;'],
    ['a member of the default', YES, 'const month = () => 1;\nexport default { month };'],
    ['a key of the default', YES, 'export default { month: (iso) => 1 };'],
    ['a method of the default', YES, 'export default { year() {}, month(iso) { return 1; } };'],
    ['a member of an exported object', YES, 'export const dates = { year: 1, month() {} };'],
    [
      'a method of an exported class',
      YES,
      'export class Dates {\n  #a = 1;\n  static month() { return 1; }\n}',
    ],
    ['set on an exported object', YES, 'const api = {};\napi.month = () => 1;\nexport default api;'],
    ['a wrapped default', OPEN, 'function month() {}\nexport default memo(month);'],
    ['a namespace', YES, "export * as month from './m.js';"],
    ['from another file', YES, "export { month } from './m.js';"],
    ['CommonJS object', YES, 'const month = 1;\nmodule.exports = { year, month };'],
    ['CommonJS key', YES, 'module.exports = { month: (iso) => 1 };'],
    ['CommonJS property', YES, 'exports.month = (iso) => 1;'],
    ['CommonJS whole property', YES, 'module.exports.month = (iso) => 1;'],
    ['CommonJS by a string', YES, "exports['month'] = 1;"],
    ['CommonJS function', YES, 'module.exports = function month() {};'],
    ['CommonJS name', YES, 'function month() {}\nmodule.exports = month;'],
    ['CommonJS variable', YES, 'const all = { month };\nmodule.exports = all;'],
    ['CommonJS both', YES, 'exports = module.exports = { month };'],
    ['CommonJS made while it runs', OPEN, 'for (const unit of units) exports[unit] = make(unit);'],
    ['CommonJS spread', OPEN, 'module.exports = { ...dates };'],
    ['CommonJS call', OPEN, 'module.exports = build();'],
    ['CommonJS assigned', OPEN, 'Object.assign(exports, dates);'],
    ['CommonJS without it', NO, 'module.exports = { year: 1 };'],
    ['another name alone', NO, OTHER],
    [
      'a longer name',
      NO,
      'export function months() {}\nexport function monthly() {}\nexport const aMonth = 1;',
    ],
    ['a comment', NO, `// export function month() {}\n/* export { month } */\n${OTHER}`],
    ['a string', NO, `const s = "export function month() {}";\n${OTHER}`],
    ['a template', NO, `const s = \`export function month() {}\`;\n${OTHER}`],
    ['not exported', NO, 'function month() {}\nexport function year() { return month(); }'],
    ['only imported', NO, "import { month } from './m.js';\nexport const year = month();"],
    ['imported under another name', NO, "import { m as month } from './m.js';\nexport const year = month();"],
    ['a script without exports', OPEN, 'function month() {}\nmonth();'],
    ['only called', OPEN, 'export const year = () => month();'],
    ['another case', OPEN, 'export function Month() {}'],
    ['a name in a string', OPEN, "register('month', () => 1);\nexport const year = 1;"],
    ['inside of a function', OPEN, 'export function year() { function month() {} return month; }'],
    ['a member of a hidden object', OPEN, 'const x = { month: 1 };\nexport const year = 1;'],
    ['minified', OPEN, `export const a=1;${'a;'.repeat(4000)}`],
    ['generated', OPEN, '// Code generated by x. DO NOT EDIT.\nexport const year = 1;'],
    ['brackets that do not match', OPEN, 'export const year = (;'],
    ['empty', NO, ''],
    ['a regular expression with a quote', YES, "const a = /'/;\nexport const month = 1;"],
    ['a decorator', YES, '@sealed({ a: 1 })\nexport class month {}'],
  ];
  it.each(others)('%s: %s', (_, status, text) => {
    expect(check(EXPORTS, { [M]: text })).toMatchObject({ standing: status });
  });

  rows(
    [
      'src/date.js exports `month`',
      '"src/date.js" exports "month"',
      'The module `src/date.js` exports `month`.',
      '`src/date.js` must export `month`',
      '`src/date.js` should now export a function `month`',
      '`src/date.js` exports the `month` function',
      '`src/date.js` exports a function named `month`',
      '`src/date.js` exports `month()`',
      '`src/date.js` re-exports `month`',
      '`src/date.js` exposes `month`',
      '`src/date.js` defines `month`',
      '`src/date.js` has a function `month`',
      '`src/date.js` provides a `month` function',
      '`src/date.js` contains the function `month`',
      '`month` is exported from `src/date.js`',
      '`month` is exported by src/date.js',
      'Function `month` is defined in `src/date.js`',
      'Export `month` from `src/date.js`',
      '`date.js` exports `month`',
    ].flatMap((criterion): Row[] => [
      [criterion, YES, { [M]: JS }],
      [criterion, NO, { [M]: OTHER }],
    ]),
  );
  rows([
    ['`src/date.js` exports `month` and `year`', YES, { [M]: JS + OTHER }],
    ['`src/date.js` exports the functions `month` and `year`', NO, { [M]: JS }],
    ['`src/date.js` and `src/b.js` export `month`', NO, { [M]: JS, 'src/b.js': OTHER }],
    ['`src/date.js` exports `month(iso)`', OPEN, { [M]: JS }],
    ['`src/date.js` exports `month(iso)`', NO, { [M]: OTHER }],
    ['`src/date.js` exports `Dates.month`', YES, { [M]: 'export class Dates { month() {} }' }],
    ['`src/date.js` exports `Dates.month`', NO, { [M]: 'export class Dates { year() {} }' }],
    ['`src/date.js` no longer exports `month`', YES, { [M]: OTHER }],
    ['`src/date.js` no longer exports `month`', NO, { [M]: JS }],
    ["`src/date.js` doesn't define `month` any more", YES, { [M]: OTHER }],
    ['`src/date.js` defines `month`', YES, { [M]: 'function month() {}' }],
    ['`src/date.js` defines `month`', OPEN, { [M]: "import { month } from './m.js';" }],
    [EXPORTS, NO, {}],
    [EXPORTS, NO, { 'src/calendar.js': JS }],
    [EXPORTS, OPEN, { 'lib/date.js': OTHER, 'src/date.test.js': '' }],
    [EXPORTS, OPEN, { 'src/date/index.js': JS }],
    [EXPORTS, YES, { 'src/date.ts': JS }],
    [EXPORTS, YES, { 'packages/a/src/date.js': JS }],
    ['`date.js` exports `month`', OPEN, { [M]: OTHER, 'lib/date.js': OTHER }],
    ['`src/date` exports `month`', YES, { 'src/date.mjs': JS }],
    [EXPORTS, YES, { [M]: "export * from './m.js';", 'src/m.js': JS }],
    [EXPORTS, NO, { [M]: "export * from './m.js';", 'src/m.js': OTHER }],
    [
      EXPORTS,
      YES,
      { [M]: "export * from './a';", 'src/a/index.ts': "export * from '../b.js';", 'src/b.ts': JS },
    ],
    [EXPORTS, NO, { [M]: "export * from './a.js';", 'src/a.js': `export * from './date.js';\n${OTHER}` }],
    [EXPORTS, YES, { [M]: "export * from './a.js';", 'src/a.js': `export * from './date.js';\n${JS}` }],
    [EXPORTS, OPEN, { [M]: "export * from 'dates';" }],
    [EXPORTS, OPEN, { [M]: "export * from '../../outside.js';" }],
    [EXPORTS, OPEN, { [M]: "export * from './gone.js';" }],
    [EXPORTS, YES, { [M]: "module.exports = require('./m');", 'src/m.js': 'exports.month = 1;' }],
    [EXPORTS, NO, { [M]: "module.exports = require('./m');", 'src/m.js': 'exports.year = 1;' }],
    ['`src/date.vue` exports `month`', OPEN, { 'src/date.vue': '<script></script>' }],
    ['`package.json` exports `month`', OPEN, { 'package.json': '{}' }],
  ]);
});

describe('names in TypeScript', () => {
  it.each<[string, CriterionStatus, string]>([
    ['a type', YES, 'export type Month = 1 | 2;'],
    ['an interface', YES, 'export interface Month { a: string }'],
    ['an enum', YES, 'export enum Month { A }'],
    ['a constant enum', YES, 'export const enum Month { A }'],
    ['a declared one', YES, 'export declare function Month(): void;'],
    ['a type alone', YES, "export type { Month } from './m.ts';"],
    ['a type in a list', YES, 'type Month = 1;\nexport { type Month };'],
    ['abstract', YES, 'export abstract class Month<T extends object> implements A<T> {}'],
    ['a typed constant', YES, 'export const Year: Map<string, number> = new Map(), Month: number = 1;'],
    ['a member of a typed object', YES, 'export const all: Record<string, () => void> = { Month() {} };'],
    ['export =', OPEN, 'const a = 1;\nexport = a;'],
    ['not exported', NO, 'interface Month { a: 1 }\nexport type Year = Month;'],
    ['a member of a type', OPEN, 'export interface Year { Month: number }'],
    ['nothing like it', NO, 'export type Year = number;'],
  ])('%s: %s', (_, status, text) => {
    expect(check('`src/date.ts` exports `Month`', { 'src/date.ts': text })).toMatchObject({
      standing: status,
    });
  });
});

describe('names in Python', () => {
  const P = 'dates/__init__.py';
  it.each<[string, CriterionStatus, Files]>([
    ['a function', YES, { [P]: 'def month(iso):\n    return 1\n' }],
    ['async', YES, { [P]: 'async def month(iso):\n    return 1\n' }],
    ['a class', YES, { [P]: 'class month:\n    pass\n' }],
    ['an assignment', YES, { [P]: 'year = month = 1\n' }],
    ['a pair', YES, { [P]: 'year, month = 1, 2\n' }],
    ['annotated', YES, { [P]: 'month: int = 1\n' }],
    ['imported', YES, { [P]: 'from .m import (\n    year,\n    month,\n)\n' }],
    ['imported as it', YES, { [P]: 'from .m import m as month\n' }],
    ['imported as another', OPEN, { [P]: 'from .m import month as m\n' }],
    ['in try', YES, { [P]: 'try:\n    import json as month\nexcept ImportError:\n    month = None\n' }],
    ['a method', YES, { [P]: 'class Dates:\n    def month(self):\n        return 1\n' }],
    ['after a multiline call', YES, { [P]: 'x = f(\n  1,\n  2,\n)\ndef month():\n    pass\n' }],
    ['from all of a module', YES, { [P]: 'from .m import *\n', 'dates/m.py': 'def month():\n    pass\n' }],
    ['not from all of a module', NO, { [P]: 'from .m import *\n', 'dates/m.py': 'def year():\n    pass\n' }],
    ['from all of another package', OPEN, { [P]: 'from arrow import *\n' }],
    ['a submodule', OPEN, { [P]: '', 'dates/month.py': '' }],
    ['made while it runs', OPEN, { [P]: 'for n in names:\n    globals()[n] = 1\n' }],
    ['__getattr__', OPEN, { [P]: 'def __getattr__(name):\n    return 1\n' }],
    ['in __all__ alone', OPEN, { [P]: '__all__ = ["month"]\n' }],
    ['local', OPEN, { [P]: 'def year():\n    month = 1\n    return month\n' }],
    ['a comment and a string', NO, { [P]: '"""def month(): month here"""\n# def month():\nyear = 1\n' }],
    ['a longer name', NO, { [P]: 'def months():\n    pass\n' }],
    ['nothing', NO, { [P]: 'def year():\n    pass\n' }],
  ])('%s: %s', (_, status, files) => {
    expect(check('`dates/__init__.py` exports `month`', files)).toMatchObject({ standing: status });
  });
});

describe('names in Go', () => {
  const G = 'date/date.go';
  it.each<[string, string, CriterionStatus, Files]>([
    ['a function', 'Month', YES, { [G]: 'package date\n\nfunc Month(s string) int { return 1 }\n' }],
    [
      'a method',
      'Date.Month',
      YES,
      { [G]: 'package date\ntype Date struct{}\nfunc (d *Date) Month() int { return 1 }\n' },
    ],
    ['a group', 'Month', YES, { [G]: 'package date\nconst (\n\tYear = 1\n\tMonth = 2\n)\n' }],
    ['a list', 'Month', YES, { [G]: 'package date\nvar Year, Month = 1, 2\n' }],
    ['a type', 'Month', YES, { [G]: 'package date\ntype Month int\n' }],
    ['in lower case', 'month', OPEN, { [G]: 'package date\nfunc Month() {}\n' }],
    [
      'in another file',
      'Month',
      OPEN,
      { [G]: 'package date\n', 'date/m.go': 'package date\nfunc Month() {}\n' },
    ],
    ['nowhere', 'Month', NO, { [G]: 'package date\n// func Month() {}\nfunc Months() {}\n' }],
  ])('%s: %s, %s', (_, name, status, files) => {
    expect(check(`\`${G}\` exports \`${name}\``, files)).toMatchObject({ standing: status });
  });
});

describe('names in Rust', () => {
  const R = 'src/date.rs';
  it.each<[string, string, CriterionStatus, string]>([
    ['a function', 'month', YES, 'pub fn month(s: &str) -> u32 { 1 }'],
    ['const fn', 'month', YES, 'pub const fn month() -> u32 { 1 }'],
    ['of the crate', 'month', YES, 'pub(crate) async fn month() {}'],
    ['a struct', 'Month', YES, '#[derive(Debug, Clone)]\npub struct Month { a: u8 }'],
    ['a use', 'Month', YES, 'pub use a::{Year, b::M as Month};'],
    ['a method', 'Date::month', YES, "pub struct Date;\nimpl<'a> Date { pub fn month(&self) -> u32 { 1 } }"],
    ['a macro', 'month', YES, '#[macro_export]\nmacro_rules! month { () => {} }'],
    ['not public', 'month', NO, 'fn month() {}\npub fn year() { month() }'],
    ['all of another', 'month', OPEN, 'pub use a::*;'],
    ['a macro that makes names', 'month', OPEN, 'make_units! { a, b }'],
    ['a derive that makes names', 'DateBuilder', OPEN, '#[derive(Builder)]\npub struct Date;'],
    ['nothing', 'month', NO, '// pub fn month() {}\npub fn months() {}'],
  ])('%s: %s, %s', (_, name, status, text) => {
    expect(check(`\`${R}\` exports \`${name}\``, { [R]: text })).toMatchObject({ standing: status });
  });
});

describe('text', () => {
  const R = 'README.md';
  rows([
    ['`README.md` contains `--verbose`', YES, { [R]: 'Use --verbose.' }],
    ['`README.md` contains `--verbose`', NO, { [R]: 'Use -v.' }],
    ['README.md mentions `--verbose`', NO, { [R]: 'Use -v.' }],
    ['`README.md` includes the text "Getting started"', YES, { [R]: '## Getting started' }],
    ['`README.md` has a section "Usage"', NO, { [R]: '# x' }],
    ['`README.md` has a section "Usage"', OPEN, { [R]: '# USAGE' }],
    ['`README.md` mentions "how to install"', OPEN, { [R]: '# x' }],
    ['`README.md` contains "how to install it"', OPEN, { [R]: '# x' }],
    ['`README.md` contains `<version>`', OPEN, { [R]: '1.2.3' }],
    ['`README.md` contains `month`', OPEN, { [R]: 'months' }],
    ['`package.json` contains `"type": "module"`', YES, { 'package.json': '{"type": "module"}' }],
    ['`package.json` contains `"type": "module"`', OPEN, { 'package.json': '{"type":"module"}' }],
    ['`src/date.js` contains `month()`', OPEN, { [M]: 'month(iso)' }],
    ['`a.json` contains `é`', OPEN, { 'a.json': '"\\u00e9"' }],
    ['`README.md` does not contain `TODO`', YES, { [R]: 'done' }],
    ['`README.md` no longer mentions `foo`', NO, { [R]: 'see foo' }],
    ["`src/date.js` doesn't contain `console.log` any more", NO, { [M]: 'console.log(1);' }],
    ['`src/date.js` contains no `console.log`', OPEN, { [M]: '// console.log is gone\n' }],
    ['`src/date.js` does not contain `TODO`', NO, { [M]: '// TODO later\n' }],
    ['`src/date.js` does not contain `var`', OPEN, { [M]: 'const variable = 1;' }],
    ['`src/date.js` does not contain `a` or `b`', NO, { [M]: 'b;' }],
    ['`src/date.js` is free of `any`', YES, { [M]: 'let x;' }],
    ['`logo.txt` contains `x`', OPEN, { 'logo.txt': '\0\0' }],
    ['`docs/a.md` contains `x`', NO, { [R]: 'x' }],
    ['`docs/a.md` no longer contains `x`', OPEN, { [R]: 'x' }],
  ]);
});

describe('text in no file', () => {
  const used = { 'src/a.js': 'getUser();' };
  const gone = { 'src/a.js': 'fetchUser();', 'logo.png': '\0' };
  rows([
    ...[
      'no file contains `getUser`',
      'No file contains `getUser` any more.',
      'No source file contains `getUser`',
      'no file in `src/` contains `getUser`',
      'nothing contains `getUser` any more',
      'Nothing in `src` mentions `getUser`',
      "`getUser` doesn't occur anywhere",
      '`getUser` does not appear in `src/`',
      '`getUser` no longer occurs in the code',
      '`getUser` is not mentioned anywhere in the repository',
      '`getUser` is removed from the codebase',
      'There are no occurrences of `getUser` left',
      'There is no `getUser` in `src/`',
    ].flatMap((criterion): Row[] => [
      [criterion, NO, used],
      [criterion, YES, gone],
    ]),
    ['nothing uses `getUser` any more', OPEN, used],
    ['nothing uses `getUser` any more', YES, gone],
    ['no references to `getUser` remain', OPEN, used],
    ['no file contains `getUser`', OPEN, { 'CHANGELOG.md': 'getUser is now fetchUser' }],
    ['no file contains `getUser`', OPEN, { 'src/a.js': '// was getUser' }],
    ['no file contains `getUser`', OPEN, { 'src/a.js': "warn('getUser is now fetchUser');" }],
    ['no file contains `getUser`', OPEN, { 'test/a.test.js': 'expect(api.getUser).toBe(undefined);' }],
    ['no file contains `getUser`', OPEN, { 'src/a.js': 'getUsers();' }],
    ['no file contains `getUser`', YES, { 'fix_plan.md': '- no file contains `getUser`', 'a.js': '' }],
    ['no file contains `http://old.example`', NO, { 'src/a.js': "get('http://old.example');" }],
    ['no file contains `TODO`', NO, { 'src/a.js': '// TODO' }],
    ['no file contains `lodash`', OPEN, { 'package-lock.json': '"lodash"' }],
    ['nothing in `docs/` contains `getUser`', NO, { 'docs/a.md': 'call getUser' }],
    ['nothing in `lib/` contains `getUser`', OPEN, used],
    ['`getUser` does not occur in `src/a.js`', NO, used],
  ]);

  it('is open where a file could not be read', () => {
    const world = {
      facts: [],
      paths: ['a.js', 'b.js'],
      read: (path: string) => (path === 'a.js' ? '' : null),
    };
    expect(criteriaOf({ acceptance: ['no file contains `x`'] }, world)[0]?.standing).toBe(OPEN);
  });
});

it('says what was seen', () => {
  expect(check(EXPORTS, { [M]: OTHER })?.why).toBe("src/date.js doesn't export month");
  expect(check(EXPORTS, { [M]: `import { month } from './m.js';\nexport const a = month;` })?.why).toBe(
    "src/date.js has month, but doesn't export it",
  );
  expect(check(EXPORTS, {})?.why).toBe('src/date.js does not exist');
  expect(check('It is fast', {})?.why).toBe('it says nothing that reading files can tell');
});

it('a name that is not asked for may be any', () => {
  const templates = [
    'export function NAME() {}\nexport function month() { return NAME(); }',
    'function month() {}\nexport const NAME = month;',
    'const NAME = 1;\nmodule.exports = { NAME };',
    'export class NAME { month() {} }',
    'export const { NAME } = all;\nexport default NAME;',
  ];
  const word = fc
    .stringMatching(/^[a-z][a-zA-Z0-9]{2,12}$/)
    .filter(
      (one) =>
        !['month'].includes(one.toLowerCase()) &&
        !/^(?:abstract|all|and|any|as|async|await|break|case|catch|class|const|continue|debugger|declare|default|delete|do|else|enum|export|exports|extends|false|finally|for|from|function|get|if|implements|import|in|instanceof|interface|let|module|namespace|new|null|of|package|private|protected|public|require|return|self|set|static|super|switch|this|throw|true|try|type|typeof|undefined|using|var|void|while|window|with|yield|global|globalThis)$/.test(
          one,
        ),
    );
  fc.assert(
    fc.property(fc.constantFrom(...templates), word, word, (template, one, other) => {
      const of = (name: string) => check(EXPORTS, { [M]: template.replaceAll('NAME', name) })?.standing;
      expect(of(one)).toBe(of(other));
    }),
  );
});

it('comments change nothing', () => {
  const texts = [JS, OTHER, 'module.exports = { month };', 'function month() {}\nexport const a = month;'];
  const comment = fc.stringMatching(/^[a-z '"`{}()/]{0,20}$/).filter((one) => !one.includes('*/'));
  fc.assert(
    fc.property(fc.constantFrom(...texts), comment, (text, words) => {
      const of = (content: string) => check(EXPORTS, { [M]: content })?.standing;
      expect(of(`// month ${words}\n${text}\n/* ${words} month */`)).toBe(of(text));
    }),
  );
});

it.each([
  ['classes', 'x.ts', 'class A {\n', 10_000],
  ['objects', 'x.js', 'module.exports = { a:\n', 10_000],
  ['defaults', 'x.js', 'export default f(x)\n', 10_000],
  ['imports', 'x.js', 'import a\n', 20_000],
  ['attributes', 'x.rs', '#[\n', 50_000],
  ['public items', 'x.rs', 'pub(crate) fn a() {}\n', 10_000],
  ['lines', 'x.py', 'class a: b = c = (\n', 10_000],
  ['groups', 'x.go', 'var (\n', 40_000],
])('takes no longer for %s', (_, path, line, count) => {
  expect(check(`\`${path}\` exports \`isNotThere\``, { [path]: line.repeat(count) })).toBeDefined();
});

it('sees what the modules of ralph export, and nothing else', () => {
  const top = fileURLToPath(new URL('../../..', import.meta.url));
  const paths = sourceFiles().map((path) => join('src', path));
  const texts = new Map(paths.map((path) => [path, readFileSync(`${top}${path}`, 'utf8')]));
  const read = (path: string) => texts.get(path) ?? '';
  // A program of another agent stands in this one as text.
  const isText = (name: string) => name === 'RalphHook';
  const declared = /^export (?:async )?(?:function|const|class|type|interface) (\w+)/gm;
  const exportClaims = paths.flatMap((path) => {
    const names = [...read(path).matchAll(declared)].flatMap(([, name = '']) => (isText(name) ? [] : [name]));
    const acceptance = [...names.slice(0, 2), 'isNotThere'].map((name) => `\`${path}\` exports \`${name}\``);
    const seen = criteriaOf({ acceptance }, { facts: [], paths, read });
    const last = acceptance.length - 1;
    return seen.map(({ criterion, standing: status, why }) => ({
      is: criterion < last,
      standing: status,
      why,
    }));
  });
  expect(exportClaims.filter(({ is, standing: status }) => is && status !== YES)).toEqual([]);
  const others = exportClaims.filter(({ is }) => !is);
  expect(others.filter(({ standing: status }) => status === YES)).toEqual([]);
  expect(others.filter(({ standing: status }) => status === NO).length).toBeGreaterThan(0.99 * others.length);
  expect(exportClaims.length).toBeGreaterThan(1000);
});
