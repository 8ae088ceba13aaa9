import { readFileSync } from 'node:fs';
import { type FileKind, loadedReader, parseTracker, trackerReader } from '../src/index.ts';
import type { RememberedId } from '../src/task.ts';

/** Every text form of a tracker, odd ones included. */
export const TEXT_FIXTURES = [
  'prd.md',
  'prd-crlf-bom.md',
  'fix_plan.md',
  'plan-tasks.md',
  'prd-gold.json',
  'prd-user-stories.json',
  'tasks.yaml',
  'tasks-crlf.yaml',
  'tasks-status.yaml',
] as const;

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
