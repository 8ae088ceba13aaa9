import { GitError, personEnv, runGit } from './run-git.ts';
import type { WorkTree } from './work-tree.ts';

type Switched = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Makes a branch at HEAD, or switches to the one of that name; git refuses where local changes would be lost. */
export async function switchTo(tree: WorkTree, name: string): Promise<Switched> {
  const call = (args: readonly string[], answers: readonly number[]) =>
    runGit(args, { cwd: tree.top, env: { ...personEnv(), LC_ALL: 'C' }, answers });
  try {
    const valid = await call(['check-ref-format', `refs/heads/${name}`], [1]);
    if (valid.code !== 0 || name.startsWith('-')) {
      return { ok: false, reason: `"${name}" is no name for a branch. Change branch names in [git].` };
    }
    const exists = await call(['show-ref', '--verify', '--quiet', `refs/heads/${name}`], [1]);
    await call(['switch', '--no-guess', ...(exists.code === 0 ? [] : ['-c']), name], []);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { ok: false, reason: `The branch "${name}" was not checked out. ${error.message}` };
  }
}
