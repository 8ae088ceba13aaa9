import { ReviewSettings } from 'ralph-actions/forms/settings';
import { checkDependencies } from 'ralph-task-lists';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { checkNames } from '../../../src/app/setup/tracker/check-names.ts';
import {
  explainTasks,
  type MarkRules,
  markRules,
  overlayStatus,
  selectTask,
} from '../../../src/decide/index.ts';
import {
  type BlockedRecord,
  EMPTY_STATE,
  EMPTY_TASK_STATE,
  type TaskState,
  workplaceStateOf,
} from '../../../src/domain/records/state.ts';
import type { Task, TaskStatus } from '../../../src/domain/task.ts';
import { attemptSummary } from '../../helpers/facts.ts';

const task = (id: string, fields: Partial<Task> = {}): Task => ({
  ...EMPTY_TASK,
  id,
  title: `title of ${id}`,
  ...fields,
});
const state = (fields: Partial<TaskState>): TaskState => ({ ...EMPTY_TASK_STATE, ...fields });
const blocked: BlockedRecord = {
  reason: 'timeout',
  detail: '3 attempts ran out of time',
  at: '2026-01-01T00:00:00.000Z',
  run: 'r-1',
  iteration: 3,
  attempts: [],
  outputTail: '',
  failedGateTail: '',
};

describe('a task with a problem', () => {
  const bad = task('bad', { priority: 1, problem: 'timeout: expected seconds' });
  it.each([
    ['the others continue', [bad, task('good')], { kind: 'task', task: { id: 'good' } }],
    ['what waits for it does not', [bad, task('good', { dependsOn: ['bad'] })], { faulty: ['bad'] }],
    ['it alone needs you', [bad], { kind: 'awaiting_human', faulty: ['bad'] }],
    ["it doesn't matter once it is done", [{ ...bad, status: 'done' as const }], { kind: 'all_done' }],
  ])('%s', (_, tasks, pick) => {
    expect(selectTask(tasks, {}, null)).toMatchObject(pick);
  });

  it('says what is wrong with it', () => {
    expect(explainTasks([bad, task('good')], {}, null).others[0]?.why).toContain('timeout: expected');
    expect(selectTask([bad], {}, ['bad'])).toMatchObject({ kind: 'not_selectable' });
  });
});

describe('names that the configuration gives', () => {
  const { risk } = ReviewSettings.parse({});
  const rules = [{ name: 'warn_external_network' }, { name: 'protected_write', fixed: true }];
  const names = { levels: ['simple', 'ui_heavy'], gates: ['test', 'lint'], rules, risk };
  it.each([
    [{ complexity: 'UI-heavy', gates: ['lint'] }, []],
    [{ complexity: 'simpel' }, ['complexity: there is no level "simpel". Did you mean simple?']],
    [{ gates: ['tset'] }, ['gates: there is no gate "tset". Did you mean test?']],
    [{ gates: ['deploy'] }, ['gates: there is no gate "deploy"; there are test, lint']],
    [{ review: 'essential, allow network, allow warn_external_network, high_threshold 0.9' }, []],
    [{ review: 'allow netwrk' }, ['review: there is no rule "netwrk". Did you mean network?']],
    [
      { review: 'allow everything' },
      ['review: there is no rule "everything"; docs/REVIEW_RULES.md has their names'],
    ],
    [{ review: 'allow protected_write' }, ['review: protected_write is always on']],
    [{ review: 'medium_threshold 0.9' }, ['review: medium_threshold (0.9) is above high_threshold (0.8)']],
  ])('%j', (fields, messages) => {
    const problems = checkNames([task('a', fields)], names, (id, field) => (id === 'a' && field ? 7 : null));
    expect(problems).toEqual(messages.map((message) => ({ line: 7, message, tasks: ['a'] })));
  });
});

