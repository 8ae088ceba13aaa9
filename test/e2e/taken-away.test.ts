import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeProject, withoutBox } from '../helpers/cli.ts';
import { SHELL_CLAIM, shellAgent } from '../helpers/project-files.ts';

const AGENT_WORKS = 'cat > /dev/null\necho work > "$RALPH_TASK_ID.txt"\n';

/** Returns a project with an agent that works, and takes something away. */
function projectWith(change: string) {
  return makeProject({
    'agent.sh': `${AGENT_WORKS}${change}\n${SHELL_CLAIM}`,
    '.ralph/ralph.toml': shellAgent('max_iterations = 2'),
  });
}

describe('what an agent takes away in its copy is gone there alone, and the attempt counts', () => {
  // In a box the git folder is a mount point, which can't be removed.
  withoutBox();

  it.each([
    ['the git folder', 'mv .git ../taken-from-"$(basename "$PWD")"'],
    ['HEAD', 'echo "ref: refs/heads/../../x" > .git/HEAD'],
    ['HEAD, a name that git refuses', 'echo "ref: refs/heads/.hidden" > .git/HEAD'],
  ])('%s', (_what, change) => {
    const project = projectWith(change);
    project.write('mine.txt', 'not committed\n');
    const run = project.ralph('run');
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    expect(project.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(project.git('fsck', '--no-dangling')).toBe('');
    expect(project.read('mine.txt')).toBe('not committed\n');
  });

  // Permissions don't stop root.
  it.skipIf(process.getuid?.() === 0)('the right to write in .ralph', () => {
    const project = projectWith('chmod 555 .ralph/runs .ralph');
    const run = project.ralph('run');
    chmodSync(project.path('.ralph'), 0o755);
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
  });
});
