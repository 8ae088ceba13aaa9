import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAtOrBelow } from '../../../lib/paths.ts';

/** Copies what programs made in a copy, and git ignores, to the checkout; nothing that is there is written over. False: there is no such thing. */
export function takeIgnored(root: string, files: string, path: string): boolean {
  const from = resolve(files, path);
  if (!isAtOrBelow(from, files) || !existsSync(from)) return false;
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
  return true;
}
