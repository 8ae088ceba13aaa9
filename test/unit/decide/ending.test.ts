import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { chooseNext } from '../../../src/decide/choice/choose-next.ts';
import { NO_TASK_DECISIONS } from '../../../src/domain/human/state.ts';
import type { AgentAvailability, ChoiceFacts } from '../../../src/domain/records/choice.ts';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import type { Task, TaskStatus } from '../../../src/domain/task.ts';
import { outlookOf } from '../../../src/tell/outlook.ts';
import { NO_CHOICE } from '../../helpers/facts.ts';

const task = (id: string, status: TaskStatus, ...dependsOn: string[]): Task => ({
  ...{ ...EMPTY_TASK, id, title: id, status, dependsOn },
});
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
const OPEN = [task('A', 'done'), task('B', 'open')];
const READY: AgentAvailability = { name: 'a', suspended: null, unavailable: null };
const limited = (minutes: number): AgentAvailability => ({
  ...READY,
  unavailable: {
    ...{ kind: 'rate_limited', message: 'full', since: at(0), tries: 1, resetKnown: true },
    until: at(minutes),
  },
});
const until = (runUntil: number, agent = READY, maxWaitSeconds = 0) => ({
  availability: { agents: [agent], now: at(10), maxWaitSeconds, runUntil: at(runUntil) },
});
const asked = (stop: ChoiceFacts['control']['stop'], pausedAt: string | null = null) => ({
  control: { stop, pausedAt, stoppedWorkers: [] },
});
const [STOP, NOW, PAUSED] = [asked('after_attempt'), asked('now'), asked(null, at(1))];

const AT_A = { working: ['A'], held: [] };
const APART = { working: ['A'], held: [{ id: 'B', by: 'A', paths: ['a.ts'] }] };

function choose(tasks: readonly Task[], more: Partial<ChoiceFacts>): string {
  const next = chooseNext({ ...NO_CHOICE, ...more }, { tasks, states: {} });
  if (next.kind !== 'end') return next.kind === 'task' ? `task ${next.task.id}` : next.kind;
  return `${next.ending.exitCode} ${next.ending.kind}: ${next.ending.reason}`;
}

describe('while others are at work', () => {
  const busy = (minutes: number, maxWaitSeconds = 3600) => ({
    availability: { agents: [limited(minutes)], now: at(10), maxWaitSeconds, runUntil: null },
    workers: { working: ['C'], held: [] },
  });
  const tasks = [...OPEN, task('C', 'in_progress')];

  it.each<[string, Partial<ChoiceFacts>, unknown]>([
    ['an agent is waited for as well', busy(20), { kind: 'busy', agent: { wait: { until: at(20) } } }],
    ['but not for longer than allowed', busy(20, 60), { kind: 'busy', agent: null }],
    ['it works again as soon as it can', busy(10), { kind: 'task', task: { id: 'B' } }],
  ])('%s', (_what, more, expected) => {
    expect(chooseNext({ ...NO_CHOICE, ...more }, { tasks, states: {} })).toMatchObject(expected as object);
  });

  it('a task that you gave to an agent goes to that one once its limit is over', () => {
    const states = { B: { ...EMPTY_TASK_STATE, decisions: { ...NO_TASK_DECISIONS, agent: 'a' } } };
    const other = { ...READY, name: 'other' };
    const agentOf = (minutes: number) => {
      const availability = {
        agents: [other, limited(minutes)],
        now: at(10),
        maxWaitSeconds: 0,
        runUntil: null,
      };
      const next = chooseNext({ ...NO_CHOICE, availability }, { tasks: OPEN, states });
      return next.kind === 'task' ? next.agent : next.kind;
    };
    expect([agentOf(20), agentOf(10)]).toEqual(['other', 'a']);
  });
});

