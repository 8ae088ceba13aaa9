import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { replaceFile, temporaryName } from './atomic-file.ts';
import { type PlainFile, readPlainFile } from './plain-file.ts';
import { setAside } from './set-aside.ts';
import { isSystemError } from './store-error.ts';

/** The documents that an import reads when there is no journal. */
const IMPORTED = [
  'state.json',
  'metrics.json',
  'interventions/events.json',
  'interventions/profile.json',
] as const;

export type View = { readonly path: string; readonly content: string };

/** A view that somebody else changed. */
export type EditedView = { readonly path: string; readonly reason: string; readonly setAside: string };

/** For each view the hashes of what ralph wrote: the one before and the newest (a crash may leave either). */
const ViewHashes = z.record(z.string(), z.array(z.string()));
type ViewHashes = z.infer<typeof ViewHashes>;

/** Existing documents, for the import. What cannot be read is left out. */
export function readViewFiles(dir: string): { path: string; text: string }[] {
  return IMPORTED.flatMap((path) => {
    try {
      const file = readPlainFile(join(dir, path));
      return file.kind === 'file' ? [{ path, text: file.bytes.toString('utf8') }] : [];
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return [];
    }
  });
}

/**
 * Puts aside the views whose content is neither what ralph wrote last nor what it would write now. A view that is
 * merely older (a crash between journal and view) is as ralph wrote it and stays.
 *
 * @param now ISO 8601 UTC.
 */
export function setEditedAside(
  dir: string,
  hashFile: string,
  views: readonly View[],
  now: string,
): EditedView[] {
  const hashes = readHashes(hashFile);
  return views.flatMap((view) => {
    const file = readPlainFile(join(dir, view.path));
    if (file.kind === 'absent' || isOurs(file, view, hashes[view.path] ?? [])) return [];
    const reason =
      file.kind === 'file'
        ? 'it had been edited; rebuilt from the journal'
        : 'it was no plain file; rebuilt from the journal';
    return [{ path: view.path, reason, setAside: setAside(dir, view.path, 'edited', now) }];
  });
}

/** Writes the views that differ from what is there, each atomically. The hashes go first. */
export function writeViewFiles(dir: string, hashFile: string, views: readonly View[]): void {
  const hashes = readHashes(hashFile);
  const changed = views.flatMap((view) => {
    const file = readPlainFile(join(dir, view.path));
    if (file.kind === 'file' && file.bytes.equals(Buffer.from(view.content))) return [];
    return [{ ...view, mode: file.kind === 'file' ? file.mode : undefined }];
  });
  const next: ViewHashes = { ...hashes };
  for (const view of views) {
    const hash = sha256(view.content);
    const before = hashes[view.path] ?? [];
    next[view.path] = before.at(-1) === hash ? before : [...before.slice(-1), hash];
  }
  if (JSON.stringify(next) !== JSON.stringify(hashes)) writeHashes(hashFile, next);
  for (const view of changed) {
    mkdirSync(dirname(join(dir, view.path)), { recursive: true });
    replaceFile(join(dir, view.path), view.content, view.mode);
  }
}

/** Views that ralph has written or would import. */
export function viewPaths(hashFile: string): string[] {
  return [...new Set([...IMPORTED, ...Object.keys(readHashes(hashFile))])];
}

/** The content that ralph wrote last to a view is on the disk. */
export function isLastWritten(hashFile: string, path: string, bytes: Uint8Array): boolean {
  return readHashes(hashFile)[path]?.at(-1) === sha256(bytes);
}

function isOurs(file: PlainFile, view: View, known: readonly string[]): boolean {
  if (file.kind !== 'file') return false;
  return file.bytes.equals(Buffer.from(view.content)) || known.includes(sha256(file.bytes));
}

function readHashes(path: string): ViewHashes {
  try {
    const hashes = ViewHashes.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return hashes.success ? hashes.data : {};
  } catch {
    return {};
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Atomic, without waiting for the disk: lost hashes cost a copy of the views, never content. */
function writeHashes(path: string, hashes: ViewHashes): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(path), temporaryName(basename(path)));
  writeFileSync(temporary, `${JSON.stringify(hashes)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}
