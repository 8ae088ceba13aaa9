import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { objectText } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Entries of an ignored folder that are looked at. */
const MAX_ENTRIES = 2000;

/** Ignored files and folders at which something changed since a time (ISO 8601 UTC), as far as a look at their upper level shows. */
export async function ignoredSince(tree: WorkTree, time: string): Promise<readonly string[]> {
  const since = Date.parse(time);
  if (!Number.isFinite(since)) return [];
  const listed = await objectText(tree, [
    ...['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
  ]);
  return listed
    .split('\0')
    .filter((path) => path !== '' && !path.startsWith('.ralph/'))
    .filter((path) => changedAt(join(tree.top, path)) >= since);
}

/** When it, or something right in it, changed last, in milliseconds since 1970; 0: nothing is there. */
function changedAt(path: string): number {
  try {
    const own = lstatSync(path);
    if (!own.isDirectory()) return own.ctimeMs;
    const below = readdirSync(path)
      .slice(0, MAX_ENTRIES)
      .map((name) => lstatSync(join(path, name)).ctimeMs);
    return below.reduce((one, other) => Math.max(one, other), own.ctimeMs);
  } catch {
    return 0;
  }
}
