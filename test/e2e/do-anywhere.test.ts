/** @module-tag slow */

import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ANSWER,
  FOREIGN,
  type Foreign,
  type ForeignProject,
  hasHalf,
  isMissing,
  makeForeign,
  settingsOfYours,
  TASKS,
} from '../helpers/do.ts';
import { eventually } from '../helpers/eventually.ts';

beforeAll(settingsOfYours);

/** Starts a task and kills ralph in the middle of the attempt. */
async function killed(one: ForeignProject): Promise<void> {
  const { child, ended } = one.start('do', '--agent', 'scripted', TASKS.slow);
  await eventually(() => expect(hasHalf(one)).toBe(true));
  child.kill('SIGKILL');
  await ended;
}

const isDoneBy = (one: ForeignProject, title: string, { code, test }: Foreign) => {
  expect(one.git('log', '--format=%s')).toBe(`${title} (DO-1)\nstart`);
  expect([one.read(code[0]), one.read(test[0])]).toEqual([code[1], test[1]]);
};

describe.each(Object.entries(FOREIGN))('in a repository of %s', (name, foreign) => {
  it.skipIf(isMissing(foreign))(`an honest task lands (needs ${name})`, () => {
    const one = makeForeign(foreign);
    const before = one.traces();
    const done = one.do(TASKS.honest);
    expect(done).toMatchObject({ exit_code: 0, do: { status: 'done' } });
    expect(done.tree.passing).toHaveLength(1);
    isDoneBy(one, TASKS.honest, foreign);
    expect(one.traces()).toEqual(before);
    expect(one.differences()).toEqual([]);
    expect(one.json('do', '--forget').exit_code).toBe(0);
    expect(existsSync(one.home)).toBe(false);
  });

  it.skipIf(isMissing(foreign))(`a lie doesn't (needs ${name})`, () => {
    const one = makeForeign(foreign);
    const before = one.traces();
    // The gate passes without the work, so only a check of the task's own can see through the lie.
    const lied = one.do(TASKS.liar, '--check', 'test -e fast');
    expect(lied).toMatchObject({ exit_code: 4, do: { status: 'blocked' } });
    expect(one.git('log', '--format=%s')).toBe('start');
    expect(one.traces()).toEqual({ ...before, refs: 'refs/ralph/do/main/checkpoints/kept/1' });
    expect(one.differences()).toEqual([]);
    expect(one.json('do', '--forget')).toMatchObject({ exit_code: 0, work: true });
    expect(one.traces()).toEqual(before);
    expect(existsSync(one.home)).toBe(false);
  });

  it.skipIf(isMissing(foreign))(`a question is answered (needs ${name})`, () => {
    const one = makeForeign(foreign);
    const before = one.traces();
    expect(one.do(TASKS.asks)).toMatchObject({ exit_code: 4, do: { status: 'blocked' } });
    expect(one.traces().refs?.split('\n')).toHaveLength(1);
    expect(one.ralph('answer', 'DO-1', ANSWER).code).toBe(0);
    expect(one.do(TASKS.asks)).toMatchObject({ exit_code: 0, iterations: 1, do: { status: 'done' } });
    isDoneBy(one, TASKS.asks, foreign);
    expect(one.traces()).toEqual({ ...before, files: expect.any(String) });
    expect(one.differences()).toEqual([]);
  });

  it.skipIf(isMissing(foreign))(`what was killed continues (needs ${name})`, async () => {
    const one = makeForeign(foreign);
    const before = one.traces();
    await killed(one);
    expect(one.json('do', TASKS.slow)).toMatchObject({
      ...{ exit_code: 0, iterations: 1 },
      do: { task_id: 'DO-1', status: 'done' },
    });
    isDoneBy(one, TASKS.slow, foreign);
    expect(one.read('NOTES.md')).toBe('half\n');
    expect(one.traces()).toEqual({ ...before, files: expect.any(String) });
    expect(one.differences()).toEqual([]);
    expect(one.json('do', '--forget').exit_code).toBe(0);
    expect(existsSync(one.home)).toBe(false);
  });
});
