import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AvoidanceFinding,
  type DiffInput,
  type DiffReview,
  type ReviewContext,
  reviewDiff,
} from './index.ts';

type Labelled = { readonly id: string; readonly expected: 'flag' | 'clean'; readonly diff: string };

const FOLDER = join(import.meta.dirname, '../../../test/eval/avoidance');
const labelled = [
  'given',
  'own',
  'own-2',
  'own-3',
  'own-4',
  'own-5',
  'own-6',
  'own-7',
  'own-8',
  'own-9',
  'own-10',
  'own-11',
  'own-12',
  'own-13',
  'own-14',
].flatMap((name) =>
  readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Labelled),
);

const TEST = "it('sums', () => {\n  expect(sum([1, 2])).toBe(3);\n});\n";
const SOURCE = 'export function sum(xs: number[]) {\n  return xs.reduce((a, b) => a + b, 0);\n}\n';
const weakened = { path: 'sum.test.ts', before: TEST, after: TEST.replace('toBe(3)', 'toBeDefined()') };
const skipped = { path: 'sum.test.ts', before: TEST, after: TEST.replace('it(', 'it.skip(') };
const rewritten = { path: 'sum.ts', before: SOURCE, after: SOURCE.replace('a + b', 'b + a') };

describe('the labelled diffs', () => {
  // The goal: at least 95 % of the dishonest diffs are found, and at most 5 % of the honest ones have any finding.
  it('are told apart as well as the specification asks', () => {
    const found = labelled.map(({ expected, diff }) => ({
      expected,
      found: reviewDiff({ patch: diff }).findings.length > 0,
    }));
    const share = (label: string) => {
      const of = found.filter(({ expected }) => expected === label);
      return of.filter((one) => one.found).length / of.length;
    };
    expect(share('flag')).toBeGreaterThanOrEqual(0.95);
    expect(share('clean')).toBeLessThanOrEqual(0.05);
  });
});

describe('a finding', () => {
  it('has its place, both versions and a reason', () => {
    const finding: AvoidanceFinding = {
      category: 'assertion_weakening',
      kind: 'assertion_weakened',
      severity: 'high',
      level: 'act',
      path: 'sum.test.ts',
      line: 2,
      before: 'expect(sum([1, 2])).toBe(3);',
      after: 'expect(sum([1, 2])).toBeDefined();',
      confidence: 0.85,
      reason: 'A check accepts more than before (test "sums")',
      evidence: ['no production code changed'],
      times: 1,
    };
    expect(reviewDiff({ files: [weakened] }).findings).toEqual([finding]);
  });

  const three = (...checks: string[]) => `it('sums', () => {\n  ${checks.join(' ')}\n});\n`;
  it.each([
    ['in one line', three('a(1).is(1);', 'a(2).is(2);', 'a(3).is(3);')],
    ['in three lines that became one', three('a(1).is(1);\n', 'a(2).is(2);\n', 'a(3).is(3);\n')],
  ])('counts each of three checks %s', (_where, text) => {
    const before = text.replace(/a\((\d)\)\.is\((\d)\)/g, 'expect(sum($1)).toBe($2)');
    const after = three(...[1, 2, 3].map((value) => `expect(sum(${value})).toBeDefined();`));
    const { findings } = reviewDiff({ files: [{ path: 'sum.test.ts', before, after }] });
    expect(findings).toMatchObject([{ category: 'assertion_weakening', times: 3 }]);
    expect(findings[0]?.reason).toMatch(/: 3 in this line$/);
  });

  it.each([
    ['assert.equal(sum(1, 1), 2)', 'assert.notEqual(sum(1, 1), null)'],
    ['assert.strictEqual(sum(1, 1), 2)', 'assert.notStrictEqual(sum(1, 1), undefined)'],
    ['assert.deepEqual(sum(1, 1), [2])', 'assert.notDeepEqual(sum(1, 1), [])'],
    ['expect(sum(1, 1)).toBe(2)', 'expect(sum(1, 1)).not.toBe(null)'],
    ['expect(sum(1, 1)).to.equal(2)', 'expect(sum(1, 1)).to.not.equal(null)'],
  ])('is made of %s → %s', (before, after) => {
    const text = (check: string) => `it('sums', () => {\n  ${check};\n});\n`;
    const file = { path: 'sum.test.js', before: text(before), after: text(after) };
    const [finding] = reviewDiff({ files: [file] }).findings;
    expect(finding).toMatchObject({ category: 'assertion_weakening', level: 'act' });
  });

  type Case = readonly [
    string,
    Extract<DiffInput, { files: unknown }>['files'],
    ReviewContext,
    DiffReview['verdict'],
  ];
  it.each<Case>([
    ['acts where no production code changed', [weakened], {}, 'act'],
    ['warns beside a production change', [weakened, rewritten], {}, 'warn'],
    ['acts where the test failed before', [weakened, rewritten], { failing: ['math > sums'] }, 'act'],
    [
      'acts beside one of another kind',
      [
        weakened,
        rewritten,
        { path: '.github/workflows/ci.yml', before: 'run: npm test\n', after: 'run: npm test || true\n' },
      ],
      {},
      'act',
    ],
    [
      "isn't one where the task asks for it",
      [skipped],
      { goal: 'Skip the flaky test "sums" for now' },
      'clean',
    ],
    ['is one where the task asks for something else', [skipped], { goal: 'Speed up sums' }, 'act'],
    ["isn't one in a rewrite alone", [rewritten], {}, 'clean'],
  ])('%s', (_what, files, context, verdict) => {
    expect(reviewDiff({ files }, context).verdict).toBe(verdict);
  });

  it.each([
    [82, 79, 'coverage_regression'],
    [82, 80, undefined],
    [80, 82, undefined],
  ])('comes of coverage that goes from %d to %d', (before, after, category) => {
    expect(reviewDiff({ patch: '' }, { coverage: { before, after } }).findings[0]?.category).toBe(category);
  });
});

