import { describe, expect, it } from 'vitest';
import { readResults } from '../../../src/proof/results/index.ts';
import { readsOf, recordedRunners, recordedText } from '../../helpers/recorded-runners.ts';

const FOLDERS = recordedRunners();

describe.each(FOLDERS)('$folder $version', ({ folder, name, columns, reads }) => {
  it.each(Object.keys(columns))('%s', (column) => {
    const expected = reads[column];
    expect(readsOf(recordedText(folder, column))).toEqual(
      expected === null ? null : { runners: [name], reads: expected },
    );
  });

  it('ends as it does where a test fails, and with 0 where all pass', () => {
    expect(Object.keys(columns)).toEqual(Object.keys(reads));
    expect(columns.f?.exit ?? 0).toBe(0);
  });
});

describe('several results in one output', () => {
  const reads = (text: string, run = '') => readResults([], { text, whole: true, files: [] }, run);

  it.each(FOLDERS.filter(({ reads: { a } }) => a?.tests !== undefined))('$folder beside others', (one) => {
    const [passed, failed, skipped] = one.reads.a?.tests ?? [0, 0, 0];
    for (const other of ['vitest', 'node-test', 'tape'].filter((name) => name !== one.folder)) {
      const tests = FOLDERS.find(({ folder }) => folder === other)?.reads.a?.tests ?? [0, 0, 0];
      const sum = { passed: passed + tests[0], failed: failed + tests[1], skipped: skipped + tests[2] };
      const text = `${recordedText(one.folder, 'a')}\n${recordedText(other, 'a')}`;
      expect(reads(text)?.tests, other).toMatchObject(sum);
      expect(
        reads(`${recordedText(other, 'a')}\n${recordedText(one.folder, 'a')}`)?.tests,
        other,
      ).toMatchObject(sum);
    }
  });

  it('a runner that a command starts, and whose result is not there, is uncounted: never zero', () => {
    const text = recordedText('vitest', 'f');
    expect(reads(text, 'vitest run && npx mocha')).toMatchObject({
      tests: { passed: 3 },
      none: false,
      uncounted: ['mocha'],
    });
    expect(reads(`> project@1.0.0 test\n> uvu test\n\n${text}`, 'npm test -ws')?.uncounted).toEqual(['uvu']);
    expect(reads('nothing to see', 'npx jest')).toMatchObject({
      tests: null,
      none: false,
      uncounted: ['jest'],
    });
    expect(reads(text, 'vitest run')?.uncounted).toEqual([]);
  });
});
