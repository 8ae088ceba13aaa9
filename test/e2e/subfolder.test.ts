import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claim, makeProject, type Project } from '../helpers/cli.ts';

/** The agent does the first task, and claims the second without having done anything. */
const SCENARIO = JSON.stringify({
  steps: [
    {
      when: { task: 'T-1' },
      do: [{ action: 'write', path: 'one.txt', content: 'work\n' }, claim('one.txt:1')],
    },
  ],
  otherwise: [claim('one.txt:1')],
});

/** Returns a repository that tracks its task list in `.ralph/`, with a deep folder in which commands are typed. */
function project(): Project {
  const made = makeProject({
    '.ralph/PRD.md': '## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n',
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\n[git]\ncommit = "on_done"\n',
    '.ralph/scenario.json': SCENARIO,
  });
  mkdirSync(made.path('deep/er'), { recursive: true });
  return made;
}

describe('given in a subfolder, a run', () => {
  it('takes nothing of .ralph for work of the agent', () => {
    const made = project();
    expect(made.ralph('--cwd', 'deep/er', 'run').code).toBe(4);
    expect(made.iteration(1).facts.changes.changes.map(({ path }) => path)).toEqual(['one.txt']);
    expect(made.iteration(2).facts.changes.changes).toEqual([]);
    expect(made.iteration(2).decisions.verdict.kind).toBe('no_files');
    const files = (commit: string) => made.git('show', '--format=', '--name-only', commit);
    expect([files('HEAD~1'), files('HEAD')]).toEqual(['one.txt', '.ralph/PRD.md']);
  });

  it('is rolled back from there, and the list keeps what is on record', () => {
    const made = project();
    made.ralph('--cwd', 'deep/er', 'run', '--task', 'T-1');
    const { code } = made.ralph('--cwd', 'deep/er', 'rollback');
    expect(code).toBe(0);
    expect([made.exists('one.txt'), made.exists('.ralph/journal.jsonl')]).toEqual([false, true]);
  });
});
