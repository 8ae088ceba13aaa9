/** @module-tag slow */

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openProject } from '../../src/app/setup/project.ts';
import { workplaceStateOf } from '../../src/domain/records/state.ts';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, scenarioOf } from '../helpers/cli.ts';
import { finished, started } from '../unit/state/records.ts';

const KEY = `AKIA${'Q7ZP4M2X9KD3V8TB'}`;
const LEAK: ScenarioAction = {
  action: 'write',
  path: 'src/config.ts',
  content: `export const key = "${KEY}";\n`,
};
const WORK: ScenarioAction = { action: 'write', path: 'src/parser.ts', content: 'export {};\n' };
const inProgress: ScenarioAction = { action: 'status', status: 'IN_PROGRESS', exit_signal: false };

/** Returns a project whose first attempt leaks a credential; later attempts do these actions. */
function stopped(...later: ScenarioAction[]): Project {
  const project = makeProject({
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_iterations = 3\n',
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [{ when: { prompt_includes: 'attempt 1 of' }, do: [WORK, LEAK, claim('src/config.ts:1 it')] }],
      otherwise: later,
    }),
  });
  const result = project.json('run');
  expect(result).toMatchObject({ exit_code: 8, ending: 'emergency_stop', iterations: 1 });
  return project;
}

/** Replaces the scenario: from now on the agent only does these actions. */
function behaves(project: Project, ...actions: ScenarioAction[]): void {
  project.write('.ralph/scenario.json', scenarioOf([{ do: actions }]));
}

describe('after an emergency stop', () => {
  it('lists the incident and shows its report, without the secret', () => {
    const project = stopped(inProgress);
    expect(project.json('incidents')).toMatchObject({
      exit_code: 0,
      incidents: [{ id: 'INC-1', task_id: 'T-1', issue: 'critical_security_violation' }],
    });
    const shown = project.ralph('incidents', 'show', 'INC-1');
    expect(shown.stdout).toContain('ralph resume INC-1 --option rollback_and_retry');
    expect(shown.stdout).not.toContain(KEY);
    expect(project.read('.ralph/incidents/INC-1.json')).not.toContain(KEY);
    expect(project.json('incidents', 'show', 'INC-9').exit_code).toBe(2);
  });

  it('asks which option, and runs nothing before one is chosen', () => {
    const project = stopped(inProgress);
    expect(project.ralph('resume').code).toBe(2);
    expect(project.ralph('status').stdout).toContain('until you resolve INC-1');
    expect(project.ralph('run', '--dry-run')).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('Runs are paused until you resolve INC-1'),
    });
    expect(project.json('doctor').findings).toContainEqual(expect.objectContaining({ id: 'state.incident' }));
    expect(project.json('run')).toMatchObject({ exit_code: 8 });
    expect(project.iterations()).toEqual([1]);
    expect(project.json('resume', 'INC-1', '--option', 'never').exit_code).toBe(2);
  });

  it('continues with half the limits, where only files are edited', () => {
    const project = stopped();
    expect(project.json('resume', 'INC-1', '--option', 'resume_with_limits')).toMatchObject({ exit_code: 0 });
    behaves(
      project,
      { action: 'shell', command: 'touch made-by-a-command' },
      { action: 'shell', command: 'git status' },
      { action: 'write', path: 'src/config.ts', content: 'export const key = process.env.KEY;\n' },
      claim('src/config.ts:1 it'),
    );
    expect(project.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    const { facts } = project.iteration(2);
    expect(facts.limits?.fileOperations).toBe(250);
    expect(facts.review?.blocked.map(({ rule, action }) => [rule, action])).toEqual([
      ['restricted', 'Bash touch made-by-a-command'],
    ]);
    expect(project.exists('made-by-a-command')).toBe(false);
    expect(project.json('resume', 'INC-1', '--option', 'abort').exit_code).toBe(2);
  });

  it('goes back to the checkpoint before it, and tries again', () => {
    const project = stopped();
    const result = project.json('resume', 'INC-1', '--option', 'rollback_and_retry');
    expect(result.exit_code).toBe(0);
    expect(result.rollback.task).toBe('T-1');
    expect(existsSync(project.inCopy('src/config.ts'))).toBe(false);
    expect(project.json('diff', 'T-1').patch).toContain('src/config.ts');
    behaves(project, WORK, claim('src/parser.ts:1 it'));
    expect(project.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
  });

  it('has each action wait for the user, and unblock ends that', () => {
    const project = stopped();
    expect(project.json('resume', 'INC-1', '--option', 'manual_intervention').exit_code).toBe(0);
    expect(project.json('unblock', 'T-1').exit_code).toBe(0);
    behaves(project, { action: 'delete', path: 'src/config.ts' }, claim('src/config.ts gone'));
    expect(project.json('run')).toMatchObject({ exit_code: 0 });
  });

  it('gives the task up, and other tasks continue', () => {
    const project = stopped();
    project.write('.ralph/PRD.md', `${project.read('.ralph/PRD.md')}- [ ] **T-2** Write the printer\n`);
    expect(project.json('resume', 'INC-1', '--option', 'abort').exit_code).toBe(0);
    behaves(
      project,
      { action: 'write', path: 'src/printer.ts', content: 'export {};\n' },
      claim('src/printer.ts:1'),
    );
    expect(project.json('run')).toMatchObject({ exit_code: 4, tasks: { done: 1, blocked: 1 } });
  });
});