describe('selectTask', () => {
  it.each<[string, Task[], Record<string, TaskState>, string, string]>([
    ['file order', [task('a'), task('b')], {}, 'a', 'first in the file of 2 ready tasks'],
    [
      'priority over file order, none last',
      [task('a'), task('b', { priority: 2 }), task('c', { priority: 1 })],
      {},
      'c',
      'highest priority (1) of 3 ready tasks',
    ],
    [
      'file order among equal priorities',
      [task('a', { priority: 2 }), task('b', { priority: 1 }), task('c', { priority: 1 })],
      {},
      'b',
      'highest priority (1) of 3 ready tasks, first in the file of 2 with that priority',
    ],
    [
      'an unfinished attempt of the state first',
      [task('a', { priority: 1 }), task('b')],
      { b: state({ inProgress: true }) },
      'b',
      'its last attempt is unfinished',
    ],
    [
      'others first once it had its attempts',
      [task('a', { status: 'in_progress' }), task('b'), task('c', { dependsOn: ['b'] })],
      { a: state({ inProgress: true, attempts: Array.from({ length: 5 }, () => attemptSummary({})) }) },
      'b',
      'first in the file of 2 ready tasks',
    ],
    [
      'an unfinished attempt of the tracker first',
      [task('a', { priority: 1 }), task('b', { status: 'in_progress' })],
      {},
      'b',
      'its last attempt is unfinished',
    ],
    [
      'never what waits, however urgent',
      [task('a', { priority: 1, dependsOn: ['b'], status: 'in_progress' }), task('b')],
      {},
      'b',
      'the only ready task',
    ],
    [
      'what waits only for done tasks',
      [task('a', { dependsOn: ['b'] }), task('b', { status: 'done' })],
      {},
      'a',
      'the only ready task',
    ],
  ])('%s', (_, tasks, states, id, why) => {
    expect(selectTask(tasks, states, null)).toMatchObject({ kind: 'task', task: { id }, why });
  });

  it.each<[string, Task[], string]>([
    ['no tasks', [], 'empty'],
    ['all done', [task('a', { status: 'done' })], 'all_done'],
    ['blocked ones left', [task('a', { status: 'done' }), task('b', { status: 'blocked' })], 'all_blocked'],
    [
      'waiting for a blocked one',
      [task('a', { dependsOn: ['b'] }), task('b', { status: 'blocked' })],
      'all_blocked',
    ],
    [
      'waiting for each other',
      [task('a', { dependsOn: ['b'] }), task('b', { dependsOn: ['a'] })],
      'all_blocked',
    ],
    [
      'waiting ones left',
      [task('a', { status: 'parked' }), task('b', { dependsOn: ['a'] })],
      'awaiting_human',
    ],
    [
      'ticked and not verified ones left',
      [task('a', { status: 'unverified' }), task('b', { dependsOn: ['a'] }), task('c', { status: 'done' })],
      'awaiting_human',
    ],
    [
      'waiting and blocked ones left',
      [task('a', { status: 'parked' }), task('b', { status: 'blocked' })],
      'awaiting_human',
    ],
  ])('%s: %s', (_, tasks, kind) => {
    expect(selectTask(tasks, {}, null).kind).toBe(kind);
  });

  const some = [task('E1-01', { status: 'done' }), task('E1-02'), task('E1-03', { dependsOn: ['E1-02'] })];
  it.each([
    ['E1-02', 'E1-02'],
    ['e1-02', 'E1-02'],
    ['2', 'E1-02'],
  ])('takes the task that is asked for as %s', (only, id) => {
    expect(selectTask(some, {}, [only])).toMatchObject({
      kind: 'task',
      task: { id },
      why: 'asked for',
    });
  });

  it.each([
    ['E1-01', 'done'],
    ['E1-03', 'waiting for E1-02 (open)'],
  ])('says why %s cannot be taken', (only, why) => {
    expect(selectTask(some, {}, [only])).toMatchObject({
      kind: 'not_selectable',
      tasks: [{ task: { id: only }, why }],
    });
  });

  it('answers an unknown id with the nearest', () => {
    expect(selectTask(some, {}, ['E1-O2'])).toMatchObject({ kind: 'unknown_task', nearest: 'E1-02' });
    expect(selectTask([], {}, ['x'])).toEqual({ kind: 'unknown_task', id: 'x', nearest: null, known: [] });
  });

  it('is not confused by names of built-in properties', () => {
    expect(selectTask([task('constructor'), task('__proto__')], {}, null)).toMatchObject({
      task: { id: 'constructor' },
    });
  });
});

