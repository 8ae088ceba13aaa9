import { type BytePath, printPath } from './git-path.ts';
import { setEntries } from './index-state.ts';
import { parseStatus } from './parse-status.ts';
import { absolute, type IndexGit, look, objectGit, type WorkTree } from './work-tree.ts';

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
    entries.push({ mode: (found.mode & 0o100n) === 0n ? '100644' : '100755', oid, path });
  }
  await setEntries(git, entries);
}

async function rawContent(tree: WorkTree, path: BytePath): Promise<string | null> {
  const text = printPath(path);
  const hashed = await objectGit(tree, ['hash-object', '-w', '--no-filters', '--', text], { answers: [128] });
  return hashed.code === 0 ? hashed.stdout.toString('utf8').trim() : null;
}

async function note(tree: WorkTree, path: BytePath, state: string): Promise<string> {
  const input = `ralph could not read ${printPath(path)}: ${state}\n`;
  const hashed = await objectGit(tree, ['hash-object', '-w', '--stdin'], { input });
  return hashed.stdout.toString('utf8').trim();
}
