/** @module-tag rest */

import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ANSWER, FOREIGN, makeForeign, settingsOfYours, TASKS } from '../helpers/do.ts';

beforeAll(settingsOfYours);

const { Node } = FOREIGN;

describe('one task in a repository that has never seen ralph', () => {
  it('is done, lands, and leaves the commit alone', () => {
    const one = makeForeign(Node);
    const before = one.traces();
    const done = one.do(TASKS.honest);
    expect(done).toMatchObject({
      ...{ cmd: 'do', exit_code: 0, ending: 'all_done', iterations: 1 },
      do: { task_id: 'DO-1', title: TASKS.honest, status: 'done' },
      tree: { passing: ['test'] },
    });
    expect(one.git('log', '--format=%s')).toBe(`${TASKS.honest} (DO-1)\nstart`);
    expect(one.read('pager.js')).toBe(Node.code[1]);
    expect(one.traces()).toEqual(before);
    expect(one.differences()).toEqual([]);
    // Commands that look back find the task, too.
    expect(one.json('status')).toMatchObject({ exit_code: 0, tasks: { total: 1, done: 1 } });
    expect(one.json('report').done_in_run).toMatchObject([{ id: 'DO-1' }]);
    expect(one.json('replay')).toMatchObject({ exit_code: 0, differences: 0 });
    expect(one.json('logs', 'DO-1').exit_code).toBe(0);
    expect(one.ralph('diff', 'DO-1').stdout).toContain('Math.ceil');
    expect(one.ralph('explain', 'DO-1').code).toBe(0);
    expect(existsSync(one.home)).toBe(true);
    expect(one.json('do', '--forget')).toMatchObject({ exit_code: 0, forgotten: { id: 'DO-1' } });
    expect(existsSync(one.home)).toBe(false);
    expect(one.exists('.git/ralph')).toBe(false);
    expect(one.traces()).toEqual(before);
  });

  it("isn't done by words: the work stays as one ref, until it is taken and forgotten", () => {
    const one = makeForeign(Node);
    const before = one.traces();
    const lied = one.do(TASKS.liar, '--check', 'node -e "process.exit(1)"');
    expect(lied).toMatchObject({ exit_code: 4, do: { task_id: 'DO-1', status: 'blocked' } });
    expect(JSON.stringify(lied.unfinished)).toContain('ralph take DO-1');
    expect(one.git('log', '--format=%s')).toBe('start');
    expect(one.traces()).toEqual({ ...before, refs: 'refs/ralph/do/main/checkpoints/kept/1' });
    expect(one.differences()).toEqual([]);
    // No other task starts before this task has its decision.
    expect(one.do(TASKS.honest)).toMatchObject({ exit_code: 2, error: { next: 'ralph do --forget' } });
    // The task is in no list, in which it could be marked.
    expect(one.json('take', 'DO-1')).toMatchObject({ exit_code: 0, next: ['ralph verify --dirty'] });
    expect(one.read('NOTES.md')).toBe('half\n');
    one.remove('NOTES.md');
    expect(one.json('do', '--forget')).toMatchObject({ exit_code: 0, work: true });
    expect(one.traces()).toEqual(before);
    expect(existsSync(one.home)).toBe(false);
  });

  it("isn't begun where none of the checks that were found can run, unless you give one", () => {
    const tox = {
      ...Node,
      files: { ...Node.files, 'package.json': '{}\n', 'tox.ini': '[tox]\nenv_list = py\n' },
    };
    const one = makeForeign(tox);
    const before = one.traces();
    const refused = one.do(TASKS.honest);
    expect(refused).toMatchObject({
      exit_code: 2,
      error: {
        message: expect.stringContaining('None of the checks found here can run'),
        next: expect.stringContaining("--check 'COMMAND'"),
      },
    });
    expect(one.traces()).toEqual(before);
    expect(existsSync(one.home)).toBe(false);
    const done = one.do(TASKS.honest, '--check', 'grep -q ceil pager.js');
    expect(done).toMatchObject({ exit_code: 0, do: { status: 'done' } });
    expect(one.json('do', '--forget').exit_code).toBe(0);
  });

  it('asks, is answered, and continues', () => {
    const one = makeForeign(Node);
    const before = one.traces();
    const asked = one.do(TASKS.asks);
    expect(asked).toMatchObject({ exit_code: 4, next: ['ralph answer DO-1 "…"'] });
    expect(one.json('answer')).toMatchObject({
      asked: [{ task_id: 'DO-1', text: 'What are pages called?' }],
    });
    // Without an answer `ralph do` asks again, and makes no attempt.
    expect(one.json('do')).toMatchObject({ exit_code: 4, iterations: 0 });
    const answered = one.ralph('answer', 'DO-1', ANSWER);
    expect(answered).toMatchObject({ code: 0 });
    expect(answered.stdout).toContain('Next: ralph do');
    expect(one.json('do')).toMatchObject({ exit_code: 0, iterations: 1, do: { status: 'done' } });
    expect(one.read('NOTES.md')).toBe('half\n');
    expect(one.git('log', '--format=%s')).toBe(`${TASKS.asks} (DO-1)\nstart`);
    expect(one.traces()).toEqual({ ...before, files: expect.stringContaining('NOTES.md') });
    expect(one.differences()).toEqual([]);
  });
});
