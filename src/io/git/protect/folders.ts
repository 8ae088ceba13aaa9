import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lstatOrNull } from '../../store/files/plain-file.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Read, write and enter, for the owner. */
const OWNER_ALL = 0o700n;
/** Below a git folder: where things are put back. */
const FOLDERS = [
  '',
  'refs',
  'refs/ralph',
  'refs/ralph/kept',
  'refs/ralph/checkpoints',
  'logs',
  'logs/refs',
  'info',
  'objects',
];
const OF_OBJECTS = /^(?:[0-9a-f]{2}|pack|info)$/;

/** Those of git's folders that are links, absolute: where you put them, they stay. */
export function linkedFolders(tree: WorkTree): string[] {
  return [...folders(tree), ...othersInObjects(tree)].filter(
    (path) => lstatOrNull(path)?.isSymbolicLink() === true,
  );
}

/**
 * Gives ralph back the folders that an agent's `chmod` shut: nothing could be put back in there. It is their owner, too.
 *
 * @param refs Names of refs that may come back.
 */
export function openFolders(tree: WorkTree, refs: readonly string[]): void {
  for (const path of folders(tree, refs)) {
    const stat = lstatOrNull(path);
    if (stat?.isDirectory() === true && (stat.mode & OWNER_ALL) !== OWNER_ALL)
      chmodSync(path, Number(stat.mode | OWNER_ALL) & 0o7777);
  }
}

/**
 * Removes what stands in the place of a folder: a file, a pipe, a link that isn't one of yours.
 *
 * @param linked What `linkedFolders` found before.
 * @returns what was removed, absolute.
 */
export function clearFolders(tree: WorkTree, linked: readonly string[], refs: readonly string[]): string[] {
  const cleared = [...folders(tree, refs), ...othersInObjects(tree)].filter((path) => {
    const stat = lstatOrNull(path);
    return stat?.isDirectory() === false && !(stat.isSymbolicLink() && linked.includes(path));
  });
  for (const path of cleared) rmSync(path, { force: true });
  return cleared;
}

/** Folders before what is in them. */
function folders({ gitDir, commonDir }: WorkTree, refs: readonly string[] = []): string[] {
  const names = [...FOLDERS, ...refs.flatMap((name) => [...foldersOf(name), ...foldersOf(`logs/${name}`)])];
  return [...new Set(names)].flatMap((name) =>
    [...new Set([commonDir, gitDir])].map((top) => join(top, name)),
  );
}

function foldersOf(name: string): string[] {
  const above = dirname(name);
  return above === '.' ? [] : [...foldersOf(above), above];
}

/** What has the name of a folder of objects, and isn't one. */
function othersInObjects({ commonDir }: WorkTree): string[] {
  const objects = join(commonDir, 'objects');
  if (lstatOrNull(objects)?.isDirectory() !== true) return [];
  return readdirSync(objects, { withFileTypes: true })
    .filter((entry) => OF_OBJECTS.test(entry.name) && !entry.isDirectory())
    .map(({ name }) => join(objects, name));
}
