import { createHash } from 'node:crypto';
import { objectGit } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { type LooseReader, readRefs } from './refs.ts';

/** What your editor or a timer fetches meanwhile. */
const FETCHED = 'refs/remotes/';

/** Names what changes from now on of HEAD, branches, tags, stashes and the index. */
export async function watchGit(tree: WorkTree, read: LooseReader): Promise<() => Promise<readonly string[]>> {
  const before = await standing(tree, read);
  return async () => {
    const now = await standing(tree, read);
    return [...new Set([...before.keys(), ...now.keys()])].filter(
      (name) => before.get(name) !== now.get(name),
    );
  };
}

/** What each of them is, by name. */
async function standing(tree: WorkTree, read: LooseReader): Promise<ReadonlyMap<string, string>> {
  const { head, refs } = await readRefs(tree, read);
  const { stdout } = await objectGit(tree, ['ls-files', '--stage', '-z']);
  const own = [...refs].filter(([name]) => !name.startsWith(FETCHED));
  const index = createHash('sha256').update(stdout).digest('hex');
  return new Map([['HEAD', head ?? ''], ...own, ['the index', index]]);
}
