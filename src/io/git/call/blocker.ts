import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of a work tree that git opens by itself. Others it only opens when they are plain files. */
const OPENED = new Set(['.gitignore', '.gitattributes', '.gitmodules']);

/**
 * A pipe or a device that git would wait for: in a git folder, or where it looks for rules in a work tree. `null` when
 * there is none. Looks at every folder, so it is asked only when git takes long.
 */
export async function findBlocker(
  top: string,
  gitFolders: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const open = [...gitFolders, top];
  const seen = new Set<string>();
  for (let folder = open.pop(); folder !== undefined && !signal.aborted; folder = open.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const inGit = gitFolders.some((one) => folder === one || folder?.startsWith(`${one}/`));
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (isWaitedFor(entry) && (inGit || OPENED.has(entry.name))) return path;
    }
  }
  return null;
}

function isWaitedFor(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
