import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, printPath } from './git-path.ts';
import { GitError } from './run-git.ts';
import { absolute, objectGit, type WorkTree } from './work-tree.ts';

/** The git folder of a submodule that is not checked out; `null` when it never was. */
export async function repositoryOf(tree: WorkTree, target: string, path: BytePath): Promise<string | null> {
  const name = await nameOf(tree, target, path);
  const folder = name === null ? null : join(tree.gitDir, 'modules', name);
  if (folder !== null && existsSync(join(folder, 'HEAD'))) return folder;
  const url = name === null ? null : await setting(tree, `submodule.${name}.url`);
  if (name !== null && url === null) return null;
  const place = folder ?? absolute(tree, path).toString('utf8');
  throw new GitError(
    `The submodule ${printPath(path)} cannot be put back: its repository ${place} is gone. Run: git submodule update --init`,
  );
}

/** The tree of a commit of a submodule. */
export async function treeIn(repository: WorkTree, commit: string, path: BytePath): Promise<string> {
  const found = await objectGit(repository, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], {
    answers: [1, 128],
  });
  if (found.code === 0) return found.stdout.toString('utf8').trim();
  throw new GitError(
    `The submodule ${printPath(path)} cannot be put back: its repository ${repository.gitDir} does not hold the commit ${commit}. It was made anew, or git has removed what nothing refers to.`,
  );
}

/** What `.gitmodules` of a tree calls the submodule at a path. */
async function nameOf(tree: WorkTree, target: string, path: BytePath): Promise<string | null> {
  const list = ['config', '--blob', `${target}:.gitmodules`, '-z', '--get-regexp', '^submodule\\..*\\.path$'];
  const listed = await objectGit(tree, list, { answers: [1, 128] });
  if (listed.code !== 0) return null;
  for (const record of listed.stdout.toString('latin1').split('\0')) {
    const at = record.indexOf('\n');
    if (record.slice(at + 1) !== path) continue;
    const name = record.slice('submodule.'.length, at - '.path'.length);
    // A name is part of a path below the git folder; git itself refuses to leave it.
    return name.split('/').includes('..') ? null : Buffer.from(name, 'latin1').toString('utf8');
  }
  return null;
}

async function setting(tree: WorkTree, key: string): Promise<string | null> {
  const found = await objectGit(tree, ['config', '--get', key], { answers: [1] });
  return found.code === 0 ? found.stdout.toString('utf8').trim() : null;
}

/** What `.git` of a submodule says, given the way to its repository. */
export function dotGitFor(gitDir: string): Buffer {
  return Buffer.from(`gitdir: ${gitDir}\n`);
}
