/** @module-tag rest */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../../helpers/extensions.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { changesOf, sourceCheck } from '../../helpers/source-check.ts';

/** Files of the source that an extension may touch, lists and registries included. */
const LIMITS = { 'An agent': 3, 'A detector': 4, 'A rule': 2, 'A command': 2, 'A task-list format': 3 };

const check = sourceCheck();

it('shows each extension', () => {
  expect([...EXTENSIONS.keys()].toSorted()).toEqual(Object.keys(LIMITS).toSorted());
});

describe.each(Object.entries(LIMITS))('docs/EXTENDING.md: %s', (heading, limit) => {
  const diff = join(temporaryFolder(), 'extension.diff');
  writeFileSync(diff, EXTENSIONS.get(heading) ?? '');
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
