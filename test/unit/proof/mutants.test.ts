import fc from 'fast-check';
import { languageOf, tokenize } from 'ralph-ecosystems';
import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../src/domain/command-run.ts';
import {
  canMutate,
  countMutants,
  mutantsOf,
  survivorSigns,
  triedMutants,
} from '../../../src/proof/shown/index.ts';
import { commandRun } from '../../helpers/facts.ts';

const ALL = 10_000;

function linesOf(text: string): Set<number> {
  return new Set(text.split('\n').map((_, index) => index + 1));
}

/** Returns what each line can become, in the order of the lines. */
function mutated(path: string, text: string): string[] {
  return mutantsOf([{ path, text, changed: linesOf(text) }], ALL)
    .toSorted((one, other) => one.line - other.line)
    .map(({ kind, after }) => `${kind}: ${after}`);
}

describe('mutants of a line', () => {
  it.each<[path: string, text: string, mutants: string[]]>([
    ['a.js', 'if (ready) go = 1;', ['negate: if (!(ready)) go = 1;', 'constant: if (ready) go = 2;']],
    ['a.js', 'return a < b;', ['negate: return a >= b;']],
    ['a.js', 'const ok = a === b;', ['negate: const ok = a !== b;']],
    ['a.js', 'const ok = a && b;', ['negate: const ok = a || b;']],
    ['a.js', 'const n = a * b;', ['swap: const n = a / b;']],
    ['a.js', 'total += price;', ['swap: total -= price;']],
    ['a.js', 'save(one);', ['drop: ;']],
    ['a.js', 'await this.store.save(one)', ['drop: ;']],
    ['a.js', "const mode = 'fast';", ["constant: const mode = '';"]],
    ['a.js', 'function go() {\n  x = y;\n}', ['return: function go() { return;']],
    ['a.js', 'const found = /a==b/.test(q);', []],
    [
      'a.ts',
      'const go = (x: number): string => {\n  y = x;\n};',
      ['return: const go = (x: number): string => { return;'],
    ],
    ['a.ts', "const kind: 'a' | 'b' = 'a';", ["constant: const kind: 'a' | 'b' = '';"]],
    ['a.ts', "const one = { kind: 'a' } as const;", ["constant: const one = { kind: '' } as const;"]],
    ['a.ts', "const z = n ? 'yes' : no;", ["constant: const z = n ? '' : no;"]],
    ['a.py', 'if ready:\n    x = y', ['negate: if not (ready):']],
    ['a.py', 'ok = a and not b', ['negate: ok = a or not b']],
    ['a.py', 'ok = True', ['negate: ok = False']],
    ['a.py', 'save(one)', ['drop: pass']],
    ['a.py', 'def go(x):\n    """Goes."""\n    y = x', ['return: return']],
    ['a.py', 'n = a // b', []],
    ['a.go', 'if ok {', ['negate: if !(ok) {']],
    ['a.go', 'if err := f(); err != nil {', ['negate: if err := f(); err == nil {']],
    ['a.go', 'func (t *T) Go(x int) {\n\tt.n = x\n}', ['return: func (t *T) Go(x int) { return;']],
    ['a.go', 'func Go(x int) (int, error) {\n\tt.n = x\n}', []],
    ['a.go', 'save(t)', ['drop: ;']],
    [
      'a.rs',
      'if x >= low && ok { y = z; }',
      ['negate: if x < low && ok { y = z; }', 'negate: if x >= low || ok { y = z; }'],
    ],
    ['a.rs', 'if let Some(y) = x { z = y; }', []],
    ['a.rs', 'self.all.push(x);', ['drop: ;']],
    ['a.rs', 'self.all.len()', []],
    ['a.rs', 'fn set(&mut self) {\n  self.x = y;\n}', ['return: fn set(&mut self) { return;']],
    ['a.rs', 'let n = 5u32;', ['constant: let n = 6u32;']],
    ['A.java', 'if (isReady()) x = y;', ['negate: if (!(isReady())) x = y;']],
    ['A.java', 'this.all.add(x);', ['drop: ;']],
    ['A.java', 'void go(int x) {\n  y = x;\n}', ['return: void go(int x) { if (true) return;']],
    ['A.java', "char c = 'x';", []],
    ['a.rb', 'ok = a == b', ['negate: ok = a != b']],
    [
      'a.sh',
      'if [[ $a == $b ]] && [ -f x ] > out; then',
      [
        'negate: if [[ $a != $b ]] && [ -f x ] > out; then',
        'negate: if [[ $a == $b ]] || [ -f x ] > out; then',
      ],
    ],
  ])('%s: %s', (path, text, mutants) => {
    expect(mutated(path, text).toSorted()).toEqual(mutants.toSorted());
  });

  it.each<[what: string, path: string, text: string]>([
    ['comments', 'a.js', '// a === 1\n/* if (x) go(); */'],
    [
      'imports',
      'a.ts',
      "import { a } from './a.ts';\nexport * from './b.ts';\nexport {\n  c,\n} from './c.ts';",
    ],
    ['loaded modules', 'a.js', "const a = require('a');"],
    [
      'types',
      'a.ts',
      "export type K =\n  | 'x'\n  | 1;\ninterface I { kind: 'a'; n: 1 }\nlet m: Map<string, 'a' | 1>;",
    ],
    [
      'types of results',
      'a.ts',
      "function f(): { b: string } {}\nfunction g(): Promise<{ c: string }> {}\ntype T = Omit<\n  A,\n  | 'x'\n> & {};",
    ],
    ['parts of types', 'a.ts', "function f(kind: Run['kind'], n?: 1): Promise<{ t: 'z' }>;"],
    ['decorators', 'a.ts', "@Component({ selector: 'x', n: 1 })\nclass A {}"],
    ['messages', 'a.js', "throw new Error('bad');\nconsole.log('so');"],
    ['imports of Python', 'a.py', 'from a import (\n    b,\n)'],
    ['decorators of Python', 'a.py', '@app.route("/x", methods=["GET"])'],
    ['descriptions', 'a.py', '"""One == 1."""\n"two"'],
    ['types of Python', 'a.py', 'mode: Literal["a"]\nname: "Foo" = x\ndef f(k: "Foo") -> "Bar": ...'],
    ['imports of Go', 'a.go', 'package a\n\nimport (\n\t"fmt"\n)'],
    ['tags and lengths of Go', 'a.go', 'type T struct {\n\tA [4]int `json:"a"`\n}'],
    ['attributes of Rust', 'a.rs', '#[serde(rename = "x")]\nuse a::b;\nstruct P<T: A + B> { n: [u8; 4] }'],
    ['tests of Rust', 'a.rs', '#[cfg(test)]\nmod tests {\n    fn t() { assert_eq!(a + b, 2); }\n}'],
    ['annotations of Java', 'A.java', '@Ann(value = 3, name = "x")\nimport a.b;\nclass A<T extends B> {}'],
    ['tests', 'test/a.test.js', 'x = a + b;'],
    ['data', 'a.json', '{ "a": 1 }'],
    ['pages', 'a.vue', '<p>1</p>'],
  ])('are never made of %s', (_what, path, text) => {
    expect(mutated(path, text)).toEqual([]);
  });
});

