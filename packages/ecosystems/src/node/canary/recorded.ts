import { isModule } from '../../canary.ts';
import { roleOf } from '../../file-role.ts';
import type { CanaryPlace, TestText } from '../../protocol.ts';
import { relativePath } from '../../relative-path.ts';
import { importsIn } from './imports.ts';

/** Use of a runner whose assertions record failures instead of throwing. */
type Form = {
  /** Module of the runner; a neighbour that doesn't import it uses globals. */
  readonly module: RegExp;
  /** Returns the imported name of the function that registers tests: `default`, or one of the module's. */
  readonly register: (binding: { readonly imported: string; readonly local: string }) => string | null;
  /** Global function that registers tests; `null`: none exists. */
  readonly global: string | null;
  /** Parameter of a test's function. */
  readonly argument: string;
  /** Name that the assertions are called on. */
  readonly asserts: string;
  /** Code after the last assertion. */
  readonly end: string;
};

/** A failing use of each assertion. */
const FALSE: Readonly<Record<string, string>> = {
  is: '(1, 2)',
  equal: '(1, 2)',
  strictEqual: '(1, 2)',
  equals: '(1, 2)',
  deepEqual: '([1], [2])',
  same: '([1], [2])',
  ok: '(false)',
  true: '(false)',
  truthy: '(false)',
  notOk: '(true)',
  false: '(true)',
  falsy: '(true)',
  not: '(1, 1)',
  notEqual: '(1, 1)',
  throws: '(() => {})',
  match: "('a', /b/)",
  regex: "('a', /b/)",
};

const EXPECTED = ['toBe(2)', 'toEqual(2)'];

/** Returns a test registered as the neighbour's are, with one failing assertion of the kind most used there. */
export function recordedText(form: Form): (place: CanaryPlace) => TestText | null {
  return ({ path, text, loads, word }) => {
    const own = importsIn(text).filter(({ from }) => form.module.test(from));
    const bindings = own.flatMap((one) => one.bindings);
    const register = bindings.flatMap((one) => form.register(one) ?? [])[0] ?? form.global;
    if (register === null) return null;
    const assertion = form.asserts === 'expect' ? expected(text) : asserted(text, form.asserts);
    const isEsm = /\.m[jt]s$/.test(path) || /^\s*(?:import\b(?!\s*\()|export\b)/m.test(text);
    const relative = importsIn(text)
      .map(({ from }) => from)
      .filter((from) => from.startsWith('.'));
    const known = (file: string) => relative.some((from) => relativePath(path, file).startsWith(from));
    const taken = loads.filter(
      (file) =>
        /(?<!\.d)\.[cm]?[jt]sx?$/.test(file) && roleOf(file) === 'source' && (known(file) || isModule(file)),
    );
    const files = [
      ...new Set([
        ...relative,
        ...taken.filter((file) => !known(file)).map((file) => relativePath(path, file)),
      ]),
    ];
    const list = files.map((file) => `'${file}'`).join(', ');
    const lines = [
      ...(/\.[cm]?tsx?$/.test(path) ? ['// @ts-nocheck'] : []),
      '/* eslint-disable */',
      ...own.map(({ statement }) => statement),
      ...(files.length === 0
        ? []
        : [
            `for (const file of [${list}]) {`,
            '  try {',
            `    ${isEsm ? 'await import' : 'require'}(file);`,
            '  } catch {}',
            '}',
          ]),
      `${register}('${word}', (${form.argument}) => {`,
      `  ${assertion};`,
      ...(form.end === '' ? [] : [`  ${form.end};`]),
      '});',
      ...(isEsm ? ['export {};'] : []),
      '',
    ];
    return { text: lines.join('\n'), loads: taken };
  };
}

function asserted(text: string, by: string): string {
  const uses = (name: string) => text.split(`${by}.${name}(`).length;
  const [name = 'equal'] = Object.keys(FALSE).toSorted((one, other) => uses(other) - uses(one));
  return `${by}.${name}${FALSE[name] ?? '(1, 2)'}`;
}

function expected(text: string): string {
  const uses = (form: string) => text.split(`.${form.slice(0, form.indexOf('('))}(`).length;
  const [form = 'toBe(2)'] = EXPECTED.toSorted((one, other) => uses(other) - uses(one));
  return `expect(1).${form}`;
}
