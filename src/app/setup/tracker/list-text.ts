import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readFileBytes } from '../../../io/store/index.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { joinFiles, splitFiles } from '../../../tasks/index.ts';

/**
 * The file or folder that a path of a list means: the folder of a spec stands for its `tasks.md`, any other one that holds Markdown for
 * a task in each of its files; `null`: there is none.
 */
export function listAt(path: string): { readonly path: string; readonly isFolder: boolean } | null {
  const found = tryOr(undefined, () => statSync(path, { throwIfNoEntry: false }));
  if (found?.isFile() === true) return { path, isFolder: false };
  if (found?.isDirectory() !== true) return null;
  const inside = join(path, 'tasks.md');
  if (existsSync(inside)) return { path: inside, isFolder: false };
  return markdownIn(path).length > 0 ? { path, isFolder: true } : null;
}

/** The bytes of a list; those of a folder are its files, one behind the other. @throws The Node error */
export function listBytes({ path, isFolder }: { readonly path: string; readonly isFolder: boolean }): Buffer {
  if (!isFolder) return readFileBytes(path);
  const names = foldersOf(path).flatMap(({ folder, name }) =>
    markdownIn(folder).map((file) => `${name}${file}`),
  );
  // Byte by byte, so that what isn't UTF-8 is found in the whole.
  const files = names.map((name) => ({
    name: Buffer.from(name).toString('latin1'),
    text: readFileBytes(join(path, name)).toString('latin1'),
  }));
  return Buffer.from(joinFiles(files), 'latin1');
}

/** The files whose text another text of the same list has otherwise, absolute. */
export function changedFiles(path: string, before: string, after: string): { path: string; text: string }[] {
  const old = new Map(splitFiles(before).map(({ name, text }) => [name, text]));
  return splitFiles(after)
    .filter(({ name, text }) => old.get(name) !== text)
    .map(({ name, text }) => ({ path: name === '' ? path : join(path, name), text }));
}

/** With the folder beside it into which Backlog.md moves what is finished. */
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
