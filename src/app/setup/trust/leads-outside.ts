import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { tryOr } from 'ralph-kit/try-or';
import type { Config } from '../../../domain/config.ts';

/**
 * Returns the real path of a file outside of the repository (by an absolute path, `..` or a link); `null`: it is
 * inside, or missing.
 */
export function leadsOutside(root: string, path: string): string | null {
  const real = tryOr(null, () => realpathSync(resolve(root, path)));
  return real === null || isBelow(realpathSync(root), real) ? null : real;
}

/** Returns whether a path is in a folder, by their text: links aren't followed. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, resolve(root, path));
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/**
 * Returns a reader for which a file is missing if a newer link leads it outside: your approval was for its earlier
 * target.
 */
export function withoutNewLinks(
  root: string,
  { prompt, notes, feedback }: Config['files'],
  notice: (text: string) => void,
  read: (path: string) => string | null,
): (path: string) => string | null {
  const known = new Map([prompt, feedback, ...notes].map((path) => [path, leadsOutside(root, path)]));
  const shown = new Set<string>();
  return (path) => {
    const real = leadsOutside(root, path);
    if (real === null || real === (known.get(path) ?? null)) return read(path);
    const message = `${path} leads out of the repository now, to ${real}: it isn't read. If you want that: ralph trust`;
    if (!shown.has(message)) notice(message);
    shown.add(message);
    return null;
  };
}
