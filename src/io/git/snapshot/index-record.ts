import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../../../lib/try-or.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { readFileBytes } from '../../files/plain-file.ts';
import { sha256 } from '../../ids.ts';
import { privateFolder, stampOf, type WorkTree } from '../call/work-tree.ts';

/** What is known outside of the repository of a private index: `null` while a process works with it. */
type IndexRecord = { readonly sha256: string | null };

/** Whether an index in the repository may be believed. */
export type IndexBelief =
  /** Ralph was never here: yours counts as git left it. */
  | { readonly kind: 'first' }
  /** A process ended without saying what it left: only paths and content ids of yours count, and all is read. */
  | { readonly kind: 'none' }
  | { readonly kind: 'hash'; readonly sha256: string };

/** What an earlier process left on record. From here on this one works with the index, until `noteIndex`. */
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

/** Puts on record which index is left, for the next process. */
export function noteIndex(tree: WorkTree, place: string, index: string): void {
  try {
    write(recordFile(tree, place), { sha256: hashOfIndex(index) });
  } catch {
    // Then the next process reads every file.
  }
}

/** While a process works with an index: as long as this is the same, no other program wrote into it. */
export function stampOfIndex(index: string): string {
  return stampOf(index);
}

/** A hash over an index; `null` when it can't be read. */
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