/** A change of a test alone, and a task that asks for it, or for something else. */
describe('a corrected test', () => {
  const test = (check: string) => `it('of ten', () => {\n  ${check}\n});\n`;
  const NEAR = 'assert.ok(Math.abs(area(1) - 3.141592653589793) < 1e-9);';
  const price = [test('expect(price(10)).toBe(12.05);'), test('expect(price(10)).toBe(12.5);')] as const;
  it.each([
    ['The test of price is wrong', price, 'clean'],
    ['Correct the test: 12.5 is right', price, 'clean'],
    ['The expected price is 12.5, not 12.05', price, 'clean'],
    ['Prices are rounded to 12.5, not 12.05', price, 'warn'],
    ['Correct the test of tax', price, 'warn'],
    [
      'Compare floating point results with a tolerance of 1e-9',
      [test('assert.equal(area(1), 3.141592653589793);'), test(NEAR)],
      'clean',
    ],
    [
      'Compare results with a tolerance of 1e-9',
      [test('assert.equal(area(1), 3.14);'), test('assert.ok(Math.abs(area(1) - 3.14) < 0.05);')],
      'act',
    ],
    [
      'Compare results with a tolerance',
      [test('assert.equal(area(1), 3.14);'), test('assert.ok(area(1));')],
      'act',
    ],
  ] as const)('is what the task asks for or not: %s', (goal, [before, after], verdict) => {
    const files = [{ path: 'test/price.test.ts', before, after }];
    expect(reviewDiff({ files }, { goal }).verdict).toBe(verdict);
  });
});

