import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Modules } from './read-modules.ts';

/**
 * Writes modules with all that they import into a folder, at the paths that they have, below it: imports lead from one to the
 * other as they do where they come from.
 *
 * @param folder Absolute; nothing is in it.
 * @throws The Node error
 */
export function keepModules({ parts, links }: Modules, folder: string): void {
  const at = (path: string) => {
    const kept = keptPath(path, folder);
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    return kept;
  };
  // A file may be a part by itself, too.
  const files = new Map(parts.flatMap((part) => part.files.map(({ path, bytes }) => [path, bytes] as const)));
  for (const [path, bytes] of files) writeFileSync(at(path), bytes, { mode: 0o600 });
  for (const [path, to] of links) {
    const link = at(path);
    symlinkSync(relative(dirname(link), keptPath(to, folder)), link);
  }
}

/** Where a file lies among the kept ones. */
export function keptPath(path: string, folder: string): string {
  return join(folder, path);
}
