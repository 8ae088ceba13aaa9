import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import {
  absolute,
  isOwn,
  leftFoldersIn,
  look,
  ownFolderIn,
  privateFolder,
  type WorkTree,
} from '../repository/work-tree.ts';
import { asOrdinaryNames, entriesOf, filesBelow, type RawEntry, storeRaw } from './raw-content.ts';

/** A folder for what comes and what goes while a tree is put back, on the file system of the work tree. */
export type Staging = {
  readonly folder: string;
  /** Takes away whatever lies at a path of the work tree. */
  readonly aside: (path: BytePath) => void;
};

/** Opens a folder; `oids` are the bytes that a checkpoint holds by now. */
export function openStaging(tree: WorkTree, oids: ReadonlySet<string>): Staging {
  const folder = ownFolderIn(placeFor(tree), 'restore');
  const old = join(folder, 'old');
  const list = join(folder, 'paths');
  mkdirSync(old, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'held'), [...oids].join('\n'));
  let moved = 0;
  return {
    folder,
    aside: (path) => {
      if (isOwn(tree, path)) throw new GitError(`ralph's own folder blocks ${printPath(path)}`);
      moved += 1;
      appendFileSync(list, Buffer.from(`${moved} ${path}\0`, 'latin1'));
      renameSync(absolute(tree, path), join(old, String(moved)));
    },
  };
}

/** Folders that a process left which is gone. */
export function leftStagings(tree: WorkTree): string[] {
  return leftFoldersIn(placeFor(tree), 'restore');
}

/**
 * Stores what was taken away and is other bytes than those that a checkpoint holds, by path; names that git takes for
 * its own get an ending.
 */
export async function storeUnheld(tree: WorkTree, folder: string): Promise<ReadonlyMap<BytePath, RawEntry>> {
  const unheld = new Map<BytePath, RawEntry>();
  const old = join(folder, 'old');
  if (!existsSync(old)) return unheld;
  const held = new Set(readText(join(folder, 'held')).split('\n'));
  const moved = readText(join(folder, 'paths')).split('\0');
  const names = new Map(
    moved.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  for (const [path, entry] of await storeRaw(tree, filesBelow(Buffer.from(old), 'old' as BytePath))) {
    if (held.has(entry.oid)) continue;
    const [, number = '', rest = ''] = /^old\/(\d+)(.*)$/s.exec(path) ?? [];
    unheld.set(asOrdinaryNames(`${names.get(number) ?? `left-over/${number}`}${rest}` as BytePath), entry);
  }
  return unheld;
}

export function removeStaging(folder: string): void {
  makeWritable(Buffer.from(folder));
  rmSync(folder, { recursive: true, force: true });
}

/** A folder that was taken away may forbid to remove what is in it. */
function makeWritable(folder: Buffer): void {
  if (look(folder)?.isDirectory() !== true) return;
  chmodSync(folder, 0o700);
  for (const inner of entriesOf(folder)) makeWritable(inner);
}

/** The git folder, except where it lies on another file system than the work tree: a rename goes through at once. */
function placeFor(tree: WorkTree): string {
  const beside =
    tree.place !== undefined ||
    tree.ownFolder === null ||
    lstatSync(tree.gitDir).dev === lstatSync(tree.top).dev;
  return beside ? privateFolder(tree) : absolute(tree, tree.ownFolder as BytePath).toString('utf8');
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'latin1') : '';
}
