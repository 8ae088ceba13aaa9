import type { Stats } from 'node:fs';
import { whatStandsAt } from './plain-file.ts';
import { PlaceError } from './store-error.ts';

/** Device and inode of each repository's folder, as this process first saw it. */
const known = new Map<string, string>();

/**
 * Refuses a repository whose folder is another one now: an agent moved it away and made a link, and all that ralph
 * writes and puts back would land where that leads.
 *
 * @param stats Of what the path leads to.
 * @throws PlaceError
 */
export function refuseReplaced(top: string, { dev, ino }: Stats): void {
  const now = `${dev}:${ino}`;
  const first = known.get(top);
  if (first === undefined) known.set(top, now);
  else if (first !== now)
    throw new PlaceError(
      `${top} is ${whatStandsAt(top)} and not the folder that it was when ralph started. Nothing was written there. Put your repository back in its place, then run the command again.`,
    );
}
