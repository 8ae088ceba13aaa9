/** @module-tag slow */

import { expect, it } from 'vitest';
import { blocked, claim, makeProject, type Project, scenarioOf, write } from '../helpers/cli.ts';

function project(steps: readonly object[]): Project {
  return makeProject({
    '.ralph/PRD.md':
      '# Plan\n\n## Tasks\n\n- [ ] **T-1** Choose a port\n- [ ] **T-2** Write nothing\n- [ ] **T-3** Choose a name\n',
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_attempts_per_task = 2\n',
    '.ralph/scenario.json': scenarioOf(steps),
  });
}

const STEPS = [
  { when: { task: 'T-1', attempt: 1 }, do: [write('half.txt', 'half\n'), blocked('Which port?')] },
  { when: { task: 'T-1' }, do: [write('port.txt', '8080\n'), claim('port.txt:1 it')] },
  { when: { task: 'T-2' }, do: [claim('README.md:1 it')] },
  { when: { task: 'T-3' }, do: [blocked('Which name?')] },
];

it('what agents ask is listed, oldest first, and an answer continues the task where it was', () => {
  const one = project(STEPS);
  const run = one.json('run');
  expect(run.next).toContain('ralph answer');
  expect(run.unfinished.map(({ id, next }: { id: string; next: string }) => [id, next])).toEqual([
    ['T-1', 'ralph answer T-1 "…"'],
    ['T-2', expect.stringContaining('ralph unblock T-2')],
    ['T-3', 'ralph answer T-3 "…"'],
  ]);
  expect(one.ralph('blocked', '--suggest').stdout).toContain('ralph answer T-1 "…"');
  expect(one.json('answer')).toMatchObject({
    exit_code: 0,
    asked: [
      { task_id: 'T-1', kind: 'question', text: 'Which port?', commands: ['ralph answer T-1 "…"'] },
      { task_id: 'T-3', kind: 'question', text: 'Which name?' },
    ],
  });
  // The command is printed with a placeholder for your words, and a placeholder isn't an answer.
  expect(one.ralph('answer', 'T-1', '…')).toMatchObject({ code: 2 });
  expect(one.ralph('answer', 'T-1').stderr).toContain('Which port?');
  const answered = one.ralph('answer', 'T-1', 'Take', '8080,', 'of course');
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stdout.replace(/\s+/g, ' ')).toContain(
    'your words are in its next prompt. It starts with the next run.',
  );
  const again = one.ralph('answer', 'T-1', '9090');
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('T-1 asks nothing. You are asked:\n  T-3: Which name?');
  const next = one.ralph('run');
  expect(next.stdout).toContain('attempt 2 of 2');
  expect(one.promptOf(5)).toContain('Take 8080, of course');
  expect(one.read('port.txt')).toBe('8080\n');
  expect(one.read('half.txt')).toBe('half\n');
});

it('a task that failed too often gets fresh attempts with your words', () => {
  const one = project([
    {
      when: { task: 'T-2', prompt_includes: 'an empty file' },
      do: [write('nothing', 'x\n'), claim('nothing:1 it')],
    },
    { when: { task: 'T-2' }, do: [claim('README.md:1 it')] },
    { do: [blocked('Which one?')] },
  ]);
  one.ralph('run', '--task', 'T-2');
  expect(one.json('answer').asked).toEqual([]);
  expect(one.json('answer', 'T-2', 'an empty file will do')).toMatchObject({
    exit_code: 0,
    continues: false,
  });
  expect(one.ralph('report').stdout).toContain('2 earlier attempts; it will be tried again.');
  expect(one.ralph('report').stdout).toContain('2 tasks not started');
  expect(one.ralph('run', '--task', 'T-2').stdout).not.toContain('attempt 3');
  expect(one.read('nothing')).toBe('x\n');
  expect(one.ralph('tasks', 'reopen', 'T-2')).toMatchObject({ code: 0 });
  expect(one.ralph('report').stdout).toContain('it will be tried again.');
  expect(one.ralph('report').stdout).toContain('2 tasks not started');
});

it('nothing is asked, and a task that waits at a gate has its own command', () => {
  const one = project([{ do: [blocked('?')] }]);
  const none = one.ralph('answer', 'T-1', 'Yes');
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('T-1 asks nothing.');
  expect(one.ralph('answer').stdout).toContain('You are asked nothing.');
  expect(one.ralph('answer', 'T-9', 'Yes').stderr).toContain('There is no task T-9.');
});

it('a secret in an answer reaches the agent whole, and stands in none of the records', () => {
  // This token is invented; it only has the form of GitHub's, which is what redaction goes by.
  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
  const one = project([
    { when: { prompt_includes: token }, do: [write('port.txt', 'whole\n'), claim('port.txt:1 it')] },
    { do: [blocked('Which token?')] },
  ]);
  one.ralph('run', '--task', 'T-1');
  expect(one.ralph('answer', 'T-1', `Take ${token} for it`)).toMatchObject({ code: 0 });
  one.ralph('run', '--task', 'T-1');
  expect(one.read('port.txt')).toBe('whole\n');
  expect(one.promptOf(2)).toMatch(/Take \S*redacted\S* for it/i);
  const kept = one.git('grep', '--no-index', '-l', '-F', token, '--', '.ralph').split('\n');
  // The scenario holds the token because the test wrote it; no file of ralph does.
  expect(kept.filter((path) => path !== '')).toEqual(['.ralph/scenario.json']);
  expect(one.ralph('replay').code).toBe(0);
});