/** Each language with what its mutants are made of, between what they must not touch. */
const SOURCES: Readonly<Record<string, string>> = {
  'a.js':
    "import a from 'a';\n// if (x == 1) go();\nfunction go(x) {\n  save(x); // a + b\n  if (x > 1 && ok(x)) return x * 2;\n  /* y === 2 */ return 'no';\n}\n",
  'a.ts':
    "type K = 'a' | 'b';\nconst f = (k: K): number => {\n  list.push(k);\n  return k === 'a' ? 1 : 2; // k === 'b'\n};\n",
  'a.py':
    'import os\n\ndef go(x: int = 5) -> "B":\n    """x == 1"""\n    save(x)\n    if x > 3 and ok:  # y == 2\n        return x + 1\n    return True\n',
  'a.go': 'package a\n\nfunc Go(x int) {\n\tsave(x) // a == b\n\tif x < 1 || ok {\n\t\ty = x - 1\n\t}\n}\n',
  'a.rs': 'use a;\nfn go(x: u8) {\n    save(x); // a == b\n    if x >= 2 { y = x * 2; }\n}\n',
  'A.java':
    'package a;\n/** a == b */\nclass A {\n  void go(int x) {\n    save(x);\n    if (x != 1) y = x / 2; // "c"\n  }\n}\n',
};

