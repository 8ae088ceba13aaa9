import { lstatSync } from 'node:fs';
import type { BytePath } from '../call/git-path.ts';
import { absolute, type WorkTree } from '../repository/work-tree.ts';

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
  return recentOf([...new Set(paths)].map((path) => [path, changedAt(tree, path)]));
}

/**
 * Looks at such files again.
 *
 * @returns those that were touched since they were noted, and which are still to be looked at.
 */
export function lookAgain(tree: WorkTree, recent: Recent) {
  const now = [...recent.keys()].map((path) => [path, changedAt(tree, path)] as const);
  return {
    rewritten: now.flatMap(([path, at]) => (at === null || at === recent.get(path) ? [] : [path])),
    recent: recentOf(now),
  };
}

function recentOf(files: readonly (readonly [BytePath, number | null])[]): Recent {
  const since = Date.now() - WINDOW_MS;
  return new Map(files.flatMap(([path, at]) => (at === null || at < since ? [] : [[path, at] as const])));
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
