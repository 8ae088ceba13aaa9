import { type Dirent, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of a work tree that git opens even when they are pipes; it opens others only as plain files. */
const OPENED = new Set(['.gitignore', '.gitattributes', '.gitmodules']);

/** Limit in bytes: git reads its rules whole, but newer versions ignore longer files. */
const MAX_RULES = 100 * 1024 * 1024;

/** A file that keeps git from ending; `why` completes a sentence about it. */
export type Blocker = { readonly path: string; readonly why: string };

/**
 * Finds a file that git would wait for: a pipe or device in a git folder or in place of rules, or endless rules;
 * `null` when there is none. Reads every folder, so it is called only when git takes long.
 */
export async function findBlocker(
  top: string,
  gitFolders: readonly string[],
  signal: AbortSignal,
): Promise<Blocker | null> {
  const open = [...gitFolders, top];
  const seen = new Set<string>();
  for (let folder = open.pop(); folder !== undefined && !signal.aborted; folder = open.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const inGit = gitFolders.some((one) => folder === one || folder?.startsWith(`${one}/`));
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (
        (entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice()) &&
        (inGit || OPENED.has(entry.name))
      )
        return { path, why: 'is a pipe or a device, and git would wait for it' };
      else if (OPENED.has(entry.name) && sizeOf(path) > MAX_RULES)
        return { path, why: `has ${Math.round(sizeOf(path) / 1e6)} MB, and git would read it whole` };
    }
  }
  return null;
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
