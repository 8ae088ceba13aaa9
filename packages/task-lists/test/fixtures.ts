import { readFileSync } from 'node:fs';
import { type FileKind, loadedReader, parseTracker, trackerReader } from '../src/index.ts';
import type { RememberedId } from '../src/task.ts';

export function fixture(name: string): string {
  return readFileSync(new URL(`../../../test/fixtures/trackers/${name}`, import.meta.url), 'utf8');
}

const YAML = await trackerReader('', '', 'yaml');

/** The reader of a text, as `trackerReader` chooses it, without a promise. */
export function readerOf(text: string, path: string, kind: FileKind = 'auto') {
  return loadedReader(text, path, kind) ?? YAML;
}

/** Parses a text that must be readable. */
export function parsed(text: string, path = 'PRD.md', remembered: readonly RememberedId[] = []) {
  const result = parseTracker(text, path, readerOf(text, path), remembered);
  if (!result.ok) throw new Error(result.message);
  return result;
}
