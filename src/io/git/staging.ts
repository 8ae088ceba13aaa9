import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BytePath, printPath } from './git-path.ts';
import { isOwn } from './index-state.ts';
import { isGone } from './private-files.ts';
import { filesBelow, type RawEntry, storeRaw } from './raw-content.ts';
import { GitError } from './run-git.ts';
import { absolute, look, privateFolder, type WorkTree } from './work-tree.ts';

/** A folder for what comes and what goes while a tree is put back, on the file system of the work tree. */
export type Staging = {
  readonly folder: string;
  /** Takes away whatever lies at a path. `inside`: the path of the submodule that it belongs to. */
  readonly aside: (tree: WorkTree, path: BytePath, inside: BytePath | null) => void;
};

const NAME = /^restore-(\d+)-\d+$/;
/** Folders in use by this process. */
const open = new Set<string>();
let counter = 0;

/** Opens a folder; `oids` are the bytes that a checkpoint holds by now. */
export function openStaging(tree: WorkTree, oids: ReadonlySet<string>): Staging {
  const folder = newFolder(placeFor(tree));
  const old = join(folder, 'old');
  const list = join(folder, 'paths');
  writeFileSync(join(folder, 'held'), [...oids].join('\n'));
  mkdirSync(old);
  let moved = 0;
  return {
    folder,
    aside: (at, path, inside) => {
      if (isOwn(at, path)) throw new GitError(`ralph's own folder is in the way of ${printPath(path)}`);
      moved += 1;
      const known = inside === null ? path : `${inside}/${path}`;
      appendFileSync(list, Buffer.from(`${moved} ${inside === null ? 'own' : 'inner'} ${known}\0`, 'latin1'));
      renameSync(absolute(at, path), join(old, String(moved)));
    },
  };
}

/** Folders that a process left behind which is gone. */
export function leftStagings(tree: WorkTree): string[] {
  const place = placeFor(tree);
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => {
      const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      return pid === process.pid ? !open.has(join(place, name)) : pid > 0 && isGone(pid);
    })
    .map((name) => join(place, name));
}

export type Unheld = {
  /** By their paths in the work tree. */
  readonly own: ReadonlyMap<BytePath, RawEntry>;
  /** Of submodules, and of what is no part of a tree. */
  readonly other: ReadonlyMap<BytePath, RawEntry>;
};

/** Stores what was taken away and is other bytes than those that a checkpoint holds. */
export async function storeUnheld(tree: WorkTree, folder: string): Promise<Unheld> {
  const own = new Map<BytePath, RawEntry>();
  const other = new Map<BytePath, RawEntry>();
  const old = join(folder, 'old');
  if (!existsSync(old)) return { own, other };
  const held = new Set(readText(join(folder, 'held')).split('\n'));
  const names = new Map(
    readText(join(folder, 'paths'))
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  const files = filesBelow(Buffer.from(old), 'old' as BytePath);
  for (const [path, entry] of await storeRaw(tree, files)) {
    if (held.has(entry.oid)) continue;
    const [, number = '', rest = ''] = /^old\/(\d+)(.*)$/s.exec(path) ?? [];
    const [, kind, top] = /^(own|inner) (.*)$/s.exec(names.get(number) ?? '') ?? [];
    (kind === 'own' ? own : other).set(`${top ?? `left-over/${number}`}${rest}` as BytePath, entry);
  }
  return { own, other };
}

export function removeStaging(folder: string): void {
  makeWritable(Buffer.from(folder));
  rmSync(folder, { recursive: true, force: true });
  open.delete(folder);
}

/** A folder that was taken away may forbid to remove what is in it. */
function makeWritable(folder: Buffer): void {
  if (look(folder)?.isDirectory() !== true) return;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder, { encoding: 'buffer' }))
    makeWritable(Buffer.concat([folder, Buffer.from('/'), name]));
}

/** The git folder, except where it lies on another file system than the work tree: a rename goes through at once. */
function placeFor(tree: WorkTree): string {
  const beside = tree.ownFolder === null || lstatSync(tree.gitDir).dev === lstatSync(tree.top).dev;
  return beside ? privateFolder(tree) : absolute(tree, tree.ownFolder as BytePath).toString('utf8');
}

function newFolder(place: string): string {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  for (;;) {
    counter += 1;
    const folder = join(place, `restore-${process.pid}-${counter}`);
    if (existsSync(folder)) continue;
    mkdirSync(folder, { mode: 0o700 });
    open.add(folder);
    return folder;
  }
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'latin1') : '';
}
