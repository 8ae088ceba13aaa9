import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { lstatOrNull } from '../../store/files/plain-file.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** For the owner: read, write and enter a folder; read and write a file. */
const OWNER_ALL = 0o700n;
const OWNER_READ = 0o400n;
const OWNER_WRITE = 0o200n;
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
  'hooks',
  'ralph',
  'objects',
  'objects/info',
];
const OF_OBJECTS = /^(?:[0-9a-f]{2}|pack|info)$/;

/** Those of git's folders that are links, absolute: where you put them, they stay. */
export function linkedFolders(tree: WorkTree): string[] {
  return [...folders(tree), ...othersInObjects(tree)].filter(
    (path) => lstatOrNull(path)?.isSymbolicLink() === true,
  );
}

/**
 * Gives ralph back the folders and files that an agent's `chmod` shut: nothing could be read or put back in there. It is their
 * owner, too.
 *
 * @param refs Names of refs that may come back.
 * @param files What else is read, absolute.
 */
export function openShut(tree: WorkTree, refs: readonly string[], files: readonly string[]): void {
  const above = new Set(folders(tree, refs));
  // First: what is in a folder can't be listed before.
  for (const path of above) open(path);
  const tops = [...new Set([tree.commonDir, tree.gitDir])];
  const inTops = tops.flatMap((top) => namesIn(top).map((name) => join(top, name)));
  const ofRefs = refs.map((name) => join(tree.commonDir, name));
  for (const path of new Set([...inTops, ...files, ...ofRefs])) if (!above.has(path)) open(path);
}

function open(path: string): void {
  const stat = lstatOrNull(path);
  const wanted = stat?.isDirectory() ? OWNER_ALL : stat?.isFile() ? OWNER_READ : 0n;
  if (stat !== null && (stat.mode & wanted) !== wanted)
    chmodSync(path, Number(stat.mode | wanted | OWNER_WRITE) & 0o7777);
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
