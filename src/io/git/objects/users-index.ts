import { join } from 'node:path';
import { tryOr } from '../../../lib/try-or.ts';
import { readFileBytes } from '../../files/plain-file.ts';
import { userIndexGit } from '../call/git.ts';
import { stampOf, type WorkTree } from '../call/work-tree.ts';
import { doorOf } from './door.ts';
import { type IndexEntry, parseIndexEntries, parseIndexFile } from './index-file.ts';

/** What was read last of the users' indexes, by their files: git puts another file in the place of one. */
const usersRead = new Map<string, { readonly stamp: string; readonly entries: readonly IndexEntry[] }>();

/** All entries of the user's index. */
export async function usersEntries(tree: WorkTree): Promise<readonly IndexEntry[]> {
  const door = await doorOf(tree);
  const file = join(tree.gitDir, 'index');
  const stamp = stampOf(file);
  const known = usersRead.get(file);
  if (door !== null && known !== undefined && known.stamp === stamp) return known.entries;
  const content = door === null ? null : tryOr(null, () => readFileBytes(file));
  const entries =
    content === null ? null : parseIndexFile(content, door?.format.objects === 'sha256' ? 64 : 40);
  if (entries === null)
    return parseIndexEntries((await userIndexGit(tree)(['ls-files', '-v', '-s', '-z'])).stdout);
  usersRead.set(file, { stamp, entries });
  return entries;
}
