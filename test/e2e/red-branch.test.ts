/** @module-tag slow */

import { beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '../helpers/cli.ts';
import { named, OWN_FILE, subjects, workersProject } from '../helpers/workers.ts';

/**
 * Returns a project in which the work of an earlier run passes its gate until the file `late` exists, outside of all
 * trees.
 */
function landed(tasks: number): Project {
  const one = workersProject(named(tasks), { acts: OWN_FILE, workers: 1, together: 1 });
  one.program('check.sh', `test ! -e T-1.txt || test ! -e ${one.path('.git/late')}`);
  expect(one.json('run', '--task', 'T-1')).toMatchObject({ exit_code: 0 });
  return one;
}

const wiggum = (one: Project) => one.events().filter(({ event_type }) => event_type === 'wiggum.break');

describe('a branch that is red since an earlier run landed a task', () => {
  let one: Project;
  beforeEach(() => {
    one = landed(2);
  });

  it('is seen at the start where something was committed since: no agent is paid, the task is reverted, the run ends', () => {
    one.write('.git/late', '');
    one.write('notes.txt', 'mine\n');
    one.git('add', 'notes.txt');
    one.git('commit', '-qm', 'mine');
    const run = one.json('run');
    expect(run).toMatchObject({ ending: 'break', iterations: 0 });
    expect(run.reason).toContain('Your branch was green before T-1 landed, and "test" fails since.');
    expect(subjects(one)).toEqual(['Task 1 (T-1)', 'Revert "Task 1 (T-1)"']);
    expect([one.exists('T-1.txt'), one.exists('notes.txt')]).toEqual([false, true]);
    expect(one.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
    expect(wiggum(one)).toMatchObject([{ details: { trigger: 'red_after_landing', task_id: 'T-1' } }]);
    // The next runs wait for you, and the next attempt at the task is told why.
    expect(one.ralph('run').stderr).toContain('ralph resume');
    expect(one.ralph('resume').code).toBe(0);
    one.remove('.git/late');
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(one.promptOf(2)).toContain('so it was reverted');
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('is seen at the first attempt where nothing was, as how it stands is known', () => {
    one.write('.git/late', '');
    const run = one.json('run');
    expect(run).toMatchObject({ ending: 'break', iterations: 1 });
    expect(run.reason).toContain('before T-1 landed');
    expect(one.iteration(2).facts.redSince).toEqual({ taskId: 'T-1', number: 1 });
    expect(subjects(one)).toEqual(['Task 1 (T-1)', 'Revert "Task 1 (T-1)"']);
    expect(one.ralph('resume').code).toBe(0);
    one.remove('.git/late');
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
  });

  it.each([
    ['by a commit of yours: nothing is reverted', 'test ! -e bad.txt', 'failed'],
    [
      'by chance: its gate counts all the same',
      'test -e .git/seen || { touch .git/seen; test ! -e bad.txt; }',
      'passed',
    ],
  ])('%s', (_what, gate, kind) => {
    one.program('check.sh', gate.replaceAll('.git/', `${one.path('.git')}/`));
    one.write('bad.txt', '');
    one.git('add', 'bad.txt', 'check.sh');
    one.git('commit', '-qm', 'mine');
    const run = one.json('run');
    expect(run).toMatchObject({ ending: 'all_done' });
    expect(subjects(one)).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)']);
    expect(one.iteration(2).facts.baseline?.runs).toMatchObject([{ name: 'test', outcome: { kind } }]);
  });
});
