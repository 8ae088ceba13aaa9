/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { makeProject, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';

/** The mode's timeout in seconds, scaled down from 120; the first task takes six times as long. */
const MODE = 2;
const UI_WORK = 6 * MODE;

const TASKS = `# Plan

## Tasks

- [ ] **T-1** Dashboard with charts of the orders
- [ ] **T-2** Fix the typo in the README
`;

/** The agent starts its file at once, like real agents, and claims completion at the end of its work. */
const AGENT = `cat >/dev/null
echo begun > "$RALPH_TASK_ID.txt"
case "$RALPH_TASK_ID" in T-2) ;; *) sleep ${UI_WORK} ;; esac
echo "done in attempt $RALPH_ATTEMPT" > "$RALPH_TASK_ID.txt"
${SHELL_CLAIM}`;

const projectWith = (settings: string) =>
  makeProject({
    '.ralph/PRD.md': TASKS,
    '.ralph/ralph.toml': `${shellAgent('grace = 0.2\n')}\n[modes.speed]\ntimeout = ${MODE}\n[adaptive_timeout]\nmin_timeout = 0\n${settings}`,
    'agent.sh': AGENT,
  });

describe('tasks that need six times the timeout of the mode', () => {
  it('get done where timeouts adapt, the run shows each limit, and records how it was worked out', () => {
    const project = projectWith('');
    const run = project.ralph('run');
    const { stdout } = run;
    expect(stdout).toMatch(/(\d+) of \1 tasks? done\./);
    expect(run.code).toBe(0);
    for (const limit of ['6.0 s', '9.0 s', '14 s', '2.0 s']) expect(stdout).toContain(`limit ${limit}`);
    expect([1, 2, 3, 4].map((number) => project.iteration(number).facts.timeoutReason)).toEqual([
      "6 s = 2 × 3.0 (ui_heavy: 'Dashboard')",
      "9 s = 2 × 3.0 (ui_heavy: 'Dashboard') × 1.5^1",
      "13.5 s = 2 × 3.0 (ui_heavy: 'Dashboard') × 1.5^2",
      expect.stringContaining('2 s = 2 × 1.0 (simple:'),
    ]);
    expect(project.read('T-1.txt')).toBe('done in attempt 3\n');
    expect(project.json('tasks').tasks[0]).toMatchObject({ complexity: 'ui_heavy', timeout_seconds: 6 });
  });

  it('are blocked where nothing adapts', () => {
    const project = projectWith('enabled = false\n');
    const run = project.ralph('run');
    expect(run.code).toBe(4);
    expect(run.stdout).toContain('limit 2 s (mode speed)');
    expect(project.json('blocked').blocked).toMatchObject([{ id: 'T-1', reason: 'timeout', attempts: 3 }]);
    expect(project.json('tasks').tasks[1]).toMatchObject({ id: 'T-2', status: 'done' });
  });

  it('take a timeout above the maximum from the task, with a warning', () => {
    const project = projectWith('max_timeout = 3\n');
    project.write('.ralph/PRD.md', '## Tasks\n\n- [ ] **T-2** Dashboard\n  - Timeout: 20s\n');
    const run = project.ralph('run');
    expect(run.code).toBe(0);
    expect(run.stdout.replace(/\s+/g, ' ')).toContain('limit 20 s (set in the task)');
    expect(run.stdout.replace(/\s+/g, ' ')).toContain('above max_timeout (3 s); it is used anyway.');
  });
});