describe('ralph rollback', () => {
  it('reverts what landed after the checkpoint, opens its task, and leaves what is yours alone', () => {
    const project = makeProject({
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n',
      '.ralph/scenario.json': JSON.stringify({ steps: [{ do: [WORK, claim('src/parser.ts:1 it')] }] }),
    });
    expect(project.json('run')).toMatchObject({ exit_code: 0 });
    project.write('README.md', 'edited by me\n');
    project.git('add', 'README.md');
    project.write('notes.txt', 'mine\n');
    const index = project.git('ls-files', '-s');

    const back = project.json('rollback');
    expect(back).toMatchObject({ exit_code: 0, task: null, reopened: ['T-1'], reverted: [{ task: 'T-1' }] });
    expect(project.git('log', '-1', '--format=%s')).toBe('Revert "Write the parser (T-1)"');
    expect(project.exists('src/parser.ts')).toBe(false);
    expect(project.read('README.md')).toBe('edited by me\n');
    expect(project.read('notes.txt')).toBe('mine\n');
    expect(project.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
    expect(project.git('ls-files', '-s')).toBe(index.replace(/\n?.*parser\.ts$/m, ''));

    expect(project.ralph('rollback').stdout).toContain('Nothing was done since');
    expect(project.ralph('rollback', 'r-1/7').code).toBe(2);
    // The task is done a second time, so its result isn't the one that waited.
    expect(project.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(project.read('src/parser.ts')).toBe('export {};\n');
  });

  it('that was cut off is ended by the next run', async () => {
    const project = makeProject({
      '.ralph/scenario.json': JSON.stringify({ steps: [{ do: [WORK, inProgress] }] }),
    });
    project.json('run', '--max-iterations', '1');
    const { facts } = project.iteration(1);
    const [target] = facts.checkpoints ?? [];
    if (target === undefined) throw new Error('an iteration starts from a checkpoint');
    const opened = await openProject({ cwd: project.root });
    if (!opened.ok) throw new Error(opened.message);
    const { id: checkpoint, tree } = target;
    const side = { worker: 2, worktree: 'side' };
    const rolledBack = { rollback: { checkpoint, tree } };
    const { store } = opened.project;
    store.commit(() => [
      started(2),
      finished(2, rolledBack),
      { ...started(3), ...side },
      { ...finished(3, rolledBack), ...side },
      { ...started(9), ...side },
    ]);
    const run = project.ralph('run', '--max-iterations', '1');
    expect(run.stdout.replace(/\s+/g, ' ')).toContain('was cut off and is finished now');
    expect(project.iteration(10).facts.changes.before.tree).toBe(tree);
    // A run recovers only what its own work tree left open.
    const left = workplaceStateOf(store.refresh(), side);
    expect(left).toMatchObject({ openRollback: { checkpoint, tree }, openIteration: { iteration: 9 } });
  });
});
