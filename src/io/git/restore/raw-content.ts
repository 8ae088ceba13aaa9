import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { objectText } from '../call/git.ts';
import { type BytePath, bytePath, foldersAbove, pathBytes, quotePath } from '../call/git-path.ts';
import { absolute, fileMode, look, type WorkTree } from '../repository/work-tree.ts';
import { setEntries } from '../snapshot/index-state.ts';
import { changedTree } from './changed-tree.ts';

/** A file or symlink on disk, and the path under which it is known. */
export type DiskFile = { readonly path: BytePath; readonly file: Buffer };
export type RawEntry = { readonly mode: string; readonly oid: string };

/** What lies at a path when only real folders lead there; a symlink on the way leads out of the work tree. */
export function lookInside(tree: WorkTree, path: BytePath): ReturnType<typeof look> {
  const reached = foldersAbove(path).every((folder) => look(absolute(tree, folder))?.isDirectory() === true);
  return reached ? look(absolute(tree, path)) : null;
}

/** What is in a folder, as absolute paths. */
export function entriesOf(folder: Buffer): Buffer[] {
  return readdirSync(folder, { encoding: 'buffer' }).map((name) =>
    Buffer.concat([folder, Buffer.from('/'), name]),
  );
}

/** Every file and symlink in a folder, however deep, also those of git. */
export function filesBelow(folder: Buffer, path: BytePath): DiskFile[] {
  return readdirSync(folder, { encoding: 'buffer' }).flatMap((name): DiskFile[] => {
    const file = Buffer.concat([folder, Buffer.from('/'), name]);
    const inTree = `${path}/${bytePath(name)}` as BytePath;
    const found = look(file);
    if (found?.isDirectory() === true) return filesBelow(file, inTree);
    return found?.isFile() === true || found?.isSymbolicLink() === true ? [{ path: inTree, file }] : [];
  });
}

/**
 * Stores the bytes of files as they are, without filters, and of symlinks where they point.
 * @throws GitError when one cannot be read.
 */
export async function storeRaw(tree: WorkTree, files: readonly DiskFile[]): Promise<Map<BytePath, RawEntry>> {
  const stored = new Map<BytePath, RawEntry>();
  const plain: (DiskFile & { readonly mode: string })[] = [];
  for (const one of files) {
    const found = look(one.file);
    if (found?.isSymbolicLink() === true) stored.set(one.path, await storeLink(tree, one.file));
    else if (found?.isFile() === true) plain.push({ ...one, mode: fileMode(found) });
  }
  if (plain.length === 0) return stored;
  const input = plain.map(({ file }) => `${quotePath(file)}\n`).join('');
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
  const hashed = await objectText(tree, args, { input }).catch((error: Error) => {
    throw new GitError(`What is to be taken away can't be kept, so it stays (${error.message})`);
  });
  const oids = hashed.split('\n');
  for (const [at, { path, mode }] of plain.entries()) stored.set(path, { mode, oid: oids[at] ?? '' });
  return stored;
}

async function storeLink(tree: WorkTree, file: Buffer): Promise<RawEntry> {
  const input = readlinkSync(file, { encoding: 'buffer' });
  return { mode: '120000', oid: await objectText(tree, ['hash-object', '-w', '--stdin'], { input }) };
}

/** Entries for a tree beside the checked-out one; git takes no `.git` in a tree, so each such name gets an ending. */
export function asOrdinaryNames(path: BytePath): BytePath {
  return path
    .split('/')
    .map((name) => (/^\.git(~kept)*$/i.test(name) ? `${name}~kept` : name))
    .join('/') as BytePath;
}

/** Writes a tree of these entries, over those of another tree. */
export function writeTreeOver(
  tree: WorkTree,
  indexFile: string,
  base: string | null,
  entries: ReadonlyMap<BytePath, RawEntry>,
): Promise<string> {
  const written = [...entries].map(([path, entry]) => ({ ...entry, path }));
  return changedTree(tree, indexFile, base, (git) => setEntries(git, written));
}

/** `folder/path` for Node, whatever bytes the path has. */
export function inFolder(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(join(folder, '/')), pathBytes(path)]);
}
