import { join } from 'node:path';
import { tryOr } from '../../../lib/try-or.ts';
import { readFileBytes } from '../../files/plain-file.ts';
import { type IndexGit, userIndexGit } from '../call/git.ts';
import { stampOf, type WorkTree } from '../call/work-tree.ts';
import { doorOf } from './door.ts';
import { type IndexEntry, parseIndexEntries, parseIndexFile } from './index-file.ts';

/** What was read last of the users' indexes, by their files: git puts another file in the place of one. */
const usersRead = new Map<string, { readonly stamp: string; readonly entries: readonly IndexEntry[] }>();

/** All entries of the user's index. */
export async function usersEntries(tree: WorkTree): Promise<readonly IndexEntry[]> {
  const file = join(tree.gitDir, 'index');
  const stamp = stampOf(file);
  const known = usersRead.get(file);
  if (known?.stamp === stamp) return known.entries;
  const entries = await entriesIn(tree, file, userIndexGit(tree));
  usersRead.set(file, { stamp, entries });
  return entries;
}

/** All entries of an index. @param git Of that index, which is asked where it has another form than is read here. */
export async function entriesIn(tree: WorkTree, file: string, git: IndexGit): Promise<readonly IndexEntry[]> {
  const door = await doorOf(tree);
  const content = door === null ? null : tryOr(null, () => readFileBytes(file));
  const idLength = door?.format.objects === 'sha256' ? 64 : 40;
  const entries = content === null ? null : parseIndexFile(content, idLength);
  return entries ?? parseIndexEntries((await git(['ls-files', '-v', '-s', '-z'])).stdout);
}
