import * as fc from 'fast-check';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { heldTasks, tasksWaitingForRunning, type Workpiece } from '../../../src/decide/choice/held-tasks.ts';
import { selectTask } from '../../../src/decide/index.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import type { Task } from '../../../src/domain/task.ts';

const piece = (taskId: string, paths: readonly string[] = [], isAlone = false): Workpiece => ({
  ...{ taskId, paths, isAlone },
});
const NONE: ReadonlySet<string> = new Set();

describe('tasks that may change the same files', () => {
  it.each<[string, string, string, boolean]>([
    ['the same file', 'src/a.ts', 'src/a.ts', true],
    ['two files', 'src/a.ts', 'src/b.ts', false],
    ['a folder, and a file in it', 'src/', 'src/a.ts', true],
    ['a glob, and a file below its folder', 'src/**/*.ts', 'src/deep/a.ts', true],
    ['a glob, and a file elsewhere', 'src/**', 'test/a.ts', false],
    ['two globs of one folder', 'src/*.ts', 'src/*.js', true],
    ['a glob for everything', '**', 'README.md', true],
    ['a name that begins like another one', 'src/a', 'src/ab', false],
    ['a path with a leading dot', './src/a.ts', 'src/a.ts', true],
  ])('%s: %s and %s', (_what, one, other, meet) => {
    for (const [mine, others] of [
      [one, other],
      [other, one],
    ] as const) {
      const held = tasksWaitingForRunning([piece('new', [mine])], [piece('at work', [others])], NONE);
      expect(held.map(({ by }) => by)).toEqual(meet ? ['at work'] : []);
    }
  });

  it('start beside each other where nothing is known, or after a long wait', () => {
    expect(tasksWaitingForRunning([piece('new')], [piece('at work', ['src/'])], NONE)).toEqual([]);
    expect(
      tasksWaitingForRunning([piece('new', ['src/a'])], [piece('at work', ['src/'])], new Set(['new'])),
    ).toEqual([]);
  });

  it('wait for one that has to work alone, and it for them, however long that takes', () => {
    const late = new Set(['new']);
    const alone = [{ id: 'new', by: 'at work', paths: [] }];
    expect(tasksWaitingForRunning([piece('new')], [piece('at work', [], true)], late)).toEqual(alone);
    expect(tasksWaitingForRunning([piece('new', [], true)], [piece('at work')], late)).toEqual(alone);
  });

  it('hold no task up where nothing is at work, nor themselves', () => {
    const pieces = fc.array(
      fc.record({ taskId: fc.string(), paths: fc.array(fc.string()), isAlone: fc.boolean() }),
    );
    fc.assert(
      fc.property(pieces, (all) => {
        expect(tasksWaitingForRunning(all, [], NONE)).toEqual([]);
        const [first] = all;
        if (first === undefined) return;
        const held = tasksWaitingForRunning(all, [first], NONE);
        expect(held.map(({ id }) => id)).not.toContain(first.taskId);
      }),
    );
  });
});

describe('the choice beside tasks at work', () => {
  const tasks: Task[] = ['a', 'b', 'c'].map((id) => ({ ...EMPTY_TASK, id, title: id }));
  const after = { ...EMPTY_TASK, id: 'd', title: 'd', dependsOn: ['a'] };
  const choose = (apart: string[], all = tasks) => {
    const pick = selectTask(all, {}, null, new Set(apart));
    return pick.kind === 'task' ? pick.task.id : pick.kind;
  };
  it.each<[string, string[], Task[], string]>([
    ['takes the next one', ['a'], tasks, 'b'],
    ['waits where all are at work', ['a', 'b', 'c'], tasks, 'at_work'],
    ['waits for what a task depends on', ['a'], [...tasks.slice(0, 1), after], 'at_work'],
    [
      'ends where the rest is done',
      [],
      tasks.map((task) => ({ ...task, status: 'done' as const })),
      'all_done',
    ],
  ])('%s', (_what, apart, all, chosen) => {
    expect(choose(apart, all)).toBe(chosen);
  });

  it('is that of the tasks asked for', () => {
    const pick = selectTask(tasks, {}, ['a', 'b'], new Set(['a', 'b']));
    expect(pick).toEqual({ kind: 'at_work' });
  });
});

describe('a task that waits for files', () => {
  const named = (id: string): Task => ({
    ...EMPTY_TASK,
    id,
    title: id,
    status: 'open',
    expectedPaths: ['a.ts'],
  });
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  it.each([
    ['waits at first', {}, 30, ['B']],
    ['waits nine minutes later', { B: at(0) }, 9, ['B']],
    ['starts after ten minutes', { B: at(0) }, 10, []],
  ])('%s', (_when, keptApart, minute, held) => {
    const state = { ...EMPTY_STATE, keptApart };
    const now = heldTasks(['A'], [named('A'), named('B')], state, at(minute));
    expect(now.map(({ id }) => id)).toEqual(held);
  });
});
