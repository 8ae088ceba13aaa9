import { GitError } from '../../../domain/ports.ts';
import { runShort } from '../../programs/start/start-program.ts';

/**
 * Commits files as you would; hooks run.
 *
 * @param paths Relative to `root`; absent: all that aren't ignored.
 * @throws GitError
 */
export async function commitAll(root: string, message: string, paths?: readonly string[]): Promise<void> {
  const only = paths === undefined ? [] : ['--', ...paths];
  for (const args of [
    ['add', '-A', ...only],
    ['commit', '--quiet', '-m', message, ...only],
  ]) {
    const env = { GIT_LITERAL_PATHSPECS: '1' };
    const { exitCode, stderr, stdout } = await runShort('git', args, { cwd: root, reject: false, env });
    if (exitCode !== 0)
      throw new GitError(`git ${args[0]} failed: ${stderr || stdout || `exit ${exitCode}`}`);
  }
}
