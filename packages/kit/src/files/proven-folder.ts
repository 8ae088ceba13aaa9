import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describePath, lstatOrNull } from './plain-file.ts';
import { refuseReplaced } from './same-folder.ts';
import { PlaceError } from './store-error.ts';

/** Folders with this name are ralph's own, and agents can reach them without a box. */
const OWN = '.ralph';

/**
 * Checks a folder of ralph's before a write: from the repository on, each folder is a real one, no link, owned by you
 * or the repository's owner. Other folders aren't checked.
 * @param mode Permission bits for missing folders; without it they are an error.
 * @throws PlaceError naming the path to fix; the Node error for everything else.
 */
export function proveFolder(folder: string, mode?: number): void {
  const parts = folder.split(sep);
  const at = parts.lastIndexOf(OWN);
  if (at < 1) {
    if (mode !== undefined) mkdirSync(folder, { recursive: true, mode });
    return;
  }
  const top = join(sep, ...parts.slice(0, at));
  refuseReplaced(top, statSync(top));
  proveBelow(top, parts.slice(at), mode);
}

/** Makes a private folder of ralph's with its parents, each checked from `top` on. */
export function makeProvenFolder(top: string, folder: string): void {
  proveBelow(top, relative(top, folder).split(sep), 0o700);
}

function proveBelow(top: string, names: readonly string[], mode: number | undefined): void {
  const owner = statSync(top).uid;
  let path = top;
  for (const name of names) {
    path = join(path, name);
    if (mode !== undefined && lstatOrNull(path) === null) mkdirSync(path, { recursive: true, mode });
    const found = lstatSync(path);
    if (!found.isDirectory())
      throw new PlaceError(
        `${path} is ${describePath(path)}, and ralph needs a folder of its own there. Move it away, then run the command again.`,
      );
    if (found.uid !== owner && found.uid !== process.getuid?.())
      throw new PlaceError(
        `${path} belongs to another user (${found.uid}), so ralph writes nothing there. Make it yours (chown) or move it away, then run the command again.`,
      );
  }
}
