import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryOwner } from '../files/atomic-file.ts';
import { fileSignature, lstatOrNull } from '../files/plain-file.ts';
import { processState } from '../lock/process-identity.ts';
import { type Guarded, guardFile } from './guarded-file.ts';

/** Folders of `.ralph` in which only ralph writes. */
const OWN_FOLDERS = ['interventions', 'journal', 'gates', 'incidents', 'recoveries', 'whitelists'] as const;
/** Up to this size a file's content is remembered, in bytes; of larger ones only that they changed is reported. */
const KEPT_BYTES = 256 * 1024;
/** Remembered content in all, in bytes. */
const KEPT_IN_ALL = 4 * 1024 * 1024;

/** A file in one of ralph's own folders as it was; `content` of those that are small. */
export type OwnFile = { readonly signature: string; readonly content: Guarded | null };

/** Ralph's own folders that exist, with how they are: a folder, or something else in its place. */
export function ownFolders(dir: string): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const name of OWN_FOLDERS) {
    const stat = lstatOrNull(join(dir, name));
    if (stat !== null) found.set(name, stat.isDirectory());
  }
  return found;
}

/** Everything in ralph's own folders but the views, by path relative to `.ralph`. */
export function ownFiles(dir: string, views: ReadonlySet<string>): Map<string, OwnFile> {
  const files = new Map<string, OwnFile>();
  let kept = 0;
  for (const path of ownPaths(dir, views)) {
    const absolute = join(dir, path);
    const stat = lstatOrNull(absolute);
    if (stat === null) continue;
    const size = Number(stat.size);
    const small = stat.isFile() && size <= KEPT_BYTES && kept + size <= KEPT_IN_ALL;
    if (small) kept += size;
    const content = small || stat.isSymbolicLink() ? guardFile(absolute, 'own') : null;
    files.set(path, { signature: fileSignature(stat), content });
  }
  return files;
}

/** Paths relative to `.ralph`; temporary files of processes that are alive are left out. */
export function ownPaths(dir: string, views: ReadonlySet<string>): string[] {
  return OWN_FOLDERS.flatMap((folder) => {
    if (!lstatOrNull(join(dir, folder))?.isDirectory()) return [];
    return walk(dir, folder).filter((path) => !views.has(path));
  }).sort();
}

function walk(dir: string, folder: string): string[] {
  return readdirSync(join(dir, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    const owner = temporaryOwner(entry.name);
    if (owner !== null && processState(owner).kind === 'alive') return [];
    return entry.isDirectory() ? walk(dir, path) : [path];
  });
}
