import { join } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import { type IndexGit, userIndexGit } from '../call/git.ts';
import { stampOf, type WorkTree } from '../call/work-tree.ts';
import { doorOf } from './door.ts';
import { type IndexEntry, parseIndexEntries, parseIndexFile } from './index-file.ts';

/** Entries by index file; git replaces the file when it changes. */
const usersRead = new Map<string, { readonly stamp: string; readonly entries: readonly IndexEntry[] }>();

export async function usersEntries(tree: WorkTree): Promise<readonly IndexEntry[]> {
  const file = join(tree.gitDir, 'index');
  const stamp = stampOf(file);
  const known = usersRead.get(file);
  if (known?.stamp === stamp) return known.entries;
  const entries = await entriesIn(tree, file, userIndexGit(tree));
  usersRead.set(file, { stamp, entries });
  return entries;
}

/** Returns all entries of an index; `git` is asked when the file has an unsupported form. */
export async function entriesIn(tree: WorkTree, file: string, git: IndexGit): Promise<readonly IndexEntry[]> {
  const door = await doorOf(tree);
  const content = door === null ? null : tryOr(null, () => readFileBytes(file));
  const idLength = door?.format.objects === 'sha256' ? 64 : 40;
  const entries = content === null ? null : parseIndexFile(content, idLength);
  return entries ?? parseIndexEntries((await git(['ls-files', '-v', '-s', '-z'])).stdout);
}
