import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { type IndexGit, indexGit, objectGit } from '../call/git.ts';
import { parsePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { changesFromHead, treeDiff } from '../diff/diff.ts';
import { hideOutside, setChanged } from '../read/index-content.ts';

/** The tree that a change makes of another one (`null`: of an empty one), written in an index of ours. @throws GitError */
export async function changedTree(
  tree: WorkTree,
  indexFile: string,
  base: string | null,
  change: (git: IndexGit) => Promise<void>,
): Promise<string> {
  // The first snapshot makes it, and there may have been none yet.
  mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
  const git = indexGit({ kind: 'passing-index', tree, index: indexFile });
  await git(['read-tree', base ?? '--empty']);
  await hideOutside(tree, git);
  await change(git);
  return (await git(['write-tree'])).stdout.toString('utf8').trim();
}

/**
 * A tree that holds what `base` does, except at these paths: those are as in `from`, or aren't there.
 *
 * @throws GitError
 */
export async function composeTree(
  tree: WorkTree,
  indexFile: string,
  { base, from, paths }: { readonly base: string; readonly from: string; readonly paths: readonly string[] },
): Promise<string> {
  const wanted = new Set(paths.map(parsePath));
  const changes = (await changesFromHead(tree, base, from)).filter(({ path }) => wanted.has(path));
  if (changes.length === 0) return base;
  return changedTree(tree, indexFile, base, (git) => setChanged(git, changes));
}

/** What leads from one tree to another, for `git apply`: every byte of it, binary files too. */
export async function wholePatch(tree: WorkTree, from: string, to: string): Promise<Buffer> {
  return (await treeDiff(tree, ['-p', '--binary', '--full-index', '--no-renames', from, to])).stdout;
}

/** The tree that a patch of `wholePatch` makes of `onto`; `null` where it doesn't apply cleanly. @throws GitError */
export async function applyToTree(
  tree: WorkTree,
  indexFile: string,
  onto: string,
  patch: Buffer,
): Promise<string | null> {
  let applies = false;
  const applied = await changedTree(tree, indexFile, onto, async (git) => {
    const args = ['apply', '--cached', '--binary', '--whitespace=nowarn', '-'];
    const { code, stderr } = await git(args, patch, [1, 128]);
    // A file where there is a folder by now, or the reverse: git finds it while it writes.
    if (code === 128 && !stderr.includes('appears as both a file and as a directory'))
      throw new GitError(`git apply ended with 128: ${stderr.trim()}`);
    applies = code === 0;
  });
  return applies ? applied : null;
}

/** What is staged, as a tree; the user's index is read. @throws GitError where a conflict is in it. */
export async function stagedTree(tree: WorkTree, indexFile: string): Promise<string> {
  const { stdout } = await objectGit(tree, ['ls-files', '--stage', '-z']);
  return changedTree(tree, indexFile, null, async (git) => {
    await git(['update-index', '-z', '--index-info'], stdout);
  });
}