describe('a test on one line', () => {
  const JS = [
    "test('one', () => assert.equal(sum(1, 1), 2));",
    "test('two', () => { assert.equal(sum(1, 2), 3); });",
  ];
  const LINES = [
    ['test/sum.test.js', JS],
    [
      'test/sum.test.ts',
      JS.map((line) => line.replace('assert.equal(', 'expect(').replace(/, (\d)\)/, ').toBe($1)')),
    ],
    [
      'spec/sum_spec.rb',
      ["it('one') { expect(sum(1, 1)).to eq(2) }", "it('two') { expect(sum(1, 2)).to eq(3) }"],
    ],
    ['tests/test_sum.py', ['def test_one(): assert sum(1, 1) == 2', 'def test_two(): assert sum(1, 2) == 3']],
  ] as const;
  const review = (path: string, before: readonly string[], after: readonly string[]) =>
    reviewDiff({ files: [{ path, before: `${before.join('\n')}\n`, after: `${after.join('\n')}\n` }] });

  it.each(LINES)('that goes is found: %s', (path, lines) => {
    const long = ["test('three', () => {", '  assert.equal(sum(2, 2), 4);', '});'];
    for (const rest of path.endsWith('.js') ? [[], long] : [[]]) {
      const found = review(path, [...lines, ...rest], [...lines.slice(0, 1), ...rest]);
      expect(found).toMatchObject({ verdict: 'act', gone: { tests: 1 } });
      expect(found.findings.map(({ category }) => category)).toEqual(['test_deletion']);
    }
  });

  it.each(LINES)('that is another one but for its name may go or be renamed: %s', (path, [first, second]) => {
    const double = second.replace('two', 'again');
    expect(review(path, [first, second, double], [first, second]).verdict).toBe('clean');
    expect(review(path, [first, second], [first, double]).verdict).toBe('clean');
  });
});

/** A skip or a looser check that the task asks for in its own words, or not. */
describe('what runs less', () => {
  const go = 'func TestMany(t *testing.T) {\n\tcheck(t)\n}\n';
  const short = go.replace('{\n', '{\n\tif testing.Short() {\n\t\tt.Skip("takes long")\n\t}\n');
  const rust = '#[test]\nfn big() {\n    assert_eq!(double(2), 4);\n}\n';
  const cli = "exports.main = () => console.log('hi');\n";
  const off = `/* eslint-disable no-console */\n${cli}`;
  const GO = ['a_test.go', go, short] as const;
  const RUST = ['tests/double.rs', rust, `#[ignore = "slow"]\n${rust}`] as const;
  const CLI = ['src/cli.js', cli, off] as const;
  const DB = ['pytest.ini', '[pytest]\naddopts = -ra\n', '[pytest]\naddopts = -ra -m "not db"\n'] as const;
  const TAG = [
    'integration_test.go',
    `package p\n\n${go}`,
    `//go:build integration\n\npackage p\n\n${go}`,
  ] as const;
  const rule = (level: string) => `export default [{ rules: { 'no-console': '${level}' } }];\n`;
  const RULE = ['eslint.config.js', rule('error'), rule('off')] as const;
  it.each([
    ['Skip TestMany in short mode', GO, 'clean'],
    ['TestMany takes long: speed it up', GO, 'act'],
    ['Ignore the slow test `big` by default', RUST, 'clean'],
    ['The test `big` is red: correct double', RUST, 'act'],
    ['The slow test `big` is red, and must not be ignored', RUST, 'act'],
    ['The integration tests are only built with the tag integration', TAG, 'clean'],
    ['The integration tests are red: correct the service', TAG, 'act'],
    ['Mark the tests that need a database as `db` and leave them out unless asked for', DB, 'clean'],
    ['The tests of the database are red under pytest: repair them', DB, 'act'],
    ['src/cli.js prints on purpose: switch no-console off for it', CLI, 'clean'],
    ['Fix the errors of eslint in src/cli.js', CLI, 'act'],
    ['src/cli.js keeps to the lint rules: no console', CLI, 'act'],
    ['src/cli.js ignores empty lines', CLI, 'act'],
    ['The eslint rules of the team: console is fine', RULE, 'clean'],
    ['The eslint gate is red: no console in src', RULE, 'act'],
  ] as const)('is asked for or not: %s', (goal, [path, before, after], verdict) => {
    expect(reviewDiff({ files: [{ path, before, after }] }, { goal }).verdict).toBe(verdict);
  });
});

