import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/repository.ts';
import { changesOf, sourceCheck } from '../../helpers/source-check.ts';

const DOC = readFileSync(fileURLToPath(new URL('../../../docs/EXTENDING.md', import.meta.url)), 'utf8');

/** Files of the source that an extension may touch, lists and registries included. */
const LIMITS = { 'A command': 3 };

/** Heading to the diff below it. */
const DIFFS = new Map(
  DOC.split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n')[0] ?? '', /^```diff\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '']),
);

const check = sourceCheck();

it('shows each extension', () => {
  expect([...DIFFS.keys()].toSorted()).toEqual(Object.keys(LIMITS).toSorted());
});

describe.each(Object.entries(LIMITS))('docs/EXTENDING.md: %s', (heading, limit) => {
  const diff = join(temporaryFolder(), 'extension.diff');
  writeFileSync(diff, DIFFS.get(heading) ?? '');
  const changes = changesOf(diff);
  const files = [...changes.keys()];

  it(`takes at most ${limit} files`, () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(limit);
  });

  it('fits the source', () => {
    expect(check(changes, 'all')).toEqual([]);
  });

  it.each(files)('cannot be forgotten in %s', (left) => {
    const without = new Map([...changes].filter(([file]) => file !== left));
    expect(check(without, 'first')).not.toEqual([]);
  });
});
