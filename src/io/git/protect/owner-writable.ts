import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lstatOrNull } from '../../store/files/plain-file.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Read, write and enter, for the owner. */
const OWNER_ALL = 0o700n;
const FOLDERS = [
  '',
  'refs',
  'refs/ralph',
  'refs/ralph/kept',
  'refs/ralph/checkpoints',
  'logs',
  'info',
  'objects',
];

/** Gives ralph back the folders that an agent's `chmod` shut: nothing could be put back in there. It is their owner, too. */
export function openFolders({ gitDir, commonDir }: WorkTree, refs: readonly string[]): void {
  const below = [...FOLDERS, ...refs.flatMap((name) => [...foldersOf(name), ...foldersOf(`logs/${name}`)])];
  for (const name of new Set(below))
    for (const top of new Set([commonDir, gitDir])) makeWritable(join(top, name));
}

function foldersOf(name: string): string[] {
  const above = dirname(name);
  return above === '.' ? [] : [...foldersOf(above), above];
}

function makeWritable(path: string): void {
  const stat = lstatOrNull(path);
  if (stat?.isDirectory() === true && (stat.mode & OWNER_ALL) !== OWNER_ALL)
    chmodSync(path, Number(stat.mode | OWNER_ALL) & 0o7777);
}
