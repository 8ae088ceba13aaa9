import { appendFileSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configText } from 'ralph-kit/formats/git-config';
import type { Committed, TextFiles } from '../../domain/ports/work.ts';
import { GitError } from '../../domain/ports.ts';
import { copyIndex } from '../call/git.ts';
import { type BytePath, ignoreLine, nulList, parsePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { writeTree } from '../read/index-content.ts';
import { writeHead } from './agent-git.ts';
import { gitIn } from './slot.ts';

/** Writes files over those of a copy, keeping modes. @throws GitError */
export function writeFiles(folder: string, files: TextFiles): void {
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    // A link could lead outside the copy.
    if (realpathSync(dirname(file)) !== join(realpathSync(folder), dirname(path)))
      throw new GitError(`${path} lies behind a link.`);
    const mode = lstatSync(file, { throwIfNoEntry: false })?.mode;
    rmSync(file, { force: true });
    writeFileSync(file, text, mode === undefined ? {} : { mode });
  }
}

type InCopy = {
  readonly treeId: string;
  readonly files: TextFiles;
  /** Paths in the copy that the commit lacks. */
  readonly hidden: readonly BytePath[];
};

/**
 * Makes git in a copy see everything as committed: `git status` and `git diff` show nothing, as after landing. Files
 * that ralph wrote over the tree are committed too, since a gate that asks git would fail for them.
 * @param copy Folder of the slot and the copy's git folder.
 */
export async function commitAll(
  repository: WorkTree,
  copy: { readonly files: string; readonly folder: string; readonly git: string },
  { base, head }: Committed,
  { treeId, files, hidden }: InCopy,
): Promise<void> {
  const index = join(copy.folder, 'index');
  // Commits made for the gates are in the copy's git folder and are removed with it.
  const tree = { ...repository, passing: join(copy.git, 'objects') };
  const git = gitIn(tree, { files: copy.files, index });
  let held = treeId;
  if (files.length > 0) {
    const paths = files.map(({ path }) => parsePath(path));
    await git(['update-index', '--add', '-z', '--stdin'], nulList(paths));
    held = await writeTree(git);
  }
  writeHead(copy.git, { branch: base.branch, commit: await commitOf(tree, held, { base, head }) });
  copyIndex(index, join(copy.git, 'index'));
  appendFileSync(
    join(copy.git, 'info/exclude'),
    hidden.map((path) => `${ignoreLine(path)}\n`).join(''),
    'latin1',
  );
  // Git checks hidden files of a sparse checkout again when they exist.
  const shown = [{ key: 'sparse.expectFilesOutsideOfPatterns', value: 'true' }];
  appendFileSync(join(copy.git, 'config'), configText(shown), 'latin1');
}

async function commitOf(tree: WorkTree, treeId: string, { base, head }: Committed): Promise<string> {
  if (treeId === base.tree && !('commit' in head && head.commit !== base.commit)) return base.commit;
  if ('commit' in head) return likeCommit(tree, head.commit, treeId);
  const parents = [base.commit];
  // Gates run even when git doesn't know the user, although the final commit will fail.
  return makeCommit(tree, treeId, parents, head.message, { who: 'user' }).catch(() =>
    makeCommit(tree, treeId, parents, head.message, { who: 'ralph' }),
  );
}

/** Returns a copy of a commit with another tree, without its signature. */
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
