import { userIndexGit } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { GITLINK } from '../diff/parse-diff.ts';
import { type IndexState, readEntries, setEntries } from './index-state.ts';
import type { Site } from './site.ts';

/** Writes what the known submodules hold now into the private index; true when one changed. */
export async function refreshGitlinks({ git, submodules }: Site, index: IndexState): Promise<boolean> {
  const entries = [];
  for (const [path, oid] of index.gitlinks) {
    if (index.sparse.has(path)) continue;
    const now = await submodules.identify(path, oid);
    if (now === oid) continue;
    entries.push({ mode: now === null ? '0' : GITLINK, oid: now ?? oid, path });
    if (now === null) index.gitlinks.delete(path);
    else index.gitlinks.set(path, now);
  }
  await setEntries(git, entries);
  return entries.length > 0;
}

/** Untracked repositories that are submodules in the user's index. */
export async function newGitlinks(
  { tree, submodules }: Site,
  index: IndexState,
  repositories: readonly BytePath[],
) {
  const links = [];
  const users = repositories.length === 0 ? [] : await readEntries(userIndexGit(tree));
  for (const { path, mode, oid } of users) {
    if (mode !== GITLINK || !repositories.includes(path)) continue;
    const id = (await submodules.identify(path, oid)) ?? oid;
    index.gitlinks.set(path, id);
    links.push({ mode, oid: id, path });
  }
  return links;
}
