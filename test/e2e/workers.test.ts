/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import { waitUntil } from '../helpers/adversaries/token.ts';
import { named, ONE_LINE, OWN_FILE, subjects, workersProject } from '../helpers/workers.ts';

describe('workers', () => {
  it('work at tasks side by side, each in a copy and with variables of its own', () => {
    const one = workersProject(named(3), { acts: OWN_FILE });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    const seen = one
      .read('.git/meet/all.log')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    expect(new Set(seen.map(([, slot]) => slot))).toEqual(new Set(['1', '2', '3']));
    expect(new Set(seen.map(([, , port]) => port))).toEqual(new Set(['20000', '20010', '20020']));
    expect(new Set(seen.map(([, , , compose]) => compose)).size).toBe(3);
    expect(subjects(one)).toHaveLength(3);
    expect(one.git('status', '--porcelain', '--', '*.txt')).toBe('');
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('are one by default, whose gates see what they see outside of ralph', () => {
    const one = workersProject(named(2), { acts: OWN_FILE, workers: 1, together: 1 });
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2 });
    expect(one.read('.git/meet/all.log')).not.toMatch(/\d{5}/);
  });

  it('start what depends on a task once that is verified', () => {
    const tasks = [
      '**T-1** Task 1',
      '**T-2** Task 2\n  - Depends on: T-1',
      '**T-3** Task 3\n  - Depends on: T-2',
    ];
    const acts = `if (id !== 'T-1' && !fs.existsSync('T-' + (Number(id.slice(2)) - 1) + '.txt')) throw new Error('too early'); ${OWN_FILE}`;
    const one = workersProject(tasks, { acts, together: 1 });
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 3 });
    expect(subjects(one)).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)', 'Task 3 (T-3)']);
  });

  it('are kept apart where tasks name the same files', () => {
    const tasks = ['**T-1** Task 1\n  - Files: shared.txt', '**T-2** Task 2\n  - Files: shared.txt'];
    const one = workersProject(tasks, { acts: ONE_LINE, together: 1 });
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2 });
    expect(one.iteration(2).facts.choice.workers).toEqual({ working: [], held: [] });
    expect(one.read('shared.txt')).toBe('start T-1 T-2\n');
  });
});

describe('a run of several workers that was killed', () => {
  it('is continued: each task lands once, with its work', async () => {
    // The agents wait for one more than there are, so that all of them work when ralph ends.
    const one = workersProject(named(3), { acts: OWN_FILE, together: 4 });
    const { child, ended } = one.start('run');
    for (const task of ['T-1', 'T-2', 'T-3']) await one.appears(`.git/meet/${task}`);
    const { current, others } = one.json('status');
    expect([current, ...others].map(({ task_id }) => task_id).toSorted()).toEqual(['T-1', 'T-2', 'T-3']);
    expect(one.ralph('logs', 'T-3').stdout).toContain('running');
    child.kill('SIGKILL');
    await ended;
    const again = one.json('run');
    expect(again).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    expect(subjects(one).toSorted()).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)', 'Task 3 (T-3)']);
  });

  it('lands what was verified just before, whose verdict is on record', async () => {
    const one = workersProject(named(1), { acts: OWN_FILE });
    const { child, ended } = one.start('run');
    const isVerified = () =>
      one.exists('.ralph/journal.jsonl') && one.read('.ralph/journal.jsonl').includes('"iteration_finished"');
    await waitUntil(isVerified, 'the verdict is on record', 120_000);
    child.kill('SIGKILL');
    await ended;
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 0 });
    expect(subjects(one)).toEqual(['Task 1 (T-1)']);
    expect(one.read('T-1.txt')).toBe('T-1\n');
  });
});
