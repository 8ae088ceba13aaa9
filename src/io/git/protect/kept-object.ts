import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { lstatOrNull } from '../../store/files/plain-file.ts';
import { isGenuine, isObject } from '../repository/loose-objects.ts';
import type { ObjectCopies } from './object-copies.ts';
import { contentOf } from './whole-file.ts';

/** Bytes of an object up to which it is read into memory to be copied, or to see whether it is what its name says. */
const MAX_SMALL = 1024 * 1024;
/** The folder of packs, below that of objects. */
export const PACKS = 'pack';

/** A file below git's folder of objects. */
export type ObjectFile = {
  /** Of its folder, and in there. */
  readonly folder: string;
  readonly name: string;
  /** Absolute. */
  readonly path: string;
};

/** The name of its copy, and back. */
export const copyName = ({ folder, name }: ObjectFile) => `${folder}.${name}`;
const COPY = /^([0-9a-f]{2}|pack)\.(.+)$/;
export function copiedFrom(copy: string): Omit<ObjectFile, 'path'> | null {
  const [, folder, name] = COPY.exec(copy) ?? [];
  return folder === undefined || name === undefined ? null : { folder, name };
}

/**
 * Copies an object. False, and no copy is kept, where it isn't what its name says. Whether a pack is, isn't looked at here.
 *
 * @throws The Node error
 */
export function keepObject(copies: ObjectCopies, file: ObjectFile, isTrusted: boolean): boolean {
  const { folder, name, path } = file;
  if (folder === PACKS && !isTrusted) return false;
  const bytes = folder === PACKS ? null : contentOf(path, MAX_SMALL);
  if (bytes !== null) {
    if (!isTrusted && !isObject(bytes, folder + name)) return false;
    copies.keep(copyName(file), path, bytes);
    return true;
  }
  // What is larger is copied first: so what is looked at is what is kept.
  const kept = copies.keep(copyName(file), path, null);
  if (isTrusted || isGenuine(kept, folder + name)) return true;
  copies.forget(copyName(file));
  return false;
}

/** Whether a file holds what its copy does, or else what its name says: git may have stored it in another form since. */
export function isIntact(copies: ObjectCopies, file: ObjectFile): boolean {
  if (copies.isSame(copyName(file), file.path)) return true;
  if (file.folder === PACKS) return false;
  const bytes = contentOf(file.path, MAX_SMALL);
  return bytes !== null && isObject(bytes, file.folder + file.name);
}

/**
 * Puts the copy of an object in its place.
 *
 * @param isGone Nothing stands there: git may have packed it, and there may be no copy.
 * @throws GitError where something else stands there, and no copy can replace it; the Node error
 */
export function putObject(copies: ObjectCopies, file: ObjectFile, isGone: boolean): void {
  const { folder, name, path } = file;
  mkdirSync(dirname(path), { recursive: true });
  if (lstatOrNull(path)?.isDirectory() === true) rmSync(path, { recursive: true });
  const bytes = copies.read(copyName(file));
  const isSound = bytes === null || isObject(bytes, folder + name);
  if ((isSound && copies.put(copyName(file), path)) || isGone) return;
  throw new GitError(
    `${path} was overwritten, and ralph has no copy of it. Put the file there from another clone, or remove it ` +
      'and fetch, then run the command again.',
  );
}
