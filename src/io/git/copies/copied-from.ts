import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The checkout of a folder in a copy that ralph made without a box; `null`: it lies in none. */
export function copiedFrom(folder: string): string | null {
  const [, top = '', name = ''] = /^(.*\/slots\/([^/]+)\/\d+\/files)(?:\/|$)/.exec(folder) ?? [];
  if (name === '') return null;
  try {
    const common = dirname(readFileSync(join(top, '.git/objects/info/alternates'), 'utf8').trim());
    if (name === 'main') return dirname(common);
    return dirname(readFileSync(join(common, 'worktrees', name, 'gitdir'), 'utf8').trim());
  } catch {
    return null;
  }
}
