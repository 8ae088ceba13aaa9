import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { tryOr } from 'ralph-kit/try-or';
import { privateFolder, stampOf, type WorkTree } from '../call/work-tree.ts';

/** Hash of a private index, stored outside the repository; `null` while a process uses the index. */
type IndexRecord = { readonly sha256: string | null };

/** Whether an index in the repository is trusted. */
export type IndexBelief =
  /** ralph was never here, so your index is trusted. */
  | { readonly kind: 'first' }
  /** A process ended without a record, so only your index's paths and ids count and every file is read. */
  | { readonly kind: 'none' }
  | { readonly kind: 'hash'; readonly sha256: string };

/** Returns an earlier process's record and marks the index as in use until `noteIndex`. */
export function claimIndex(tree: WorkTree, place: string): IndexBelief {
  const file = recordFile(tree, place);
  let belief: IndexBelief = { kind: 'first' };
  try {
    const { sha256 }: IndexRecord = JSON.parse(readFileBytes(file).toString('utf8'));
    belief = typeof sha256 === 'string' ? { kind: 'hash', sha256 } : { kind: 'none' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') belief = { kind: 'none' };
  }
  write(file, { sha256: null });
  return belief;
}

export function noteIndex(tree: WorkTree, place: string, index: string): void {
  try {
    write(recordFile(tree, place), { sha256: hashOfIndex(index) });
  } catch {
    // A claim that couldn't be noted leaves no record, so the next process reads every file.
  }
}

/** Returns a value that changes when another program writes the index. */
export function stampOfIndex(index: string): string {
  return stampOf(index);
}

/** Returns the SHA-256 of an index file; `null` when it can't be read. */
export function hashOfIndex(index: string): string | null {
  return tryOr(null, () => sha256(readFileBytes(index)));
}

function write(file: string, record: IndexRecord): void {
  writeFileAtomic(file, JSON.stringify(record));
}

function recordFile(tree: WorkTree, place: string): string {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return join(place, `index-${sha256(privateFolder(tree)).slice(0, 16)}.json`);
}