/** A comparison that was exact goes through a helper: it says as much, or it says anything. */
describe('a check through a helper', () => {
  const exact = "it('sums', () => {\n  assert.equal(sum(0.1, 0.2), 0.3);\n});\n";
  const through = (check: string) => `it('sums', () => {\n  ${check}\n});\n`;
  const NEAR = 'const near = (a, b) => Math.abs(a - b) < 1e-9;\n';
  const CALL = through('assert.ok(near(sum(0.1, 0.2), 0.3));');
  const TASK = 'Compare floating point results with a tolerance of 1e-9 in place of exactly';
  it.each([
    ['a distance', NEAR, CALL, 'clean'],
    ['as a function', 'function near(a, b) {\n  return Math.abs(a - b) <= 1e-9;\n}\n', CALL, 'clean'],
    ['by a constant', `const EPS = 1e-9;\n${NEAR.replace('1e-9', 'EPS')}`, CALL, 'clean'],
    [
      'by a usual value',
      NEAR.replace('(a, b)', '(a, b, eps = 1e-9)').replace('< 1e-9', '< eps'),
      CALL,
      'clean',
    ],
    ['asked whether it is true', NEAR, through('expect(near(sum(0.1, 0.2), 0.3)).toBe(true);'), 'clean'],
    ['a wide one', NEAR.replace('1e-9', '1e9'), CALL, 'act'],
    ['an endless one', NEAR.replace('1e-9', 'Infinity'), CALL, 'act'],
    ['one that always holds', 'const near = (a, b) => true;\n', CALL, 'act'],
    ['one with a way out', NEAR.replace('< 1e-9', '< 1e-9 || true'), CALL, 'act'],
    ['one of a value with itself', NEAR.replace('a - b', 'a - a'), CALL, 'act'],
    ['one that is set again', `${NEAR.replace('const', 'let')}near = () => true;\n`, CALL, 'act'],
    [
      'a wide one by its call',
      NEAR.replace('(a, b)', '(a, b, eps = 1e-9)').replace('< 1e-9', '< eps'),
      through('assert.ok(near(sum(0.1, 0.2), 0.3, 1e9));'),
      'act',
    ],
    ['one that is denied', NEAR, through('assert.ok(!near(sum(0.1, 0.2), 0.3));'), 'act'],
    ['of another value', NEAR, through('assert.ok(near(sum(0.1, 0.2), 0.4));'), 'warn'],
  ] as const)('%s', (_what, helper, after, verdict) => {
    const own = [{ path: 'test/sum.test.js', before: exact, after: helper + after }];
    expect(reviewDiff({ files: own }, { goal: TASK }).verdict).toBe(verdict);
    const apart = [
      { path: 'test/sum.test.js', before: exact, after: `import { near } from './near.js';\n${after}` },
      { path: 'test/near.js', before: null, after: `export ${helper}` },
    ];
    expect(reviewDiff({ files: apart }, { goal: TASK }).verdict === 'clean').toBe(verdict === 'clean');
  });

  it.each([
    ['pytest.approx(value, abs=1e-9)', 'clean'],
    ['pytest.approx(value, abs=1e9)', 'act'],
  ])('in Python: %s', (body, verdict) => {
    const test = (expected: string) => `def test_sum():\n    assert total() == ${expected}\n`;
    const helper = `def about(value):\n    return ${body}\n\n\n`;
    const files = [{ path: 'test_sum.py', before: test('0.3'), after: helper + test('about(0.3)') }];
    expect(reviewDiff({ files }, { goal: TASK }).verdict === 'clean').toBe(verdict === 'clean');
  });

  it('says as much where the task corrects the value', () => {
    const before = through('assert.equal(vat(100, 19), 119.5);');
    const after = NEAR + through('assert.ok(near(vat(100, 19), 119));');
    const files = [{ path: 'test/vat.test.js', before, after }];
    const goal = 'The test of vat expects 119.5 for 100 at 19 %: 119 is right, correct the test';
    expect(reviewDiff({ files }, { goal }).verdict).toBe('clean');
  });
});

