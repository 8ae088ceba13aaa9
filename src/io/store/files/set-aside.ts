import { linkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOrNull } from './plain-file.ts';

/**
 * Keeps a file of `.ralph` under another name beside it: `NAME.WHY-TIME`. A plain file keeps its place too, until the
 * caller replaces it, so that a crash between never leaves nothing; anything else is moved.
 *
 * @param now ISO 8601 UTC.
 * @returns The new path relative to `.ralph`.
 */
export function setAside(dir: string, path: string, why: string, now: string): string {
  const stamp = now.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const name = freeName(dir, `${path}.${why}-${stamp}`);
  if (lstatOrNull(join(dir, path))?.isFile()) linkSync(join(dir, path), join(dir, name));
  else renameSync(join(dir, path), join(dir, name));
  return name;
}

/** The name itself, or with the first number behind it that is free. */
export function freeName(dir: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (lstatOrNull(join(dir, candidate)) === null) return candidate;
  }
}
