import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkTree } from './work-tree.ts';

/** Where this room keeps what is its own, inside the git folder of the work tree. */
export function privateFolder(tree: WorkTree): string {
  return join(tree.gitDir, 'ralph');
}

type Kind = 'snapshot' | 'restore';

/** Those of this process, so that a recycled process id doesn't hide a left-over. */
const inUse = new Set<string>();
let counter = 0;

/**
 * A free name for a folder that this process alone uses, so that no two ever wait for one another's lock. The id of
 * the process in it tells the next one whose it was. The folder isn't made yet.
 */
export function ownFolderIn(place: string, kind: Kind): string {
  let folder: string;
  do {
    counter += 1;
    folder = join(place, `${kind}-${process.pid}-${counter}`);
  } while (existsSync(folder));
  inUse.add(folder);
  return folder;
}

/** Folders that a process left which is gone. */
export function leftFoldersIn(place: string, kind: Kind): string[] {
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => {
      const pid = Number(new RegExp(`^${kind}-(\\d+)-\\d+$`).exec(name)?.[1] ?? 0);
      return pid === process.pid ? !inUse.has(join(place, name)) : pid > 0 && isGone(pid);
    })
    .map((name) => join(place, name));
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
