import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { testFiles } from '../helpers/tags.ts';

const TOP = join(import.meta.dirname, '../..');
const IMPORTED = /(?:from|import)[ (]*'(\.[^']+)'/g;

/** Returns files that a file imports, itself or by others, as paths from the top, with the file that does. */
function reached(path: string, seen = new Map<string, string>()): Map<string, string> {
  for (const [, name = ''] of readFileSync(join(TOP, path), 'utf8').matchAll(IMPORTED)) {
    const other = relative(TOP, join(TOP, dirname(path), name));
    if (seen.has(other) || !existsSync(join(TOP, other))) continue;
    seen.set(other, path);
    reached(other, seen);
  }
  return seen;
}

it("tests beside a package's code reach nothing of src, not by a helper either", () => {
  const files = testFiles(TOP).filter((path) => path.startsWith('packages/'));
  expect(files.length).toBeGreaterThan(100);
  const into = files.flatMap((path) => [...reached(path)].filter(([other]) => other.startsWith('src/')));
  expect(into.map(([other, by]) => `${by} imports ${other}`)).toEqual([]);
});
