import { lstatSync } from 'node:fs';
import { objectGit } from '../call/git.ts';
import { printPath } from '../call/git-path.ts';
import { absolute, isOwn, type WorkTree } from '../repository/work-tree.ts';
import { parsePaths } from '../snapshot/parse-status.ts';
import { entriesOf } from './raw-content.ts';

/** Entries of an ignored folder that are checked. */
const MAX_ENTRIES = 2000;

/** Ignored files and folders that changed since a time (ISO 8601 UTC); of a folder, what lies right in it is checked. */
export async function ignoredSince(tree: WorkTree, time: string): Promise<readonly string[]> {
  const since = Date.parse(time);
  if (!Number.isFinite(since)) return [];
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  return parsePaths((await objectGit(tree, args)).stdout)
    .filter((path) => !isOwn(tree, path) && changedAt(absolute(tree, path)) >= since)
    .map(printPath);
}

/** When it, or something right in it, changed last, in milliseconds since 1970; 0: nothing is there. */
function changedAt(path: Buffer): number {
  try {
    const found = lstatSync(path);
    if (!found.isDirectory()) return found.ctimeMs;
    const below = entriesOf(path)
      .slice(0, MAX_ENTRIES)
      .map((entry) => lstatSync(entry).ctimeMs);
    return below.reduce((one, other) => Math.max(one, other), found.ctimeMs);
  } catch {
    return 0;
  }
}
