import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, type PlainFile, readJson, readPlainFile } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { isSystemError } from 'ralph-kit/files/store-error';
import * as z from 'zod/mini';
import { setAside } from './set-aside.ts';

/** Documents imported when no journal ever existed. */
const IMPORTED = [
  'state.json',
  'metrics.json',
  'interventions/events.json',
  'interventions/profile.json',
  'permissions.json',
] as const;

export type View = { readonly path: string; readonly content: string };

export type EditedView = { readonly path: string; readonly reason: string; readonly setAside: string };

export type ViewContext = { readonly dir: string; readonly hashFile: string };

/** Hashes of the previous and newest content that ralph wrote, by view (a crash may leave either). */
const ViewHashes = z.record(z.string(), z.array(z.string()));
type ViewHashes = z.infer<typeof ViewHashes>;
/** Limit in bytes; hashes take about 150 per view. */
const MAX_HASHES = 1024 * 1024;

/** Whether a folder has documents and no journal, so that they may have to be imported. @param dir Absolute path. */
export function hasViewsOnly(dir: string): boolean {
  if (lstatOrNull(join(dir, 'journal.jsonl')) !== null) return false;
  return IMPORTED.some((path) => lstatOrNull(join(dir, path)) !== null);
}

/** Reads existing documents for the import. `text`: `null` if a document can't be read. */
export function readViewFiles(dir: string): { path: string; text: string | null }[] {
  return IMPORTED.flatMap((path) => {
    try {
      const file = readPlainFile(join(dir, path));
      if (file.kind === 'absent') return [];
      return [{ path, text: file.kind === 'file' ? file.bytes.toString('utf8') : null }];
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return [{ path, text: null }];
    }
  });
}

/** Sets aside views that ralph wouldn't write; older ones (after a crash) are ralph's. @param now ISO 8601 UTC. */
export function setEditedAside(
  { dir, hashFile }: ViewContext,
  views: readonly View[],
  now: string,
): EditedView[] {
  const hashes = hashesIn(hashFile);
  const isFirst = Object.keys(hashes).length === 0;
  return views.flatMap(({ path, content }): EditedView[] => {
    const file = readView(join(dir, path));
    const isOwn =
      file.kind === 'file' &&
      (hashes[path]?.includes(sha256(file.bytes)) || file.bytes.equals(Buffer.from(content)));
    if (file.kind === 'absent' || isOwn) return [];
    const reason = `${whatItWas(file, isFirst)}; rebuilt from the journal`;
    return [{ path, reason, setAside: setAside(dir, path, isFirst ? 'found' : 'edited', now) }];
  });
}

function readView(path: string): PlainFile {
  try {
    return readPlainFile(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { kind: 'other', what: "a file that can't be read" };
  }
}

function whatItWas(file: PlainFile, isFirst: boolean): string {
  if (file.kind === 'file') return isFirst ? "it wasn't written by ralph here" : 'it had been edited';
  return file.kind === 'other' && file.what.startsWith('a file')
    ? `it was ${file.what}`
    : "it wasn't a plain file";
}

/** Writes hashes before views. Nothing is synced: after a power failure the journal restores the views. */
export function writeViewFiles(context: ViewContext, views: readonly View[]): void {
  const { dir, hashFile } = context;
  const hashes = hashesIn(hashFile);
  const changed = views.filter(({ path, content }) => {
    const file = readPlainFile(join(dir, path));
    const isSame = file.kind === 'file' && file.bytes.equals(Buffer.from(content));
    return !isSame || hashes[path]?.at(-1) !== sha256(content);
  });
  if (changed.length === 0) return;
  const next: ViewHashes = { ...hashes };
  for (const { path, content } of changed) {
    const hash = sha256(content);
    const before = hashes[path] ?? [];
    next[path] = before.at(-1) === hash ? before : [...before.slice(-1), hash];
  }
  // A rename can't replace a folder, and everything in this one is ralph's.
  if (lstatOrNull(hashFile)?.isDirectory()) rmSync(hashFile, { recursive: true, force: true });
  // Lost hashes cause an extra copy of views, never a loss of content.
  replaceFile(hashFile, `${JSON.stringify(next)}\n`, { mode: 0o600, durability: 'none', folderMode: 0o700 });
  for (const view of changed) {
    const path = join(dir, view.path);
    const stat = lstatOrNull(path);
    const mode = stat?.isFile() ? Number(stat.mode & 0o7777n) : undefined;
    replaceFile(path, view.content, { mode, durability: 'none', folderMode: 0o777 });
  }
}

function hashesIn(path: string): ViewHashes {
  return readJson(path, ViewHashes, MAX_HASHES) ?? {};
}
