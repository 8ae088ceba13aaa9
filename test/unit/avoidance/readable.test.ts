import { readablePart, reviewDiff } from 'ralph-diff-review';
import { describe, expect, it } from 'vitest';
import { MOST_REVIEWED, reviewChanges, type WholeDiff } from '../../../src/decide/index.ts';
import { NO_HUMAN_STATE } from '../../../src/domain/human/state.ts';

const file = (path: string, lines: readonly string[], old = path) =>
  [
    `diff --git a/${old} b/${path}`,
    `--- a/${old}`,
    `+++ b/${path}`,
    `@@ -1,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');

const padded = file('src/padded.ts', Array(200).fill('export const padding = 1;'));
const skipped = file('test/a.test.ts', ["it.skip('a', () => {", '  expect(f()).toBe(3);', '});']);
const other = file('src/b.ts', ['export const b = 1;']);

describe('the part of a diff that is read', () => {
  it.each([
    ['all that fits', [skipped, other], ['test/a.test.ts', 'src/b.ts'], []],
    [
      'the others of a large file',
      [padded, skipped, other],
      ['test/a.test.ts', 'src/b.ts'],
      ['src/padded.ts'],
    ],
    ['none of a large file alone', [padded], [], ['src/padded.ts']],
  ])('is %s', (_what, files, read, left) => {
    const part = readablePart(files.join(''), 1000);
    expect(part.read.toSorted()).toEqual(read.toSorted());
    expect(part.skipped).toEqual(left);
    expect(part.patch).toBe(files.filter((one) => one !== padded).join(''));
  });

  it('names a file that is gone by its path as it was, and one that only has another name', () => {
    const gone = `${file('x', ['a'], 'src/gone.ts').replace('+++ b/x', '+++ /dev/null')}`;
    const renamed = 'diff --git a/a.ts b/c.ts\nsimilarity index 100%\nrename from a.ts\nrename to c.ts\n';
    expect(readablePart(gone + renamed, 10).skipped).toEqual(['src/gone.ts', 'c.ts']);
  });

  it("is nothing of what isn't a diff", () => {
    expect(readablePart('', 10)).toEqual({ patch: '', read: [], skipped: [] });
  });
});

describe('a change that is too large', () => {
  it.each([
    ['src/padded.ts', 1],
    ['package-lock.json', 0],
    ['docs/tables.md', 0],
  ])('%s: signs: %d', (path, count) => {
    const { findings, verdict } = reviewDiff({ patch: other }, { unread: [path] });
    expect(findings.filter(({ kind }) => kind === 'not_reviewed')).toHaveLength(count);
    expect(verdict).toBe(count === 0 ? 'clean' : 'warn');
  });

  it('is one of production code where nothing else changed, and alone no more than a warning', () => {
    expect(reviewDiff({ patch: '' }, { unread: ['src/tables.ts'] }).findings).toMatchObject([
      { level: 'warn', evidence: [] },
    ]);
    const tests = reviewDiff({ patch: '' }, { unread: ['test/large.test.ts'] }).findings;
    expect(tests).toMatchObject([{ evidence: ['no production code changed'] }]);
  });
});

describe("an attempt's diff with a file that is too large", () => {
  it('has the signs of the others, and a warning for each that was not read', () => {
    const large = file('src/large.ts', Array(MOST_REVIEWED / 20).fill('export const padding = 1;'));
    const paths = ['src/large.ts', 'test/a.test.ts', 'src/cut-off.ts', 'sub/inner.ts', 'sub'];
    const attempt = {
      task: { title: 'One', description: '', acceptance: [] },
      ...{ commandRuns: [], baseline: null, endedAt: '2030-01-01T00:00:00.000Z' },
    } as unknown as Parameters<typeof reviewChanges>[0];
    const changes = {
      changes: paths.map((path) => ({ path, oldPath: null })),
    } as unknown as WholeDiff['changes'];
    const submodule = 'diff --git a/sub b/sub\nindex 1..2 160000\n';
    const { findings } = reviewChanges(
      attempt,
      { changes, patch: large + skipped + submodule },
      NO_HUMAN_STATE,
    );
    expect(findings.map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual([
      'not_reviewed src/cut-off.ts',
      'not_reviewed src/large.ts',
      'skip_added test/a.test.ts',
    ]);
  });
});
