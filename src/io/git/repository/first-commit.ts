import { execa } from 'execa';
import { GitError } from '../../../domain/ports.ts';

/** Makes the first commit of a repository, of all files that aren't ignored, as you would. @throws GitError */
export async function makeFirstCommit(root: string): Promise<void> {
  for (const args of [
    ['add', '-A'],
    ['commit', '--quiet', '-m', 'Start'],
  ]) {
    const { exitCode, stderr, stdout } = await execa('git', args, { cwd: root, reject: false });
    if (exitCode !== 0)
      throw new GitError(`git ${args[0]} failed: ${stderr || stdout || `exit ${exitCode}`}`);
  }
}
