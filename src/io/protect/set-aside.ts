import {
  copyFileSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { lstatOrNull, readPlainFile } from '../store/files/plain-file.ts';
import { plainText } from '../store/files/plain-text.ts';
import { freeName } from '../store/files/set-aside.ts';
import { isSystemError } from '../store/store-error.ts';
import { linkedStat } from './kept-file.ts';

/** How a protected file is called: relative to `.ralph` (`dir`) where it is in it, else to the repository. */
export function shortName(dir: string, path: string): string {
  const inside = relative(dir, path);
  return inside.startsWith('..') ? relative(dirname(dir), path).replaceAll('../', '') : inside;
}

/**
 * Keeps what stands at a path in a folder, under the name of the path with `__` for `/`.
 *
 * @param name How the path is called relative to its root.
 * @returns The name given to the copy; `null` when there was nothing.
 */
export function keepCopy(path: string, name: string, folder: string): string | null {
  const now = readPlainFile(path);
  if (now.kind === 'absent') return null;
  if (now.kind === 'file') return keepBytes(now.bytes, name, folder);
  if (now.kind === 'link') return keepBytes(Buffer.from(linkNote(path, now.target)), name, folder);
  const flat = flatName(name, folder);
  const kept = join(folder, flat);
  const stat = lstatOrNull(path);
  if (stat?.isFile()) linkOrCopy(path, kept);
  else if (stat?.isDirectory()) move(path, kept);
  else writeFileSync(kept, 'no plain file\n', { mode: 0o600 });
  return flat;
}

/** For files that are too large to be read: the other name costs no space, and the file keeps its place. */
function linkOrCopy(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    copyFileSync(path, kept);
  }
}

/** What is in the way is moved away whole. Only onto another file system its plain files are copied. */
function move(path: string, kept: string): void {
  try {
    renameSync(path, kept);
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EXDEV') throw error;
    const isCopied = (source: string) => {
      const stat = lstatSync(source);
      return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
    };
    cpSync(path, kept, { recursive: true, verbatimSymlinks: true, filter: isCopied });
    rmSync(path, { recursive: true, force: true });
  }
}

/** The same for content in memory. */
export function keepBytes(bytes: Uint8Array, name: string, folder: string): string {
  const flat = flatName(name, folder);
  writeFileSync(join(folder, flat), bytes, { mode: 0o600 });
  return flat;
}

function flatName(name: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  return freeName(folder, name.replaceAll('/', '__'));
}

/** Moves a file or folder that should not be there into a folder of kept versions. */
export function moveAway(path: string, name: string, folder: string): string {
  const flat = flatName(name, folder);
  const stat = lstatOrNull(path);
  if (stat?.isFile() || stat?.isDirectory()) move(path, join(folder, flat));
  else {
    // A link must not lead a later reader astray; a pipe or socket has no content to keep.
    const now = readPlainFile(path);
    writeFileSync(join(folder, flat), now.kind === 'link' ? linkNote(path, now.target) : 'no plain file\n');
    rmSync(path, { force: true });
  }
  return flat;
}

/** A link is kept as a note about it, with the content that it showed. */
function linkNote(path: string, target: string): string {
  const behind = linkedStat(path);
  return `symbolic link to ${target}\n${behind === null ? '' : (plainText(behind.path) ?? '')}`;
}
