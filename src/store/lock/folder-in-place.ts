import { rmdirSync } from 'node:fs';
import { lstatOrNull } from 'ralph-kit/files/plain-file';
import { PlaceError } from 'ralph-kit/files/store-error';

/** No rename replaces a folder in place of a lock file. @throws PlaceError when it isn't empty. */
export function removeFolderInPlace(path: string): void {
  if (!lstatOrNull(path)?.isDirectory()) return;
  try {
    rmdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new PlaceError(
      `${path} is a folder, and ralph needs a lock file there. Move it away, then run the command again.`,
    );
  }
}
