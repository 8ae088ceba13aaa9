import { closeSync, fstatSync, lstatSync, readSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openPlainFile } from './store/files/plain-file.ts';

/** A path with its links followed; of one that does not exist, as far as it does. Never throws. */
export function realPathOf(path: string): string {
  const parts = resolve(path)
    .split('/')
    .filter((part) => part !== '');
  let real = '/';
  for (const [index, part] of parts.entries()) {
    const next = followed(join(real, part));
    if (next === null) return join(real, ...parts.slice(index));
    real = next;
  }
  return real;
}

/** A path in a real folder with the link that it may be followed; `null`: there is nothing. */
function followed(path: string): string | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    return found.isSymbolicLink() ? realpathSync(path) : path;
  } catch {
    return null;
  }
}

/** When what is at a path was made, in milliseconds since 1970; `null`: there is nothing. Never throws. */
export function bornAt(path: string): number | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? null;
  } catch {
    return null;
  }
}

/**
 * The beginning of a file that was changed since then (milliseconds since 1970), at most so many bytes; `null`: it wasn't
 * changed, or isn't a file that can be read. Never throws.
 */
export function textSince(path: string, since: number, most: number): string | null {
  let file: number | null = null;
  try {
    file = openPlainFile(realPathOf(path));
    if (fstatSync(file).ctimeMs < since) return null;
    const bytes = Buffer.alloc(most);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, most, 0));
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