describe('what you ask of a run', () => {
  it.each<[string, readonly Task[], Partial<ChoiceFacts>, string]>([
    ['a stop with work left', OPEN, STOP, '3 stopped: Stopped by you (ralph stop).'],
    ['a stop when all is done', [task('A', 'done')], STOP, '0 all_done: All tasks are done.'],
    ['a stop when the rest is blocked', [task('A', 'blocked')], STOP, '3 stopped: '],
    ['a stop while paused', OPEN, asked('after_attempt', at(1)), '3 stopped: '],
    ['a stop and Ctrl-C', OPEN, { ...STOP, signal: 'SIGINT' }, '130 interrupted: Stopped by Ctrl-C.'],
    ['stop --now', OPEN, { ...NOW, signal: 'SIGINT' }, '130 interrupted: Stopped by you (ralph stop --now).'],
    ['a stop --now whose signal comes yet', OPEN, NOW, 'task B'],
    ['an incident and a stop', OPEN, { ...STOP, incident: 'INC-1' }, '8 emergency_stop: '],
    ['a pause', OPEN, PAUSED, 'paused'],
    ['a pause with a limit', OPEN, { ...PAUSED, ...until(60, limited(20), 3600) }, 'paused'],
    ['a pause when all is done', [task('A', 'done')], PAUSED, '0 all_done: '],
    ['a pause and Ctrl-C', OPEN, { ...PAUSED, signal: 'SIGTERM' }, '143 interrupted: '],
    ['all workers stopped', OPEN, { freeWorkers: 0 }, '3 stopped: Stopped: you stopped all workers'],
    ['all workers stopped when all is done', [task('A', 'done')], { freeWorkers: 0 }, '0 all_done: '],
    ['the others stopped, one at work', OPEN, { freeWorkers: 0, workers: AT_A }, 'busy'],
    ['a task put first', [...OPEN, task('C', 'in_progress')], { first: ['B'] }, 'task B'],
    ['two put first', [...OPEN, task('C', 'open')], { first: ['C', 'B'] }, 'task C'],
    ['one put first that waits', [...OPEN, task('C', 'open', 'B')], { first: ['C'] }, 'task B'],
    ['one that is kept apart', [...OPEN, task('C', 'open')], { first: ['B'], workers: APART }, 'task C'],
    [
      'what builds on a result that lands yet',
      [...OPEN, task('C', 'open', 'A')],
      { workers: AT_A },
      'task B',
    ],
    ['nothing but that', [task('A', 'done'), task('C', 'open', 'A')], { workers: AT_A }, 'busy'],
    ['results that wait', [task('A', 'done')], { results: ['A'] }, '5 awaiting_human: '],
    ['results that wait, and work left', OPEN, { results: ['A'] }, 'task B'],
    [
      'results that wait, and what is blocked',
      [task('A', 'done'), task('B', 'blocked')],
      { results: ['A'] },
      '4 all_blocked: ',
    ],
    ['a pause and --until', OPEN, { ...PAUSED, ...until(10) }, '3 until_reached: '],
  ])('%s', (_what, tasks, more, expected) => {
    expect(choose(tasks, more)).toContain(expected);
  });

  it.each<[string, readonly Task[], Partial<ChoiceFacts>, string]>([
    ['before that time', OPEN, until(11), 'task B'],
    ['at that time', OPEN, until(10), `3 until_reached: Stopped at ${at(10)}, as you asked (--until).`],
    ['after that time, all is done', [task('A', 'done')], until(5), '0 all_done'],
    ['after that time, all is blocked', [task('A', 'blocked')], until(5), '4 all_blocked'],
    ['a limit that ends before', OPEN, until(60, limited(20), 3600), 'wait'],
    [
      'a limit that ends then',
      OPEN,
      until(20, limited(20), 3600),
      `3 until_reached: Stopped: nothing can be done before ${at(20)}, when you asked to stop (--until). a: usage limit`,
    ],
    ['a limit beyond max_wait, too', OPEN, until(60, limited(90), 60), '3 until_reached: '],
    ['a limit beyond max_wait alone', OPEN, until(90, limited(60), 60), '9 agent_unavailable: '],
  ])('--until: %s', (_what, tasks, more, expected) => {
    expect(choose(tasks, more)).toContain(expected);
  });

  const LIST = [
    task('A', 'done'),
    task('B', 'done'),
    task('C', 'open'),
    task('D', 'open', 'C'),
    task('E', 'blocked'),
  ];
  it.each<[string[], string]>([
    [['A'], '0 selected_done: A is done; 3 other tasks are not done.'],
    [['B', 'A'], '0 selected_done: A and B are done; 3 other tasks are not done.'],
    [['A', 'C'], 'task C'],
    [['D', 'C'], 'task C'],
    [['D', 'A'], '4 all_blocked: A is done. D is waiting for C (open).'],
    [['E,A'], '4 all_blocked: A is done. E is blocked in the tracker.'],
    [['A', 'X'], '2 error: There is no task X.'],
  ])('--task %j', (only, expected) => {
    expect(choose(LIST, { only })).toContain(expected);
  });

  it('says that all is done only where it is', () => {
    const done = [task('A', 'done'), task('B', 'done')];
    expect(choose(done, { only: ['A'] })).toBe('0 all_done: A is done. All tasks are done.');
    const open = [task('A', 'done'), task('B', 'open')];
    expect(choose(open, { only: ['A'] })).toBe('0 selected_done: A is done; 1 other task is open.');
  });
});

