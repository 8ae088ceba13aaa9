import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from '../../../src/domain/ports.ts';
import { openTestGit } from '../open-test-git.ts';
import { runTestGit, temporaryFolder } from '../repository.ts';

/** Files that a task changes; `null`: it removes the file. */
export type Files = Readonly<Record<string, string | null>>;

export async function lineOf(root: string, commits = true): Promise<Line> {
  return (await openTestGit(root)).line({ commits });
}

/** Returns the tree that these changes make of another one. */
export function treeWith(root: string, base: string, files: Files): string {
  const index = join(temporaryFolder(), 'index');
  const git = (...args: string[]) => runTestGit(root, args, { GIT_INDEX_FILE: index });
  git('read-tree', base);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) {
      git('rm', '-q', '--cached', '--', path);
      continue;
    }
    const blob = runTestGit(root, ['hash-object', '-w', '--stdin'], {}, text);
    git('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
  }
  const tree = git('write-tree');
  rmSync(index);
  return tree;
}

/** Keeps a result that was verified on the present line. */
export async function verified(
  root: string,
  line: Line,
  taskId: string,
  files: Files,
  { needs = [], held = null }: { readonly needs?: readonly string[]; readonly held?: string | null } = {},
) {
  const now = await line.look();
  if (now === null) throw new Error('there is no commit');
  const tree = treeWith(root, now.commit, files);
  const id = await line.prepare({ taskId, parent: now.commit, tree, message: `Do ${taskId}`, needs, held });
  await line.keep(id);
  return { ...id, commit: runTestGit(root, ['rev-parse', `refs/ralph/results/${taskId}/${id.number}`]) };
}