describe('explainTasks', () => {
  it('says why each task that cannot be started is not started', () => {
    const tasks = [
      task('a', { status: 'blocked' }),
      task('b', { dependsOn: ['a', 'x'] }),
      task('c', { status: 'parked' }),
      task('d', { status: 'done' }),
      task('e', { status: 'blocked' }),
      task('f'),
    ];
    expect(explainTasks(tasks, { a: state({ blocked }) }, null)).toMatchObject({
      pick: { task: { id: 'f' } },
      others: [
        { id: 'a', why: 'blocked: 3 attempts ran out of time' },
        { id: 'b', why: 'waiting for a (blocked), x (no such task)' },
        { id: 'c', why: 'waiting for your decision' },
        { id: 'd', why: 'done' },
        { id: 'e', why: 'blocked in the tracker' },
      ],
    });
  });

  it('says so of the remaining ones, too', () => {
    const tasks = [task('a', { dependsOn: ['b'] }), task('b', { status: 'blocked' })];
    expect(explainTasks(tasks, {}, null)).toEqual({
      pick: { kind: 'all_blocked' },
      others: [
        { id: 'a', why: 'waiting for b (blocked)' },
        { id: 'b', why: 'blocked in the tracker' },
      ],
    });
  });

  it('has a reason for every task but the picked one', () => {
    const tasks = [
      task('a', { status: 'done' }),
      task('b', { priority: 2 }),
      task('c', { priority: 1 }),
      task('d', { priority: 1 }),
      task('e'),
      task('f', { dependsOn: ['c'] }),
    ];
    const { pick, others } = explainTasks(tasks, {}, null);
    expect(pick).toMatchObject({ task: { id: 'c' } });
    expect(others).toEqual([
      { id: 'a', why: 'done' },
      { id: 'b', why: 'ready, but c has priority 1, this one has priority 2' },
      { id: 'd', why: 'ready, but it comes after c in the file' },
      { id: 'e', why: 'ready, but c has priority 1, this one has no priority' },
      { id: 'f', why: 'waiting for c (open)' },
    ]);
  });

  it('counts no attempt that an outage or you ended', () => {
    const attempts = (['outage', 'interrupted', 'conflict', 'rate_limited', 'progress'] as const).map(
      (verdict) => attemptSummary({ verdict }),
    );
    const pick = selectTask([task('b'), task('a')], { a: state({ inProgress: true, attempts }) }, null);
    expect(pick).toMatchObject({ task: { id: 'a' }, why: 'its last attempt is unfinished' });
  });

  it('says of one that had its attempts that others go first', () => {
    const tired = state({ inProgress: true, attempts: Array.from({ length: 5 }, () => attemptSummary({})) });
    const { others } = explainTasks([task('a'), task('b')], { a: tired }, null);
    expect(others).toEqual([{ id: 'a', why: 'ready, but after 5 attempts others go first' }]);
  });

  it.each<[string, Partial<Task>, Parameters<typeof explainTasks>[1], string, string]>([
    [
      'what is assigned and in progress',
      { status: 'in_progress', assignee: 'ada' },
      {},
      'b',
      'others go first, as ada is at it',
    ],
    [
      'what is in progress, but not assigned',
      { status: 'in_progress' },
      {},
      'a',
      'a has an unfinished attempt',
    ],
    [
      'what ralph has in progress',
      { status: 'in_progress', assignee: 'ada' },
      { a: state({ inProgress: true }) },
      'a',
      'a has an unfinished attempt',
    ],
    ['what is only assigned', { assignee: 'ada' }, {}, 'a', 'it comes after a in the file'],
  ])('%s', (_, fields, states, first, why) => {
    const { pick, others } = explainTasks([task('a', fields), task('b')], states, null);
    expect(pick).toMatchObject({ kind: 'task', task: { id: first } });
    expect(others[0]?.why).toBe(`ready, but ${why}`);
  });

  it('names the unfinished attempt, or the task asked for', () => {
    const tasks = [task('a', { priority: 1 }), task('b', { status: 'in_progress' })];
    expect(explainTasks(tasks, {}, null).others).toEqual([
      { id: 'a', why: 'ready, but b has an unfinished attempt' },
    ]);
    expect(explainTasks(tasks, {}, 'a').others).toEqual([
      { id: 'b', why: 'ready, but not the one asked for' },
    ]);
  });
});