describe('the outlook', () => {
  const LIST = [
    task('A', 'done'),
    task('B', 'open'),
    task('C', 'open', 'B'),
    task('D', 'blocked'),
    task('E', 'open', 'D'),
    task('F', 'parked'),
  ];
  const level = (attempts: number, done: number, durationsMs: number[]) => ({
    levels: { medium: { attempts, done, durationsMs } },
  });
  const base = {
    ...{ tasks: LIST, scope: null, begun: new Map<string, number>(), taskId: 'B', iterationsLeft: 50 },
    ...{ maxAttempts: 3, profile: null },
  };

  it.each<[string, Partial<Parameters<typeof outlookOf>[0]>, string]>([
    ['counts what can be worked on', {}, '1/2'],
    ['counts no more than the iterations allow', { iterationsLeft: 1 }, '1/1'],
    ['stays within the tasks asked for', { scope: new Set(['B']) }, '1/1'],
    ['keeps the place of a task that comes again', { begun: new Map([['B', 5]]) }, '1/2'],
    [
      'counts tasks that are over',
      {
        begun: new Map([
          ['A', 5],
          ['D', 5],
        ]),
      },
      '3/4',
    ],
    [
      'never says more than there are',
      {
        begun: new Map([
          ['B', 5],
          ['C', 5],
        ]),
        iterationsLeft: 1,
      },
      '1/2',
    ],
  ])('%s', (_what, more, expected) => {
    const { place } = outlookOf({ ...base, ...more });
    expect(`${place.number}/${place.of}`).toBe(expected);
  });

  const over = new Map([
    ['A', 60],
    ['D', 120],
    ['F', 180],
  ]);
  it.each<[string, Partial<Parameters<typeof outlookOf>[0]>, number | null]>([
    ['nothing is known', {}, null],
    [
      'two tasks are over',
      {
        begun: new Map([
          ['A', 60],
          ['D', 120],
        ]),
      },
      null,
    ],
    ['three tasks are over', { begun: over }, 240],
    ['… and time went into this one', { begun: new Map([...over, ['B', 50]]) }, 190],
    ['… and more than a task takes', { begun: new Map([...over, ['B', 500]]) }, 120],
    ['four attempts are on record', { profile: level(4, 3, [10, 10, 10, 10]) }, null],
    ['two of them got their task done', { profile: level(5, 2, [10, 10, 10, 10, 10]) }, null],
    ['five attempts, three done', { profile: level(6, 3, [10, 10, 10, 10, 10]) }, 40],
    ['no task takes more attempts than it may', { profile: level(30, 3, [10, 10, 10, 10, 10]) }, 60],
  ])('an estimate where %s', (_what, more, expected) => {
    expect(outlookOf({ ...base, ...more }).leftMs).toBe(expected);
  });
});
