import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import { joinFiles, splitFiles } from 'ralph-task-lists';

/**
 * Returns the list at a path; `null`: there is none. The folder of a spec means its `tasks.md`; any other folder with
 * Markdown files is a list with one task per file.
 */
export function listAt(path: string): { readonly path: string; readonly isFolder: boolean } | null {
  const found = tryOr(undefined, () => statSync(path, { throwIfNoEntry: false }));
  if (found?.isFile() === true) return { path, isFolder: false };
  if (found?.isDirectory() !== true) return null;
  const inside = join(path, 'tasks.md');
  if (existsSync(inside)) return { path: inside, isFolder: false };
  const holds = foldersOf(path).some(({ folder }) => markdownIn(folder).length > 0);
  return holds ? { path, isFolder: true } : null;
}

/** Names of folders into which tools move finished lists, beside the list or a folder around it. */
const ARCHIVES = ['archive', 'archived'];

/**
 * Returns the path of an archived list, relative to the repository: with its own name, or with a date before the name
 * (`2026-11-30-NAME`); `null`: it isn't in an archive.
 */
export function archivedList(root: string, path: string): string | null {
  const names = relative(root, resolve(root, path)).split(sep);
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const [name = '', ...below] = names.slice(at);
    for (const folder of ARCHIVES) {
      const archive = [...names.slice(0, at), folder];
      const kept = tryOr([], () => readdirSync(join(root, ...archive)))
        .filter((one) => one === name || one.replace(/^\d{4}-\d{2}-\d{2}-/, '') === name)
        .sort();
      for (const one of kept.reverse()) {
        const place = [...archive, one, ...below].join('/');
        if (listAt(resolve(root, place)) !== null) return place;
      }
    }
  }
  return null;
}

/** Returns the bytes of a list; for a folder, of all its files one after the other. @throws The Node error */
export function listBytes({ path, isFolder }: { readonly path: string; readonly isFolder: boolean }): Buffer {
  if (!isFolder) return readFileBytes(path);
  const names = foldersOf(path).flatMap(({ folder, name }) =>
    markdownIn(folder).map((file) => `${name}${file}`),
  );
  // Bytes are converted without change, so that invalid UTF-8 is found in the whole text.
  const files = names.map((name) => ({
    name: Buffer.from(name).toString('latin1'),
    text: readFileBytes(join(path, name)).toString('latin1'),
  }));
  return Buffer.from(joinFiles(files), 'latin1');
}

/**
 * Returns the text of another file, whose path is relative to the list's folder (or to the list, if it is a folder);
 * `null`: unreadable.
 */
export function nearbyText(
  { path, isFolder }: { readonly path: string; readonly isFolder: boolean },
  other: string,
): string | null {
  return tryOr(null, () => readFileBytes(join(isFolder ? path : dirname(path), other)).toString('utf8'));
}

/** Returns the files of a list whose text differs between two versions. Paths are absolute. */
export function changedFiles(path: string, before: string, after: string): { path: string; text: string }[] {
  const old = new Map(splitFiles(before).map(({ name, text }) => [name, text]));
  return splitFiles(after)
    .filter(({ name, text }) => old.get(name) !== text)
    .map(({ name, text }) => ({ path: name === '' ? path : join(path, name), text }));
}

/** Returns the list's folder, and for Backlog.md the folder beside it with finished tasks. */
function foldersOf(path: string): { readonly folder: string; readonly name: string }[] {
  const own = { folder: path, name: '' };
  const completed = join(path, '..', 'completed');
  return basename(path) === 'tasks' && existsSync(completed)
    ? [own, { folder: completed, name: '../completed/' }]
    : [own];
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
