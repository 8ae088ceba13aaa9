import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../try-or.ts';

/** Removes the oldest entries of a folder until `count` are left. */
export function keepNewest(folder: string, count: number): void {
  const ageOf = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newestFirst = tryOr([], () => readdirSync(folder)).toSorted(
    (one, other) => ageOf(other) - ageOf(one),
  );
  for (const name of newestFirst.slice(count)) rmSync(join(folder, name), { recursive: true, force: true });
}
