import { closeSync, fstatSync, lstatSync, readlinkSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tryOr } from '../try-or.ts';
import { openPlainFile } from './plain-file.ts';

/** Maps a path to its real location, for programs that see a copy instead of the checkout. */
export type At = (path: string) => string;

const HERE: At = (path) => path;
/** Limit of links followed in one path; more is a circle. */
const MOST_LINKS = 40;

/** Returns a path with links followed as far as it exists. Never throws. */
export function realPathOf(path: string, at: At = HERE): string {
  const left = partsOf(resolve(path));
  let real = '/';
  for (let links = 0; left.length > 0; ) {
    const next = join(real, left.shift() ?? '');
    const target = links < MOST_LINKS ? linkAt(at(next)) : null;
    if (target === null) {
      real = next;
      continue;
    }
    links += 1;
    left.unshift(...partsOf(resolve(dirname(next), target)));
    real = '/';
  }
  return real;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function linkAt(path: string): string | null {
  return tryOr(null, () =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null,
  );
}

/** Returns the creation time in milliseconds since 1970; `null` when the path doesn't exist. Never throws. */
export function bornAt(path: string): number | null {
  return tryOr(null, () => lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? null);
}

/** Returns up to `most` bytes if changed since that time (milliseconds since 1970), else `null`. Never throws. */
export function textIfChangedSince(path: string, since: number, most: number, at: At = HERE): string | null {
  let file: number | null = null;
  try {
    file = openPlainFile(at(realPathOf(path, at)));
    if (fstatSync(file).ctimeMs < since) return null;
    const bytes = Buffer.alloc(most);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, most, 0));
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
