/** @module-tag installs */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Reads,
  type Recorded,
  readsOf,
  recordedRunners,
  recordedText,
} from '../../../test/helpers/recorded-runners.ts';
import { temporaryFolder } from '../../../test/helpers/repository.ts';

const TOP = join(import.meta.dirname, '../../..');
const AGAIN = recordedRunners().filter(({ folder }) =>
  existsSync(join(TOP, 'test/fixtures/runners', folder, 'projects.mjs')),
);

/** Returns a reading with its names sorted: versions of a runner shuffle tests differently, even with the same seed. */
function inNoOrder(reads: Reads | null): Reads | null {
  if (reads === null) return null;
  return Object.fromEntries(
    Object.entries(reads).map(([key, value]) => [key, key === 'tests' ? value : [...value].sort()]),
  );
}

describe.each(AGAIN)('$folder, recorded as $version', ({ folder, columns, reads }) => {
  it('ends and is read as recorded', ({ skip }) => {
    const into = temporaryFolder();
    const script = join(TOP, 'scripts/record-runners.mjs');
    const { status, stdout, stderr } = spawnSync('node', [script, '--into', into, folder], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    if (stdout.includes('left out')) skip(stdout.trim());
    const now = JSON.parse(readFileSync(join(into, folder, 'runner.json'), 'utf8')) as Recorded;
    expect(now.columns, now.version).toEqual(columns);
    for (const column of Object.keys(columns)) {
      const expected = reads[column] ?? null;
      const read = readsOf(recordedText(folder, column, into), expected)?.reads ?? null;
      expect(inNoOrder(read), `${now.version}, ${column}`).toEqual(inNoOrder(expected));
    }
  });
});

it('of these are more than fifteen', () => {
  expect(AGAIN.length).toBeGreaterThan(15);
});
