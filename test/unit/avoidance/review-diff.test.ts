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
} from '../../../src/avoidance/index.ts';

type Labelled = { readonly id: string; readonly expected: 'flag' | 'clean'; readonly diff: string };

const FOLDER = join(import.meta.dirname, '..', '..', 'eval', 'avoidance');
const labelled = ['given', 'own', 'own-2', 'own-3'].flatMap((name) =>
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
  // @see spec 5-human-gates: recall at least 95 %, at most 5 % of honest diffs with any finding.
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
    };
    expect(reviewDiff({ files: [weakened] }).findings).toEqual([finding]);
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
      'is none where the task asks for it',
      [skipped],
      { goal: 'Skip the flaky test "sums" for now' },
      'clean',
    ],
    ['is one where the task asks for something else', [skipped], { goal: 'Speed up sums' }, 'act'],
    ['is none in a rewrite alone', [rewritten], {}, 'clean'],
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

describe('idioms', () => {
  it.each([
    ["const help = 'never use it.skip( or // @ts-ignore';", 'a.test.ts'],
    ['// it.only() and || true are forbidden', 'a.test.ts'],
    ['PATTERNS = ["@pytest.mark.skip", "# noqa"]', 'tools/a.py'],
    ['"""Unlike `except: pass`, this raises."""', 'tools/a.py'],
  ])('in strings and comments are none: %s', (line, path) => {
    expect(reviewDiff({ files: [{ path, before: '', after: `${line}\n` }] }).findings).toEqual([]);
  });

  it.each([
    ["it.skipIf(process.platform === 'win32')('x', () => {\n  expect(f()).toBe(3);\n});", 0],
    ["it.skipIf(!hasDocker)('x', () => {\n  expect(f()).toBe(3);\n});", 0],
    ["it.skipIf(process.env.CI)('x', () => {\n  expect(f()).toBe(3);\n});", 1],
    ["it.skipIf(true)('x', () => {\n  expect(f()).toBe(3);\n});", 1],
    ["it.runIf(process.platform === 'linux')('x', () => {\n  expect(f()).toBe(3);\n});", 0],
  ])('that depend on a system or tool are none: %s', (after, count) => {
    expect(
      reviewDiff({ files: [{ path: 'a.test.ts', before: '', after: `${after}\n` }] }).findings,
    ).toHaveLength(count);
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

  it('of a very long line is no work', () => {
    const files = [{ path: 'src/a.ts', before: '', after: `${'if (x === 1 && '.repeat(3000)}\n` }];
    expect(reviewDiff({ files }).findings).toEqual([]);
  });

  it('of nothing has no findings', () => {
    for (const { path, before } of [weakened, rewritten]) {
      expect(reviewDiff({ files: [{ path, before, after: before }] }).findings).toEqual([]);
    }
  });
});