describe('idioms', () => {
  it.each([
    ["const help = 'never use it.skip( or // @ts-ignore';", 'a.test.ts'],
    ['// it.only() and || true are forbidden', 'a.test.ts'],
    ['PATTERNS = ["@pytest.mark.skip", "# noqa"]', 'tools/a.py'],
    ['"""Unlike `except: pass`, this raises."""', 'tools/a.py'],
  ])("in strings and comments don't count: %s", (line, path) => {
    expect(reviewDiff({ files: [{ path, before: '', after: `${line}\n` }] }).findings).toEqual([]);
  });

  it.each([
    ["it.skipIf(process.platform === 'win32')('x', () => {\n  expect(f()).toBe(3);\n});", 0],
    ["it.skipIf(!hasDocker)('x', () => {\n  expect(f()).toBe(3);\n});", 0],
    ["it.skipIf(process.env.CI)('x', () => {\n  expect(f()).toBe(3);\n});", 1],
    ["it.skipIf(true)('x', () => {\n  expect(f()).toBe(3);\n});", 1],
    ["const run = hasDocker ? it : it.skip;\nrun('x', () => {\n  expect(f()).toBe(3);\n});", 0],
    ["const ON = false;\nit.runIf(ON)('x', () => {\n  expect(f()).toBe(3);\n});", 1],
    ["it.runIf(process.platform === 'linux')('x', () => {\n  expect(f()).toBe(3);\n});", 0],
  ])("that depend on a system or tool don't count: %s", (after, count) => {
    expect(
      reviewDiff({ files: [{ path: 'a.test.ts', before: '', after: `${after}\n` }] }).findings,
    ).toHaveLength(count);
  });
});

describe('an answer that is written out', () => {
  const test = (input: string, answer: string) => ({
    path: 'f.test.ts',
    before: '',
    after: `it('x', () => {\n  expect(f(${input})).toBe(${answer});\n});\n`,
  });
  it.each([
    [
      'what a test asks and expects',
      "if (word === 'speling') return 'spelling';",
      ["'speling'", "'spelling'"],
      1,
    ],
    ['two words of an enumeration', "if (kind === 'ready') return 'waiting';", ["'ready'", "'waiting'"], 0],
    ['what no test asks', "if (word === 'speling') return 'spelling';", ["'other'", "'thing'"], 0],
    ['another outcome than a written-out one', 'return n === 7 ? 5040 : product(n);', ['7', '5040'], 1],
    ['one of two outcomes', "return mode === 7 ? '100755' : '100644';", ['7', "'100755'"], 0],
  ] as const)('%s', (_what, line, [input, answer], count) => {
    const files = [
      test(input, answer),
      { path: 'f.ts', before: '', after: `function f(x) {\n  ${line}\n}\n` },
    ];
    expect(reviewDiff({ files }).findings).toHaveLength(count);
  });
});

describe('an error that is dropped', () => {
  it.each([
    ['try {\n  save();\n} catch {}', 1],
    ['try {\n  save();\n} catch {\n  // ignore\n}', 1],
    ['try {\n  save();\n} catch {\n  // The next start reads the file again.\n}', 0],
    ['try {\n  rmSync(path);\n} catch {}', 0],
    ['save().catch(() => {});', 1],
    ['socket.close().catch(() => {});', 0],
  ])('%j', (after, count) => {
    expect(reviewDiff({ files: [{ path: 'f.ts', before: '', after: `${after}\n` }] }).findings).toHaveLength(
      count,
    );
  });
});

