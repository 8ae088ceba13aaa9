import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gitCall } from '../call/environment.ts';
import { runGit } from '../call/run-git.ts';

/**
 * Makes a folder a repository of its own with the commit that another one is at: what is done to its branches and its index
 * reaches nothing else. Objects are read from the other one. A repository without a commit has nothing to begin with.
 */
export async function ownRepository(root: string, folder: string): Promise<void> {
  const git = (at: string, ...args: string[]) =>
    runGit(gitCall({ kind: 'question', folder: at }), args, { answers: [1, 128] });
  const asked = await git(root, 'rev-parse', '--git-common-dir', 'HEAD');
  const [commonDir = '', head = ''] = asked.stdout.toString('utf8').split('\n');
  mkdirSync(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--template=', '.');
  const info = join(folder, '.git', 'objects', 'info');
  mkdirSync(info, { recursive: true });
  writeFileSync(join(info, 'alternates'), `${resolve(root, commonDir)}/objects\n`);
  if (asked.code !== 0) return;
  await git(folder, 'update-ref', 'HEAD', head);
  await git(folder, 'reset', '--quiet');
}
