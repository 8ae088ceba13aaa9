import {
  copyFileSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Tampering } from '../../../domain/records/iteration.ts';
import { replaceFile, writeFileAtomic } from '../files/atomic-file.ts';
import { lstatOrNull, type PlainFile, readPlainFile } from '../files/plain-file.ts';
import { freeName } from '../files/set-aside.ts';
import { isSystemError } from '../store-error.ts';

/** A file as it was before the agent ran. `link`: the user's symlink, with the content it leads to. */
export type Guarded = {
  readonly path: string;
  readonly kind: Tampering['kind'];
  readonly was: PlainFile;
  readonly linked: Buffer | null;
};

export function guardFile(path: string, kind: Tampering['kind']): Guarded {
  const was = readPlainFile(path);
  return { path, kind, was, linked: was.kind === 'link' ? readLinked(path) : null };
}

/** What happened to a guarded file; `null` when it is as it was. A changed mode counts. */
export function changeOf(guarded: Guarded): Tampering['change'] | null {
  const { was, linked } = guarded;
  const stat = lstatOrNull(guarded.path);
  if (was.kind === 'file' && stat?.isFile() && Number(stat.size) !== was.bytes.length) return 'modified';
  const now = readPlainFile(guarded.path);
  if (was.kind === 'absent') return now.kind === 'absent' ? null : 'created';
  if (now.kind === 'absent') return 'deleted';
  if (was.kind === 'file') {
    const same = now.kind === 'file' && now.mode === was.mode && now.bytes.equals(was.bytes);
    return same ? null : 'modified';
  }
  if (was.kind === 'link') {
    const same =
      now.kind === 'link' && now.target === was.target && sameBytes(linked, readLinked(guarded.path));
    return same ? null : 'modified';
  }
  return now.kind === 'other' ? null : 'modified';
}

/** Makes a guarded file what it was. What stood there must have been kept before. */
export function putBack(guarded: Guarded): void {
  const { path, was, linked } = guarded;
  if (was.kind === 'other') return;
  if (was.kind === 'absent') {
    rmSync(path, { recursive: true, force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  if (lstatOrNull(path)?.isDirectory()) rmSync(path, { recursive: true, force: true });
  if (was.kind === 'file') {
    replaceFile(path, was.bytes, { mode: was.mode });
    return;
  }
  const now = readPlainFile(path);
  if (now.kind !== 'link' || now.target !== was.target) {
    rmSync(path, { force: true });
    symlinkSync(was.target, path);
  }
  if (linked !== null && !sameBytes(linked, readLinked(path))) writeFileAtomic(path, linked);
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
  else if (stat?.isDirectory()) moveFolder(path, kept);
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

/** What stands in the place of a file is moved away whole. Only onto another file system its plain files are copied. */
function moveFolder(path: string, kept: string): void {
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
  if (stat?.isFile()) renameSync(path, join(folder, flat));
  else if (stat?.isDirectory()) moveFolder(path, join(folder, flat));
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
  return `symbolic link to ${target}\n${readLinked(path)?.toString('utf8') ?? ''}`;
}

/** `null` when the link leads nowhere or to what is no plain file. */
function readLinked(path: string): Buffer | null {
  try {
    const file = readPlainFile(realpathSync.native(path));
    return file.kind === 'file' ? file.bytes : null;
  } catch {
    return null;
  }
}

function sameBytes(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