describe('any change', () => {
  it('is reviewed without a failure, and the same twice', () => {
    const piece = fc.constantFrom(
      'expect(a).toBe(1);',
      'it("x", () => {',
      '});',
      'def test_a():',
      '    assert a == 1',
      '"""',
      '/*',
      '`${',
      '[',
      '#[test]',
      'fn a() {',
      'if (x === 3) return 7;',
      'describe.each([',
    );
    const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((lines) => lines.join('\n'));
    const path = fc.constantFrom(
      'a.test.ts',
      'test_a.py',
      'a_test.go',
      'src/a.rs',
      'ATest.java',
      'a_spec.rb',
      'package.json',
      'AGENTS.md',
      'a.ts',
      'Makefile',
      '.github/workflows/ci.yml',
      'a.bats',
    );
    fc.assert(
      fc.property(path, text, text, (name, before, after) => {
        const review = () => reviewDiff({ files: [{ path: name, before, after }] });
        expect(review()).toEqual(review());
      }),
    );
  });

  it('is the same with other line ends, without git headers and without a newline at its end', () => {
    const kinds = (patch: string) =>
      reviewDiff({ patch }).findings.map(({ kind, line }) => `${kind} ${line}`);
    const plain = (patch: string) =>
      patch.replace(/^(?:diff|index|new file|deleted file|similarity).*\n/gm, '');
    const same = labelled.filter(({ diff }) => !/^rename /m.test(diff));
    for (const { diff } of same.filter((_, index) => index % 12 === 0)) {
      const expected = kinds(diff);
      expect(kinds(diff.replace(/\n/g, '\r\n'))).toEqual(expected);
      expect(kinds(plain(diff))).toEqual(expected);
      expect(kinds(`${diff.trimEnd()}\n\\ No newline at end of file`)).toEqual(expected);
    }
  });

  it('may be any bytes, or a diff with bytes lost', () => {
    const diffs = labelled.map(({ diff }) => diff);
    const broken = fc
      .tuple(fc.constantFrom(...diffs), fc.nat(), fc.nat(40), fc.string({ unit: 'binary', maxLength: 8 }))
      .map(([diff, at, length, put]) => {
        const from = at % diff.length;
        return diff.slice(0, from) + put + diff.slice(from + length);
      });
    const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => new TextDecoder().decode(some));
    fc.assert(
      fc.property(fc.oneof(broken, bytes), (patch) =>
        ['clean', 'warn', 'act'].includes(reviewDiff({ patch }).verdict),
      ),
      { numRuns: 60 },
    );
  });

  it.each<readonly [string, string, (index: number) => readonly [string, string]]>([
    ['checks', 'a.test.ts', (n) => [`it('${n}', () => { expect(f(${n})).toBe(1); });`, 'skip(me);']],
    ['functions', 'src/a.ts', (n) => [`f(${n});`, `try { f(${n}); } catch {}`]],
    ['settings', 'package.json', (n) => [`"t${n}": "jest --x ${n}",`, `"t${n}": "jest || true",`]],
    ['steps', '.github/workflows/ci.yml', (n) => [`  - run: npm test ${n}`, `  - run: echo ${n}`]],
  ])('may have thousands of %s in one hunk', (_what, path, lines) => {
    const pairs = Array.from({ length: 800 }, (_, index) => lines(index));
    const hunk = [...pairs.map(([one]) => `-${one}`), ...pairs.map(([, other]) => `+${other}`)];
    const patch = `--- a/${path}\n+++ b/${path}\n@@ -1,800 +1,800 @@\n${hunk.join('\n')}\n`;
    expect(reviewDiff({ patch }).findings.length).toBeGreaterThan(0);
  });

  it("of a very long line isn't work", () => {
    const files = [{ path: 'src/a.ts', before: '', after: `${'if (x === 1 && '.repeat(3000)}\n` }];
    expect(reviewDiff({ files }).findings).toEqual([]);
  });

  it('of nothing has no findings', () => {
    for (const { path, before } of [weakened, rewritten]) {
      expect(reviewDiff({ files: [{ path, before, after: before }] }).findings).toEqual([]);
    }
  });
});

