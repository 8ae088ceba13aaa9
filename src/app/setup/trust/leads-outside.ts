import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Config } from '../../../domain/config.ts';

/**
 * Where a file of the configuration really lies, if that is outside of the repository: by an absolute path, by `..`,
 * or because it is a link that leaves it. `null`: inside, or there is none.
 */
export function leadsOutside(root: string, path: string): string | null {
  try {
    const real = realpathSync(resolve(root, path));
    return isBelow(realpathSync(root), real) ? null : real;
  } catch {
    return null;
  }
}

/** Whether a path lies below a folder by its words alone. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, resolve(root, path));
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/**
 * Reads the files that prompts are made of. One that leads outside of the repository since this was opened
 * counts as missing, and that is named once: what was accepted is where they led then.
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
