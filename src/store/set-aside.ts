import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull } from 'ralph-kit/files/plain-file';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { orStoreError } from 'ralph-kit/files/store-error';

/**
 * Keeps a file of `.ralph` as `NAME.WHY-TIME`. A plain file also stays in place until the caller replaces it, so that
 * a crash never leaves nothing; anything else is moved.
 * @param now ISO 8601 UTC.
 * @returns The new path relative to `.ralph`.
 */
export function setAside(dir: string, path: string, why: string, now: string): string {
  const stamp = now.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const name = freeName(dir, `${path}.${why}-${stamp}`);
  const [from, to] = [join(dir, path), join(dir, name)];
  proveFolder(dirname(from));
  if (lstatOrNull(from)?.isFile()) linkSync(from, to);
  else renameSync(from, to);
  return name;
}

export function freeName(dir: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (lstatOrNull(join(dir, candidate)) === null) return candidate;
  }
}

/** Moves a file into one of ralph's folders, made when missing. */
export function moveInto(folder: string, from: string, name: string): void {
  proveFolder(folder, 0o777);
  renameSync(from, join(folder, name));
}

/** Removes a plain file of ralph's; returns false for anything else. */
export function removePlainFile(path: string): boolean {
  proveFolder(dirname(path));
  if (!lstatOrNull(path)?.isFile()) return false;
  unlinkSync(path);
  return true;
}

const ARCHIVE = 'interventions/archive';

/**
 * Archives a document, gzipped, under `.ralph/interventions/archive/`; returns its path relative to `.ralph`.
 * @param dir Absolute path of `.ralph`.
 * @param now ISO 8601 UTC, part of the name.
 * @throws StoreError when it can't be written; nothing may be reset then.
 */
export function archiveEvents(dir: string, content: string, now: string): string {
  const stamp = now.replace(/\.\d+/, '').replace(/[-:]/g, '');
  return orStoreError('The events cannot be archived', () => {
    const wanted = `${ARCHIVE}/events-${stamp}.json.gz`;
    const path = freeName(dir, wanted);
    replaceFile(join(dir, path), gzipSync(content), { folderMode: 0o777 });
    return path;
  });
}
