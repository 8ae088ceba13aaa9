import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { lstatOrNull, whatStandsAt } from './plain-file.ts';
import { refuseReplaced } from './same-folder.ts';
import { PlaceError } from './store-error.ts';

/** Folders with this name are ralph's own, and agents can reach them without a box. */
const OWN = '.ralph';

/**
 * Proves a folder before ralph writes there, where it is one of ralph's in a repository: from the repository on, each folder
 * on the way is a real one, no link, and belongs to you or to the owner of the repository. Other folders are taken as they are.
 *
 * @param mode Permission bits for folders that are missing; without it they are an error.
 * @throws PlaceError naming what is in the way; the Node error for all else.
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

/** Makes a folder of ralph's for you alone, with the folders between, and proves each of them from `top` on. */
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
        `${path} is ${whatStandsAt(path)}, and ralph needs a folder of its own there. Move it away, then run the command again.`,
      );
    if (found.uid !== owner && found.uid !== process.getuid?.())
      throw new PlaceError(
        `${path} belongs to another user (${found.uid}), so ralph writes nothing there. Make it yours (chown) or move it away, then run the command again.`,
      );
  }
}
