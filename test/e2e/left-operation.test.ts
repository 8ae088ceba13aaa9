import { describe, expect, it } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';

const LIST = '## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n';
/** Ends with a conflict. */
const MERGE = `git checkout -q -b other && echo 1 > a.txt && git commit -qam one
git checkout -q - && echo 2 > a.txt && git commit -qam two
git merge other || true
echo work > new.txt
`;

/** An agent that runs this in its first attempt, that in the later ones, and always claims to be done. */
function project(first: string, later: string): Project {
  return makeProject({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': shellAgent('max_attempts_per_task = 2'),
    'a.txt': '0\n',
    'agent.sh': `cat > /dev/null\nif [ ! -e begun ]; then touch begun\n${first}\nelse\n${later}\nfi\n${SHELL_CLAIM}`,
  });
}

describe('an attempt that leaves a merge in progress', () => {
  it('is not done; the next one is told, ends it, and is', () => {
    const made = project(
      MERGE,
      'echo 3 > a.txt; git add a.txt; git commit -qm merged; echo $RALPH_TASK_ID > "$RALPH_TASK_ID"',
    );
    expect(made.json('run').ending).toBe('all_done');
    const { verdict, cause } = made.iteration(1).decisions;
    expect(verdict.kind).toBe('agent_error');
    expect(cause).toBe(
      'Completion was claimed, but a merge is in progress: finish it (git merge --continue) or give it up (git merge --abort).',
    );
    expect(made.promptOf(2)).toContain('a merge is in progress: finish it (git merge --continue)');
    expect(made.iteration(2).decisions.verdict.kind).toBe('done');
  });

  it('keeps the other tasks from being started in the middle of it', () => {
    const made = project(MERGE, 'echo more >> new.txt');
    const { ending, reason } = made.json('run');
    expect(ending).toBe('error');
    expect(reason).toContain(
      "An attempt left a merge in progress, and T-2 can't be started in the middle of it.",
    );
    expect(made.iterations()).toEqual([1, 2]);
    expect(made.iteration(2).decisions.blocked).not.toBe(null);
    const next = made.ralph('run');
    expect(next.code).toBe(2);
    expect(next.stderr).toContain('a merge is in progress');
  });
});
