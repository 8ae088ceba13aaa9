import { appendFileSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Committed, TextFiles } from '../../../domain/ports/work.ts';
import { GitError } from '../../../domain/ports.ts';
import { configText } from '../../box/config-text.ts';
import { copyIndex } from '../call/git.ts';
import { type BytePath, ignoreLine, nulList, parsePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { putHead } from './agent-git.ts';
import { gitIn } from './slot.ts';

/** Writes files over those of a copy, with the modes that are there. @throws GitError */
export function putFiles(folder: string, files: TextFiles): void {
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    // Nothing leads out of it: what lies there is of others.
    if (realpathSync(dirname(file)) !== join(realpathSync(folder), dirname(path)))
      throw new GitError(`${path} lies behind a link.`);
    const mode = lstatSync(file, { throwIfNoEntry: false })?.mode;
    rmSync(file, { force: true });
    writeFileSync(file, text, mode === undefined ? {} : { mode });
  }
}

type InCopy = {
  readonly treeId: string;
  /** What was written over that tree. */
  readonly files: TextFiles;
  /** What lies in the copy and is none of the commit. */
  readonly hidden: readonly BytePath[];
};

/**
 * Has git in a copy find all that the copy holds committed: `git status` and `git diff` show nothing, as in a checkout of what would land.
 * What is written over the tree is committed, too, or a gate that asks git would fail for what ralph put there.
 *
 * @param copy Folder of the slot, and the git folder that works in the copy.
 */
export async function commitAll(
  repository: WorkTree,
  copy: { readonly files: string; readonly folder: string; readonly git: string },
  { base, head }: Committed,
  { treeId, files, hidden }: InCopy,
): Promise<void> {
  const index = join(copy.folder, 'index');
  // Its commits are for the gates alone: they lie in the copy's git folder and are gone with it.
  const tree = { ...repository, passing: join(copy.git, 'objects') };
  const git = gitIn(tree, { files: copy.files, index });
  let held = treeId;
  if (files.length > 0) {
    const paths = files.map(({ path }) => parsePath(path));
    await git(['update-index', '--add', '-z', '--stdin'], nulList(paths));
    held = (await git(['write-tree'])).stdout.toString('utf8').trim();
  }
  putHead(copy.git, { branch: base.branch, commit: await commitOf(tree, held, { base, head }) });
  copyIndex(index, join(copy.git, 'index'));
  appendFileSync(
    join(copy.git, 'info/exclude'),
    hidden.map((path) => `${ignoreLine(path)}\n`).join(''),
    'latin1',
  );
  // In a sparse checkout git looks again at hidden files that are there.
  const shown = [{ key: 'sparse.expectFilesOutsideOfPatterns', value: 'true' }];
  appendFileSync(join(copy.git, 'config'), configText(shown), 'latin1');
}

/** The commit with a tree that stands at HEAD. */
async function commitOf(tree: WorkTree, treeId: string, { base, head }: Committed): Promise<string> {
  if (treeId === base.tree && !('commit' in head && head.commit !== base.commit)) return base.commit;
  if ('commit' in head) return likeCommit(tree, head.commit, treeId);
  const parents = [base.commit];
  // Where git doesn't know who commits, nothing is committed in the end, and the gates run all the same.
  return makeCommit(tree, treeId, parents, head.message, { who: 'user' }).catch(() =>
    makeCommit(tree, treeId, parents, head.message, { who: 'ralph' }),
  );
}

/** A commit, with this tree in the place of its own; not signed then. */
async function likeCommit(tree: WorkTree, commit: string, treeId: string): Promise<string> {
  const objects = await objectsOf(tree);
  const text = (await objects.read(commit))?.content.toString('latin1') ?? '';
  if (text.startsWith(`tree ${treeId}\n`)) return commit;
  const end = text.indexOf('\n\n');
  const header = `${text.slice(0, end)}\n`
    .replace(/^tree .*/, `tree ${treeId}`)
    .replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/gm, '');
  return objects.write('commit', Buffer.from(`${header}${text.slice(end + 1)}`, 'latin1'));
}
