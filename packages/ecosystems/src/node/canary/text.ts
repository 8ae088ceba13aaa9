import { indented, isModule } from '../../canary.ts';
import { roleOf } from '../../file-role.ts';
import type { CanaryPlace, TestText } from '../../protocol.ts';
import { relativePath, resolvedPath } from '../../relative-path.ts';
import { ASSERT_FORMS, EXPECT_FORMS, SHOULD_FORMS } from './forms.ts';
import { type Binding, importsIn } from './imports.ts';

const RUNNERS: Readonly<Record<string, RegExp>> = {
  node: /^node:test$/,
  vitest: /^vitest$/,
  jest: /^@jest\/globals$/,
  mocha: /^mocha$/,
  bun: /^bun:test$/,
  playwright: /^@playwright\/test$/,
};
const ASSERTIONS = /^(?:(?:node:)?assert(?:\/strict)?|power-assert|chai|expect|should|uvu\/assert)$/;
/** The neighbour replaces these modules, as the real ones may need something that is missing. */
const MOCKS =
  /\b(?:vi|vitest|jest|mock|td|t)\.(?:mock|doMock|unstable_mockModule|module|replaceEsm)\(|\bproxyquire\b|\brewire\b/;
const CODE = /(?<!\.d)\.[cm]?[jt]sx?$/;

/**
 * Returns a test that first loads the neighbour's relative imports and the changed files, since production code may
 * replace the function that registers tests. If the module may be of either kind, files that `require` can't load are
 * imported inside the test.
 */
export function javascriptText(place: CanaryPlace): TestText {
  const { runner, path, text, word } = place;
  const style = styleOf(place);
  const { files, loads } = loadsOf(place);
  const kept = importsIn(text).filter(
    ({ from }) => ASSERTIONS.test(from) || RUNNERS[runner]?.test(from) === true,
  );
  const bindings = kept.flatMap((one) => one.bindings.map((binding) => ({ ...binding, from: one.from })));
  const test = testFunction(runner, bindings);
  const assert = ownAssert(place, bindings, style);
  const forms = [
    ...formsOf(text, [...bindings, ...assert.bindings]),
    ...(runner === 'vitest' ? EXPECT_FORMS('expect') : []),
  ];
  const statements = [
    ...kept.map(({ statement }) => statement),
    ...test.statements(style),
    ...assert.statements,
  ];
  const list = files.map((file) => `'${file}'`).join(', ');
  const later = style !== 'module' && files.length > 0;
  const lines = [
    ...header(path, text),
    ...(style === 'require' ? [] : statements),
    ...(style === 'module' && files.length > 0 ? awaited(list) : []),
    ...(later ? required(list) : []),
    ...(style === 'require' ? statements : []),
    `${test.name}('${word}', async () => {`,
    // Loaded modules may keep the process alive; the neighbour would end them after its tests.
    ...(runner === 'node' && files.length > 0 ? ['  setTimeout(() => process.exit(), 5000).unref();'] : []),
    ...(later ? imported(test.name) : []),
    '  const forms = [',
    ...indented(
      [...new Set(forms)].map((form) => `async () => ${form},`),
      4,
    ),
    '  ];',
    '  for (const form of forms) {',
    '    let alive = false;',
    '    try {',
    '      await form();',
    '    } catch {',
    '      alive = true;',
    '    }',
    '    if (!alive) return;',
    '  }',
    `  ${forms.find((form) => isFinal(runner, form)) ?? `throw new Error('${word}')`};`,
    '});',
    ...(style === 'require' && !/\.[cm]?ts/.test(path) ? [] : ['export {};']),
    '',
  ];
  return { text: lines.join('\n'), loads };
}

/** Whether a failure of this form ends the test: expect's if the runner provides expect, chai's otherwise. */
const isFinal = (runner: string, form: string) =>
  (runner === 'mocha' || runner === 'node'
    ? /\b(?:equal|strictEqual)\(1, 2\)$|\.to\.equal\(2\)$/
    : /\.toBe\(2\)$/
  ).test(form);

/** `module`: top-level await works; `either`: `import` may be compiled to `require`; `require`: CommonJS. */
type Style = 'module' | 'either' | 'require';

function styleOf({ runner, path, text }: CanaryPlace): Style {
  if (runner === 'vitest' || runner === 'bun' || /\.m[jt]sx?$/.test(path))
    return runner === 'jest' ? 'either' : 'module';
  const imports = /^\s*(?:import\b(?!\s*\()|export\b)/m.test(text);
  if (!imports) return /\.tsx?$/.test(path) && !/\brequire\(/.test(text) ? 'either' : 'require';
  if (runner === 'jest' || runner === 'playwright' || /\.c[jt]s$/.test(path)) return 'either';
  if (/^(?:(?:const|let)\b.*=\s*)?await\s/m.test(text)) return 'module';
  const relative = importsIn(text).filter(({ from }) => from.startsWith('.'));
  if (relative.length === 0) return /\.tsx?$/.test(path) ? 'either' : 'module';
  // Node's ES modules need file endings in paths, and code compiled to `require` rarely has them.
  return relative.some(({ from }) => CODE.test(from)) ? 'module' : 'either';
}

function header(path: string, text: string): string[] {
  const environment = /@(?:jest|vitest)-environment\s+[^\s*]+/.exec(text)?.[0];
  return [
    ...(environment === undefined ? [] : [`/** ${environment} */`]),
    ...(/\.[cm]?tsx?$/.test(path) ? ['// @ts-nocheck'] : []),
    '/* eslint-disable */',
  ];
}

const awaited = (list: string) => [
  `for (const file of [${list}]) {`,
  '  try {',
  '    await import(/* @vite-ignore */ file);',
  '  } catch {}',
  '}',
];

const required = (list: string) => [
  'const missing = [];',
  `for (const file of [${list}]) {`,
  '  try {',
  '    require(file);',
  '  } catch {',
  '    missing.push(file);',
  '  }',
  '}',
];

/**
 * @param test Function that registers tests. A module that replaces it already disabled the neighbour's tests if the
 * neighbour loads that module first.
 */
const imported = (test: string) => [
  `  const before = ${test};`,
  '  for (const file of missing) {',
  '    try {',
  '      await import(file);',
  '    } catch {}',
  '  }',
  `  if (${test} !== before) return;`,
];

type Named = Binding & { readonly from: string };
type Test = { readonly name: string; readonly statements: (style: Style) => readonly string[] };

function testFunction(runner: string, bindings: readonly Named[]): Test {
  const own = bindings.filter(({ from }) => RUNNERS[runner]?.test(from) === true);
  const named = own.find(({ imported }) => /^(?:test|it|specify)$/.test(imported));
  const whole = own.find(({ imported }) => imported === '*');
  const byDefault = own.find(({ imported }) => imported === 'default');
  const none = () => [];
  if (named !== undefined) return { name: named.local, statements: none };
  if (byDefault !== undefined)
    return { name: runner === 'node' ? byDefault.local : `${byDefault.local}.it`, statements: none };
  if (whole !== undefined)
    return { name: `${whole.local}.${runner === 'mocha' ? 'it' : 'test'}`, statements: none };
  // jest and bun always define their globals.
  if (runner === 'jest' || runner === 'bun') return { name: 'test', statements: none };
  if (runner === 'mocha') return { name: "(typeof it === 'function' ? it : test)", statements: none };
  const module = { node: 'node:test', playwright: '@playwright/test' }[runner] ?? 'vitest';
  const namespace = (style: Style) =>
    style === 'require' ? `const runner = require('${module}');` : `import * as runner from '${module}';`;
  // vitest defines globals only by a setting.
  const expects = runner === 'vitest' && !own.some(({ local }) => local === 'expect');
  return {
    name: runner === 'node' ? 'runner.test' : '(globalThis.test ?? runner.test)',
    statements: (style) => [
      namespace(style),
      ...(expects ? ['const expect = globalThis.expect ?? runner.expect;'] : []),
    ],
  };
}

/** Returns Node's assertions for a neighbour that imports none, if the text can certainly import them. */
function ownAssert({ runner, text }: CanaryPlace, bindings: readonly Named[], style: Style) {
  const has = bindings.some(({ from }) => ASSERTIONS.test(from)) || /\bexpect\(/.test(text);
  const isFree = !/\bassert\b/.test(text);
  if ((runner !== 'node' && runner !== 'mocha') || has || !isFree || style === 'either')
    return { bindings: [], statements: [] };
  const statement =
    style === 'require' ? "const assert = require('assert');" : "import assert from 'node:assert';";
  return {
    bindings: [{ imported: 'default', local: 'assert', from: 'node:assert' }],
    statements: [statement],
  };
}

/** Returns checks of false statements with every assertion that the neighbour uses, imported or global. */
function formsOf(text: string, bindings: readonly Named[]): string[] {
  const of = ({ imported, local, from }: Named): string[] => {
    const whole = imported === 'default' || imported === '*';
    if (from === 'should') return SHOULD_FORMS;
    if (from === 'chai' && whole)
      return [...EXPECT_FORMS(`${local}.expect`), ...ASSERT_FORMS(`${local}.assert`)];
    if (/expect/.test(imported) || (from === 'expect' && whole)) return EXPECT_FORMS(local);
    if (/(?:^|\/)assert|power-assert/.test(from) && !whole && !/^(?:strict|ok|assert)$/.test(imported))
      return ASSERT_FORMS('')
        .filter((form) => form.startsWith(`.${imported}(`))
        .map((form) => form.replace(`.${imported}`, local));
    return imported === 'should' || ASSERTIONS.test(from) || imported === 'assert' ? ASSERT_FORMS(local) : [];
  };
  const known = new Set(bindings.map(({ local }) => local));
  const forms = [
    ...bindings.flatMap(of),
    ...(/\bexpect\(/.test(text) && !known.has('expect') ? EXPECT_FORMS('expect') : []),
    ...(/\bassert[.(]/.test(text) && !known.has('assert') ? ASSERT_FORMS('assert') : []),
    ...(/\.should\b/.test(text) ? SHOULD_FORMS : []),
  ];
  // Some libraries have functions here, which check nothing until called.
  const areCalled = /\.(?:true|false|ok|null|undefined|exist)\(\)/.test(text);
  return forms.filter((form) => form.endsWith(')') || !areCalled);
}

function loadsOf({ path, text, loads }: CanaryPlace): { files: string[]; loads: string[] } {
  if (MOCKS.test(text)) return { files: [], loads: [] };
  const relative = importsIn(text)
    .map(({ from }) => from)
    .filter((from) => from.startsWith('.') && !/\.(?!test|spec)\w{2,5}$/.test(from.replace(CODE, '')));
  const known = new Set(relative.map((from) => withoutEnding(resolvedPath(path, from))));
  const isKnown = (file: string) => {
    const plain = withoutEnding(file);
    return known.has(plain) || known.has(plain.replace(/\/index$/, ''));
  };
  const taken = loads.filter(
    (file) => CODE.test(file) && roleOf(file) === 'source' && (isKnown(file) || isModule(file)),
  );
  const written = taken.filter((file) => !isKnown(file)).map((file) => specifier(path, file, relative));
  return { files: [...new Set([...relative, ...written])], loads: taken };
}

function withoutEnding(path: string): string {
  return path.replace(CODE, '');
}

/** Follows the endings of the neighbour's imports; without an example, the file's own, or none for TypeScript. */
function specifier(from: string, file: string, examples: readonly string[]): string {
  const whole = relativePath(from, file);
  const example = examples.find((one) => CODE.test(one));
  const isTyped = /\.[cm]?tsx?$/.test(file);
  if (example === undefined) return examples.length > 0 || isTyped ? withoutEnding(whole) : whole;
  const asJavascript = /\.[cm]?jsx?$/.test(example) && isTyped;
  return asJavascript ? whole.replace(/\.([cm]?)tsx?$/, '.$1js') : whole;
}
