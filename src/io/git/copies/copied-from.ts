import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAtOrBelow } from '../../../lib/paths.ts';

/** The checkout of a folder in a copy that ralph made without a box; `null`: it lies in none. */
export function copiedFrom(folder: string): string | null {
  const [, top = '', name = ''] = /^(.*\/slots\/([^/]+)\/c?\d+\/files)(?:\/|$)/.exec(folder) ?? [];
  if (name === '') return null;
  try {
    const common = dirname(readFileSync(join(top, '.git/objects/info/alternates'), 'utf8').trim());
    if (name === 'main') return dirname(common);
    return dirname(readFileSync(join(common, 'worktrees', name, 'gitdir'), 'utf8').trim());
  } catch {
    return null;
  }
}

/** Copies what programs made in a copy, and git ignores, to the checkout; nothing that is there is written over. False: there is no such thing. */
export function takeIgnored(root: string, files: string, path: string): boolean {
  const from = resolve(files, path);
  if (!isAtOrBelow(from, files) || !existsSync(from)) return false;
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
  return true;
}
