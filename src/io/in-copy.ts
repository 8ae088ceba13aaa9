import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ShownCopy } from '../domain/box/box.ts';
import type { At } from './real-path.ts';

/**
 * Where paths below the checkout lie for programs in a box that sees a copy there: in the copy, in the layers below it, and for files
 * that are shown from the checkout in that.
 *
 * @param orders Absolute paths of those files.
 */
export function inCopy(root: string, { files, seed, git }: ShownCopy, orders: () => readonly string[]): At {
  // Without a box the copy has a path of its own.
  if (git === null) return (path) => path;
  return (path) => {
    if (!path.startsWith(`${root}/`) || isShown(path, root, orders)) return path;
    const name = relative(root, path);
    if (name === '.git' || name.startsWith('.git/')) return join(git.folder, name.slice(5));
    const upper = join(files, name);
    if (isThere(upper)) return upper;
    return seed?.map((layer) => join(layer, name)).find(isThere) ?? upper;
  };
}

function isShown(path: string, root: string, orders: () => readonly string[]): boolean {
  return path === join(root, '.ralph') || path.startsWith(join(root, '.ralph/')) || orders().includes(path);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