describe('every mutant', () => {
  const given = fc.constantFrom(...Object.entries(SOURCES)).chain(([path, text]) =>
    fc.record({
      path: fc.constant(path),
      text: fc.constant(text),
      changed: fc.subarray([...linesOf(text)]),
    }),
  );

  it('differs from the text in one place, in a changed line, and not in a comment', () => {
    fc.assert(
      fc.property(given, ({ path, text, changed }) => {
        const comments = tokenize(text, languageOf(path)).filter(({ kind }) => kind === 'comment');
        for (const mutant of mutantsOf([{ path, text, changed: new Set(changed) }], ALL)) {
          const { from, to } = placeOf(text, mutant.text);
          expect(mutant.text).not.toBe(text);
          expect(changed).toContain(mutant.line);
          expect(text.slice(0, from).split('\n').length).toBe(mutant.line);
          expect(text.slice(from, to)).not.toContain('\n');
          for (const { start, text: comment } of comments)
            expect(to <= start || from >= start + comment.length, mutant.after).toBe(true);
        }
      }),
    );
  });

  it('is of those that there are, the same each time, and each line is taken before one is twice', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 0, max: 12 }), ({ path, text, changed }, most) => {
        const file = { path, text, changed: new Set(changed) };
        const all = mutantsOf([file], ALL);
        const some = mutantsOf([file], most);
        expect(some).toEqual(all.slice(0, most));
        const lines = new Set(all.map(({ line }) => line)).size;
        expect(new Set(some.map(({ line }) => line)).size).toBe(Math.min(most, lines));
      }),
    );
  });

  it('is read from any text without failing', () => {
    const pieces = fc.constantFrom(
      'if',
      '(',
      ')',
      '{',
      '}',
      '[',
      ' < ',
      '>',
      '"',
      "'",
      '`',
      '@',
      '#',
      'a',
      '1',
      '\n',
      ';',
      ':',
      '.',
      '=',
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(SOURCES)), fc.array(pieces), (path, words) => {
        const text = words.join('');
        expect(mutantsOf([{ path, text, changed: linesOf(text) }], 5).length).toBeLessThanOrEqual(5);
      }),
    );
  });
});

/** Returns the piece of a text that differs from another text. */
function placeOf(text: string, other: string): { readonly from: number; readonly to: number } {
  let from = 0;
  while (from < text.length && text[from] === other[from]) from += 1;
  let left = 0;
  while (left < Math.min(text.length, other.length) - from && text.at(-1 - left) === other.at(-1 - left))
    left += 1;
  return { from, to: text.length - left };
}

it('are spread over all files', () => {
  const file = (path: string) => ({ path, text: 'x = a + b;\n'.repeat(8), changed: linesOf('\n'.repeat(8)) });
  const chosen = mutantsOf([file('a.js'), file('b.js')], 4);
  expect(chosen.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.js:1', 'b.js:1', 'a.js:5', 'b.js:5']);
});

it('can be made of production code alone', () => {
  const others = ['src/a.d.ts', 'test/a.test.ts', 'jest.config.js', 'src/a.bench.ts', 'benchmark/a.js'];
  expect(['src/a.ts', ...others].filter(canMutate)).toEqual(['src/a.ts']);
});

it('that survive are signs to check, and all are counted', () => {
  const one = { path: 'src/a.js', line: 3, kind: 'negate' as const, before: 'if (x)', after: 'if (!(x))' };
  const RED = { kind: 'failed' as const, exitCode: 1, signal: null };
  const run = (mutant: object, more: Partial<CommandRun> = {}) =>
    commandRun({
      ...{ why: 'mutant', ...more },
      put: { files: ['src/a.js'], ignored: [], canary: null, mutant: { ...one, ...mutant } },
    });
  const commandRuns = [
    ...[commandRun(), run({}), run({}, { name: 'lint' })],
    run({ line: 4, kind: 'drop', before: 'save(x);', after: ';' }),
    ...[run({ line: 5 }), run({ line: 5 }, { name: 'lint', outcome: RED })],
    run({ line: 6 }, { outcome: { kind: 'timed_out', afterMs: 1 } }),
    run({ line: 7 }, { outcome: RED, outputTail: 'SyntaxError: Unexpected token' }),
    // There was no time left to try all gates with this mutant.
    run({ line: 8 }),
  ];
  const seen = { commandRuns, mutants: { asked: 5, leftOut: 2 } };
  expect(survivorSigns(seen)).toEqual([
    'src/a.js:3 could be `if (!(x))`: no test notices',
    'src/a.js:4 could do without `save(x);`: no test notices',
  ]);
  expect(triedMutants(seen).map(({ line, killed }) => [line, killed])).toEqual([
    ...[
      [3, false],
      [4, false],
      [5, true],
    ],
    [6, true],
  ]);
  expect(countMutants(seen)).toEqual({ tried: 4, killed: 2, leftOut: 2 });
  const none = { commandRuns: [commandRun()], mutants: null };
  expect([survivorSigns(none), countMutants(none)]).toEqual([[], null]);
});
