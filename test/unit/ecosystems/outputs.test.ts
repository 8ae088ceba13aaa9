import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestResults } from '../../../src/domain/test-results.ts';
import { RUNNERS } from '../../../src/ecosystems/index.ts';
import { withoutEscapes } from '../../../src/lib/text.ts';
import { readResults } from '../../../src/proof/results/index.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/runners');

/** What is to be read in an output; `null`: that isn't known. What is left out isn't there. */
type Reads = {
  /** Passed, failed, skipped; left out where none is counted. */
  readonly tests?: readonly [number, number, number];
  readonly failing?: readonly string[];
  /** `file:line` of the failing tests, in their order. */
  readonly places?: readonly string[];
  readonly notLoaded?: readonly string[];
  /** `none`: no test ran; `onlySkipped`; `notLoaded`: a file could not be loaded; `focused`: a focus left tests out. */
  readonly says?: readonly string[];
};

type Recorded = {
  /** As it is called among the runners that are known. */
  readonly name: string;
  readonly version: string;
  readonly columns: Readonly<Record<string, { readonly exit: number }>>;
  readonly reads: Readonly<Record<string, Reads | null>>;
};

/**
 * A folder holds what a runner printed, standard output and error together: `a` 3 pass, 1 fails, 1 is skipped; `b` no file of tests; `b2` a file
 * without tests; `c` skipped tests alone; `d` a file that can't be loaded, and a good one; `e` a focus left in beside a failing test; `f` all pass;
 * `g` a test without assertion.
 */
const FOLDERS = readdirSync(FOLDER)
  .toSorted()
  .map((folder) => ({
    folder,
    ...(JSON.parse(readFileSync(join(FOLDER, folder, 'runner.json'), 'utf8')) as Recorded),
  }));

function textOf(folder: string, column: string): string {
  const text = withoutEscapes(readFileSync(join(FOLDER, folder, `${column}.txt`), 'utf8'));
  return text.replaceAll('file:///project/', '').replaceAll('/project/', '');
}

function shown(
  results: TestResults | null,
): { readonly runners: readonly string[]; readonly reads: Reads } | null {
  if (results === null) return null;
  const { tests, failing, places, notLoaded, none, focused, runners } = results;
  const says = [
    none && 'none',
    tests !== null && tests.run === 0 && tests.skipped > 0 && 'onlySkipped',
    notLoaded !== null && 'notLoaded',
    focused && 'focused',
  ].filter((one) => one !== false);
  const reads = {
    ...(tests === null ? {} : { tests: [tests.passed, tests.failed, tests.skipped] as const }),
    ...(failing.length === 0 ? {} : { failing }),
    ...(places.length === 0 ? {} : { places: places.map(({ place }) => place) }),
    ...(notLoaded === null || notLoaded.length === 0 ? {} : { notLoaded }),
    ...(says.length === 0 ? {} : { says }),
  };
  return { runners, reads };
}

describe.each(FOLDERS)('$folder $version', ({ folder, name, columns, reads }) => {
  it.each(Object.keys(columns))('%s', (column) => {
    const expected = reads[column];
    const results = readResults([], { text: textOf(folder, column), whole: true, files: [] });
    expect(shown(results)).toEqual(expected === null ? null : { runners: [name], reads: expected });
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
      const text = `${textOf(one.folder, 'a')}\n${textOf(other, 'a')}`;
      expect(reads(text)?.tests, other).toMatchObject(sum);
      expect(reads(`${textOf(other, 'a')}\n${textOf(one.folder, 'a')}`)?.tests, other).toMatchObject(sum);
    }
  });

  it('a runner that a command starts, and whose result is not there, is uncounted: never zero', () => {
    const text = textOf('vitest', 'f');
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

it('no two runners have one name', () => {
  const names = RUNNERS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
