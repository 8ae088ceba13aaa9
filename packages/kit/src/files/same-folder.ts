import type { Stats } from 'node:fs';
import { describePath } from './plain-file.ts';
import { PlaceError } from './store-error.ts';

/** Device and inode of each repository's folder, as first seen by this process. */
const cache = new Map<string, string>();

/**
 * Refuses a repository whose folder was replaced: an agent may have moved it and put a link in its place, which would
 * redirect everything that ralph writes and restores.
 * @param stats Of the folder that the path leads to.
 * @throws PlaceError
 */
export function refuseReplaced(top: string, { dev, ino }: Stats): void {
  const now = `${dev}:${ino}`;
  const first = cache.get(top);
  if (first === undefined) cache.set(top, now);
  else if (first !== now)
    throw new PlaceError(
      `${top} is ${describePath(top)} and not the folder that it was when ralph started. Nothing was written there. Put your repository back in its place, then run the command again.`,
    );
}
