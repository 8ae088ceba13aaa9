import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAtOrBelow } from 'ralph-kit/paths';

/** Returns the checkout for a folder in a copy made without a box; `null` for other folders. */
export function copiedFrom(folder: string): string | null {
  const [, top = '', place = ''] = /^(.*\/slots\/([^/]+)\/c?\d+\/files)(?:\/|$)/.exec(folder) ?? [];
  // Copies of `ralph do` lie in places of their own.
  const name = place.replace(/^\.do-/, '');
  if (name === '') return null;
  try {
    const common = dirname(readFileSync(join(top, '.git/objects/info/alternates'), 'utf8').trim());
    if (name === 'main') return dirname(common);
    return dirname(readFileSync(join(common, 'worktrees', name, 'gitdir'), 'utf8').trim());
  } catch {
    return null;
  }
}

/** Copies ignored files from a copy to the checkout without overwriting; returns false when the path doesn't exist. */
export function takeIgnored(root: string, files: string, path: string): boolean {
  const from = resolve(files, path);
  if (!isAtOrBelow(from, files) || !existsSync(from)) return false;
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
  return true;
}
