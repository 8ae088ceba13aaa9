import type { BytePath } from '../call/git-path.ts';
import { absolute, look, type WorkTree } from '../repository/work-tree.ts';

/** Files changed in the last moments, with the time of that change in nanoseconds. */
export type Recent = ReadonlyMap<BytePath, bigint>;

/** Longer than the second that git tells times apart by, and than the grain of the system's clock. */
const WINDOW_MS = 2000;

/**
 * Which of these files a later edit could change without git seeing it: git compares change times in whole seconds,
 * so a second edit within the same second, of the same size and with the old modification time put back, looks like
 * no edit. The nanoseconds tell.
 */
export function recentFiles(tree: WorkTree, paths: Iterable<BytePath>): Recent {
  const since = BigInt(Date.now() - WINDOW_MS) * 1_000_000n;
  const recent = new Map<BytePath, bigint>();
  for (const path of new Set(paths)) {
    const found = look(absolute(tree, path));
    if (found !== null && found.ctimeNs >= since) recent.set(path, found.ctimeNs);
  }
  return recent;
}

/** Files that were touched since they were noted. */
export function rewritten(tree: WorkTree, recent: Recent): BytePath[] {
  return [...recent]
    .filter(([path, at]) => {
      const found = look(absolute(tree, path));
      return found !== null && found.ctimeNs !== at;
    })
    .map(([path]) => path);
}
