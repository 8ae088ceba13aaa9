import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceFile } from '../files/atomic-file.ts';
import { fileSignature, lstatOrNull, type PlainFile, readJson, readPlainFile } from '../files/plain-file.ts';
import { isSystemError } from '../files/store-error.ts';
import { sha256 } from '../ids.ts';
import { setAside } from './set-aside.ts';

/** The documents that an import reads where there never was a journal. */
const IMPORTED = [
  'state.json',
  'metrics.json',
  'interventions/events.json',
  'interventions/profile.json',
  'permissions.json',
] as const;

export type View = { readonly path: string; readonly content: string };

/** A view that something else changed. */
export type EditedView = { readonly path: string; readonly reason: string; readonly setAside: string };

export type ViewContext = {
  readonly dir: string;
  readonly hashFile: string;
  /** Views that were found to be as ralph wrote them, by path: while a file stays that one, it isn't read again. */
  readonly seen: Map<string, { readonly signature: string; readonly hash: string }>;
};

/** For each view the hashes of what ralph wrote: the one before and the newest (a crash may leave either). */
const ViewHashes = z.record(z.string(), z.array(z.string()));
type ViewHashes = z.infer<typeof ViewHashes>;
/** The hashes are some 150 bytes a view. */
const MAX_HASHES = 1024 * 1024;

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
 * Puts the views aside whose content is neither what ralph wrote last nor what it would write now. One that is merely
 * older (a crash between journal and view) is as ralph wrote it.
 *
 * @param now ISO 8601 UTC.
 */
export function setEditedAside(
  { dir, hashFile, seen }: ViewContext,
  views: readonly View[],
  now: string,
): EditedView[] {
  const hashes = hashesIn(hashFile);
  const isFirst = Object.keys(hashes).length === 0;
  return views.flatMap(({ path, content }): EditedView[] => {
    // Before it is read: what is written meanwhile shows the next time.
    const signature = signatureOf(join(dir, path));
    if (signature !== null && seen.get(path)?.signature === signature) return [];
    seen.delete(path);
    const file = readView(join(dir, path));
    if (file.kind === 'absent') return [];
    const hash = file.kind === 'file' ? sha256(file.bytes) : '';
    if (file.kind === 'file' && (hashes[path]?.includes(hash) || hash === sha256(content))) {
      if (signature !== null) seen.set(path, { signature, hash });
      return [];
    }
    const reason = `${whatItWas(file, isFirst)}; rebuilt from the journal`;
    return [{ path, reason, setAside: setAside(dir, path, isFirst ? 'found' : 'edited', now) }];
  });
}

/** Another one once the file was changed; `null`: there is no plain file. */
function signatureOf(path: string): string | null {
  const stat = lstatOrNull(path);
  return stat?.isFile() ? fileSignature(stat) : null;
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

/**
 * Writes the views that differ from what was found there, each atomically. The hashes go first. Nothing is forced to the
 * disk: the journal is, and after a power failure the views follow from it again.
 */
export function writeViewFiles({ dir, hashFile, seen }: ViewContext, views: readonly View[]): void {
  const hashes = hashesIn(hashFile);
  const changed = views.flatMap((view) => {
    const hash = sha256(view.content);
    const found = seen.get(view.path);
    const isSame = found?.hash === hash && found.signature === signatureOf(join(dir, view.path));
    return isSame && hashes[view.path]?.at(-1) === hash ? [] : { ...view, hash };
  });
  if (changed.length === 0) return;
  const next: ViewHashes = { ...hashes };
  for (const { path, hash } of changed) {
    const before = hashes[path] ?? [];
    next[path] = before.at(-1) === hash ? before : [...before.slice(-1), hash];
  }
  // Only a folder in its place withstands a rename; in this folder everything is ralph's.
  if (lstatOrNull(hashFile)?.isDirectory()) rmSync(hashFile, { recursive: true, force: true });
  // Lost hashes cost a copy of the views, never content.
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
