import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { At } from 'ralph-kit/files/real-path';
import { isAtOrBelow } from 'ralph-kit/paths';
import { tryOr } from 'ralph-kit/try-or';
import type { MountedCopy } from './protocol/index.ts';

/** Maps paths in the checkout to the files seen in a box. @param others Absolute paths shown from the checkout. */
export function inCopy(root: string, { files, seed, git }: MountedCopy, others: () => readonly string[]): At {
  // Without a box, the copy has a path of its own.
  if (git === null) return (path) => path;
  return (path) => {
    if (
      !path.startsWith(`${root}/`) ||
      isAtOrBelow(path, join(root, '.ralph')) ||
      others().some((one) => isAtOrBelow(path, one))
    )
      return path;
    const name = relative(root, path);
    if (name === '.git' || name.startsWith('.git/')) return join(git.folder, name.slice(5));
    const upper = join(files, name);
    if (isThere(upper)) return upper;
    return seed?.map((layer) => join(layer, name)).find(isThere) ?? upper;
  };
}

function isThere(path: string): boolean {
  return tryOr(false, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}
