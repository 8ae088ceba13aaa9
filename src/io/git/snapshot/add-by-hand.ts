import { type IndexGit, objectText } from '../call/git.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import { absolute, fileMode, look, type WorkTree } from '../repository/work-tree.ts';
import { setEntries } from './index-state.ts';
import { parseStatus } from './parse-status.ts';

/**
 * The way round a file that `git update-index` cannot take: `git add -A` with what it can, and the rest by its raw
 * bytes (a filter that fails) or, when those cannot be read, by a note that changes with the file.
 */
export async function addByHand(tree: WorkTree, git: IndexGit): Promise<void> {
  const added = await git(['add', '-A', '--ignore-errors'], undefined, [1, 128]);
  if (added.code === 0) return;
  const options = ['--porcelain=v2', '-z', '--branch', '--ignore-submodules=all'];
  const status = parseStatus(
    (await git(['-c', 'status.showUntrackedFiles=all', 'status', ...options])).stdout,
  );
  const entries = [];
  for (const path of [...status.changed, ...status.untracked]) {
    const found = look(absolute(tree, path));
    if (found?.isFile() !== true) continue;
    const oid = (await rawContent(tree, path)) ?? (await note(tree, path, `${found.size} ${found.ctimeNs}`));
    entries.push({ mode: fileMode(found), oid, path });
  }
  await setEntries(git, entries);
}

async function rawContent(tree: WorkTree, path: BytePath): Promise<string | null> {
  const text = printPath(path);
  const args = ['hash-object', '-w', '--no-filters', '--', text];
  return (await objectText(tree, args, { answers: [128] })) || null;
}

function note(tree: WorkTree, path: BytePath, state: string): Promise<string> {
  const input = `ralph could not read ${printPath(path)}: ${state}\n`;
  return objectText(tree, ['hash-object', '-w', '--stdin'], { input });
}