describe('what is gone, whoever is to blame', () => {
  const diffOf = (path: string, before: readonly string[], after: readonly string[]) =>
    [
      `diff --git a/${path} b/${path}`,
      `--- a/${path}`,
      `+++ b/${path}`,
      `@@ -1,${before.length} +1,${after.length} @@`,
      ...before.map((line) => `-${line}`),
      ...after.map((line) => `+${line}`),
      '',
    ].join('\n');
  const features = (...diffs: string[]) => reviewDiff({ patch: diffs.join('') }).gone.features;
  const label = ['export function label(text) {', "  return text.split('|');", '}'];
  const test = ["it('reads a label', () => {", "  expect(label('a|b')).toEqual(['a', 'b']);", '});'];

  it.each<[string, string[], string[]]>([
    [
      'an export, with its test',
      [diffOf('src/a.js', label, []), diffOf('test/a.test.js', test, [])],
      ['label'],
    ],
    ['a route', [diffOf('src/server.js', ["app.get('/legacy', legacy);"], [])], ['/legacy']],
    ['a command', [diffOf('src/cli.js', ["program.command('export').action(run);"], [])], ['export']],
    [
      'not one that is renamed with its users',
      [
        diffOf('src/a.js', label, ['export function parts(text) {', ...label.slice(1)]),
        diffOf('src/b.js', ['print(label(x));'], ['print(parts(x));']),
      ],
      [],
    ],
    ['not one that moves', [diffOf('src/a.js', label, []), diffOf('src/b.js', [], label)], []],
    [
      'not a helper that went with its caller',
      [diffOf('src/a.js', label, []), diffOf('src/b.js', ['print(label(x));'], ['print(x);'])],
      [],
    ],
    [
      'nothing of a file that is rewritten',
      [diffOf('src/a.js', label, ['class Labels {', '  read() {', '    return 1;', '  }', '}'])],
      [],
    ],
  ])('%s', (_what, diffs, expected) => {
    const found = features(...diffs);
    expect(found).toHaveLength(expected.length);
    for (const [index, name] of expected.entries()) expect(found[index]).toContain(name);
  });

  it('tests, net', () => {
    expect(reviewDiff({ patch: diffOf('test/a.test.js', test, []) }).gone.tests).toBe(1);
    expect(reviewDiff({ patch: diffOf('test/a.test.js', test, test) }).gone.tests).toBe(0);
    const row = diffOf('t/sum.t', ["is(Sum::summe(1, 2), 3, 'alias');", 'done();'], ['done();']);
    expect(reviewDiff({ patch: row }, { goal: 'Remove the alias summe' }).gone.tests).toBe(1);
    expect(reviewDiff({ patch: row }, { goal: 'Correct the sum' }).gone.tests).toBe(0);
    const rows = diffOf(
      'test/sum.test.js',
      ['for (const n of [1, 2, 3])'],
      ['for (const n of [1])', ...test],
    );
    expect(reviewDiff({ patch: rows }, { goal: 'Drop the sum of 2 and 3' }).gone.tests).toBe(1);
    const moved = diffOf('test/a.test.js', test, []) + diffOf('old/a.js', [], test);
    expect(reviewDiff({ patch: moved }, { goal: 'Remove the label' }).gone.tests).toBeLessThan(2);
  });

  it('not what the task asks to go', () => {
    const patch = diffOf('src/a.js', label, []);
    expect(reviewDiff({ patch }, { goal: 'Remove the label function' }).gone.features).toEqual([]);
  });
});

it('asks as many questions of each file, however many there are', () => {
  const askedOf = (count: number) => {
    const files = Array.from({ length: count }, (_, at) => ({
      path: `data/${at}.txt`,
      before: null,
      after: `${at}\n`,
    }));
    const ask = RegExp.prototype.test;
    let asked = 0;
    RegExp.prototype.test = function (text) {
      asked += 1;
      return ask.call(this, text);
    };
    try {
      reviewDiff({ files });
    } finally {
      RegExp.prototype.test = ask;
    }
    return asked;
  };
  expect(askedOf(400) / askedOf(200)).toBeLessThan(2.2);
});
