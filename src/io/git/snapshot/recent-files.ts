import { lstatSync } from 'node:fs';
import type { BytePath } from '../call/git-path.ts';
import { absolute, type WorkTree } from '../call/work-tree.ts';

/** Files changed in the last moments, with the time of that change in milliseconds, as exact as the system tells it. */
export type Recent = ReadonlyMap<BytePath, number>;

/** Longer than the second that git tells times apart by, and than the grain of the system's clock. */
const WINDOW_MS = 2000;

/**
 * Which of these files a later edit could change without git seeing it: git compares change times in whole seconds,
 * so a second edit within the same second, of the same size and with the old modification time put back, looks like
 * no edit. What is behind the seconds tells.
 */
export function recentFiles(tree: WorkTree, paths: Iterable<BytePath>): Recent {
  const since = Date.now() - WINDOW_MS;
  const times = [...new Set(paths)].map((path) => [path, changedAt(tree, path)] as const);
  return new Map(times.flatMap(([path, at]) => (at === null || at < since ? [] : [[path, at] as const])));
}

/** Those of such files that were touched since they were noted. */
export function rewrittenSince(tree: WorkTree, recent: Recent): BytePath[] {
  return [...recent].flatMap(([path, at]) => {
    const now = changedAt(tree, path);
    return now === null || now === at ? [] : [path];
  });
}

/** `null`: it isn't there, or can't be read. */
function changedAt(tree: WorkTree, path: BytePath): number | null {
  try {
    // Not in nanoseconds: there may be thousands, and big integers take twice as long.
    return lstatSync(absolute(tree, path), { throwIfNoEntry: false })?.ctimeMs ?? null;
  } catch {
    return null;
  }
}