describe('overlayStatus', () => {
  it.each<[TaskStatus, Partial<TaskState> | null, boolean, TaskStatus]>([
    ['open', null, true, 'open'],
    ['open', { blocked }, false, 'blocked'],
    ['open', { blocked }, true, 'open'],
    ['blocked', { blocked }, true, 'blocked'],
    ['blocked', {}, true, 'blocked'],
    ['blocked', { staleMark: 'blocked' }, true, 'open'],
    ['blocked', { staleMark: 'blocked', inProgress: true }, true, 'in_progress'],
    ['blocked', { staleMark: 'blocked', blocked }, true, 'blocked'],
    ['in_progress', { staleMark: 'blocked' }, true, 'in_progress'],
    ['done', { blocked, parked: true }, false, 'unverified'],
    ['open', { parked: true }, true, 'parked'],
    ['blocked', { parked: true }, true, 'parked'],
    ['open', { inProgress: true }, false, 'in_progress'],
    ['open', { inProgress: true, blocked }, false, 'blocked'],
    ['in_progress', {}, false, 'in_progress'],
  ])('tracker %s, state %j, holds blocked %s: %s', (status, fields, holds, expected) => {
    const rules = { holdsBlocked: holds, imports: false, reopens: true, takenBack: new Set<string>() };
    const known = fields === null ? undefined : state(fields);
    expect(overlayStatus(task('a', { status }), known, rules)).toBe(expected);
  });

  const doneBy = { kind: 'you', title: 'title of a', at: '' } as const;
  const no = { imports: false, reopens: false, takenBack: new Set<string>() };
  const back = { reopens: true, takenBack: new Set(['a']) };
  it.each<[string, TaskStatus, Partial<TaskState> | null, Partial<MarkRules>, TaskStatus]>([
    ['a mark that a verdict explains', 'done', { doneBy }, no, 'done'],
    ['a mark that nothing explains', 'done', null, no, 'unverified'],
    ['a mark of a task that failed', 'done', { blocked }, no, 'unverified'],
    ['a mark of a task that is worked on', 'done', { inProgress: true }, no, 'unverified'],
    ['a mark before the first run', 'done', null, { imports: true }, 'done'],
    [
      'a mark of another task of that id',
      'done',
      { doneBy: { ...doneBy, title: 'other' } },
      no,
      'unverified',
    ],
    ['a title in other letters', 'done', { doneBy: { ...doneBy, title: 'Title of: a.' } }, no, 'done'],
    ['a mark of a reopened task', 'done', { staleMark: 'done' }, no, 'open'],
    [
      'a mark of a reopened task that is worked on',
      'done',
      { staleMark: 'done', inProgress: true },
      no,
      'in_progress',
    ],
    ['a mark that was not written yet', 'open', { doneBy }, no, 'done'],
    ['a mark that you removed', 'open', { doneBy }, { reopens: true }, 'open'],
    ['a mark that went back to what HEAD has', 'open', { doneBy }, back, 'done'],
    ['a block that went back to what HEAD has', 'open', { blocked }, back, 'blocked'],
    ['a block that was not written yet', 'open', { blocked }, no, 'blocked'],
    ['a block that you wrote over a mark', 'blocked', { doneBy }, { reopens: true }, 'blocked'],
    ['another task of that id', 'open', { doneBy: { ...doneBy, title: 'other' } }, no, 'open'],
  ])('%s', (_name, status, fields, rules, expected) => {
    const known = fields === null ? undefined : state(fields);
    const all = { holdsBlocked: true, ...no, ...rules };
    expect(overlayStatus(task('a', { status }), known, all)).toBe(expected);
  });
});

describe('markRules', () => {
  const tracker = { holdsBlocked: true, holdsDone: true, paths: ['/r/PRD.md'], sha256: 'now', takenBack: [] };
  const open = {
    ...workplaceStateOf(EMPTY_STATE, { worker: 1, worktree: 'main' }),
    openIteration: {} as never,
  };
  it.each([
    ['a file as ralph wrote it', {}, { trackerSha256: 'now' }, false],
    ['a file that you changed', {}, { trackerSha256: 'before' }, true],
    [
      'a file that changed while an attempt is open',
      {},
      { trackerSha256: 'before', workplaces: [open] },
      false,
    ],
    ['issues that are closed when done', { paths: [] }, {}, true],
    ['issues that stay open', { paths: [], holdsDone: false }, {}, false],
  ])('%s', (_name, tracked, known, reopens) => {
    expect(markRules({ ...tracker, ...tracked }, { ...EMPTY_STATE, ...known }).reopens).toBe(reopens);
  });
});

describe('checkDependencies', () => {
  const messages = (tasks: Task[]) => checkDependencies(tasks).map((problem) => problem.message);

  it.each<[string, Task[], string[]]>([
    ['none', [task('a'), task('b', { dependsOn: ['a'] })], []],
    ['a diamond', [task('a'), task('b', { dependsOn: ['a'] }), task('c', { dependsOn: ['a', 'b'] })], []],
    [
      'an unknown one',
      [task('E1-01'), task('b', { dependsOn: ['E1-1'] })],
      ["b depends on E1-1, which isn't a task here: did you mean E1-01?"],
    ],
    [
      'an unknown one that is nearest to its own',
      [task('A-4', { dependsOn: ['A-44'] })],
      ["A-4 depends on A-44, which isn't a task here: `ralph tasks` lists the known ids"],
    ],
    [
      'itself',
      [task('a', { dependsOn: ['a'] })],
      ['these tasks wait for each other: a → a; remove one of the dependencies'],
    ],
    [
      'a cycle behind a tail',
      [
        task('x', { dependsOn: ['a'] }),
        task('a', { dependsOn: ['b'] }),
        task('b', { dependsOn: ['c'] }),
        task('c', { dependsOn: ['a'] }),
      ],
      ['these tasks wait for each other: a → b → c → a; remove one of the dependencies'],
    ],
    ['of a done task', [task('a', { status: 'done', dependsOn: ['gone', 'a'] })], []],
  ])('%s', (_, tasks, expected) => {
    expect(messages(tasks)).toEqual(expected);
  });

  it('follows a chain of any length', () => {
    const chain = Array.from({ length: 20_000 }, (_, n) =>
      task(`t${n}`, { dependsOn: n === 0 ? [] : [`t${n - 1}`] }),
    );
    expect(messages(chain.reverse())).toEqual([]);
  });
});
