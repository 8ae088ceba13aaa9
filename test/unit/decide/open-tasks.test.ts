import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { Config } from '../../../src/domain/config.ts';
import type { IncidentSummary } from '../../../src/domain/incident.ts';
import { NO_COST, type PolicyStop } from '../../../src/domain/policy.ts';
import type { Suggestion } from '../../../src/domain/records/blocked.ts';
import {
  type AttemptSummary,
  EMPTY_STATE,
  EMPTY_TASK_STATE,
  type State,
} from '../../../src/domain/records/state.ts';
import type { Task } from '../../../src/domain/task.ts';
import { WITHOUT_BLOCK } from '../../../src/domain/verdict.ts';
import { continueNow } from '../../../src/loop/policy-facts.ts';
import { openTasks } from '../../../src/tell/open-tasks.ts';
import { attempt } from '../blocked/facts.ts';

const tasks: readonly Task[] = ['A', 'B'].map((id) => ({ ...EMPTY_TASK, id, title: id, status: 'open' }));

const stoppedBy = (kind: PolicyStop['kind']): State => ({
  ...EMPTY_STATE,
  policy: { ...EMPTY_STATE.policy, stop: { kind, run: 'r-1', reason: 'because', trigger: null, times: 1 } },
});

const config = Config.parse({ budget: { iterations: 2 } });
const { policy } = stoppedBy('budget');
const spent: State = {
  ...EMPTY_STATE,
  policy: { ...policy, budget: { ...policy.budget, since: 'x', spent: { ...NO_COST, iterations: 2 } } },
};

const incident = (scope: IncidentSummary['scope'], resolved: IncidentSummary['resolved'] = null): State => ({
  ...EMPTY_STATE,
  incidents: [
    {
      id: 'INC-1',
      at: '2026-01-01T00:00:00.000Z',
      run: 'r-1',
      iteration: 1,
      taskId: 'A',
      issue: 'critical_security_violation',
      severity: 'critical',
      summary: 'A credential was written into src/config.js.',
      scope,
      resolved,
    },
  ],
});

describe('a task that no run has begun names the command after which one does', () => {
  it.each<[string, State, string[]]>([
    ['nothing is stopped', EMPTY_STATE, ['not_started: ralph run', 'not_started: ralph run']],
    ['a budget is spent', spent, ['not_started: ralph resume', 'not_started: ralph resume']],
    ['after a break', stoppedBy('break'), ['not_started: ralph resume', 'not_started: ralph resume']],
    ['a checkpoint of yours', stoppedBy('checkpoint'), ['not_started: ralph run', 'not_started: ralph run']],
    [
      'an emergency stop: its own task needs you',
      incident('run'),
      ['you: ralph resume INC-1', 'not_started: ralph resume INC-1'],
    ],
    [
      'an emergency stop that you resolved',
      incident('run', { at: '2026-01-01T01:00:00.000Z', option: 'resume_with_limits', reason: '' }),
      ['not_started: ralph run', 'not_started: ralph run'],
    ],
  ])('%s', (_name, state, expected) => {
    const continues = continueNow({ config, state, tasks, now: '2026-01-02T00:00:00.000Z' });
    const open = openTasks({ tasks, state, continues, running: false, suggest: null });
    expect(open.map(({ group, next }) => `${group}: ${next}`)).toEqual(expected);
  });
});

describe('a task without attempts in its series', () => {
  const series = { at: '', reason: '', blockReason: null, attempts: [], strategy: null, automatic: false };
  const attempt = {} as (typeof EMPTY_TASK_STATE)['attempts'][number];
  const of = (task: Partial<typeof EMPTY_TASK_STATE>, runs: State['runs'] = []) => {
    const state = { ...EMPTY_STATE, runs, tasks: { A: { ...EMPTY_TASK_STATE, ...task } } };
    const [open] = openTasks({
      tasks: tasks.slice(0, 1),
      state,
      continues: 'ralph run',
      running: false,
      suggest: null,
    });
    return `${open?.group}: ${open?.why}`;
  };
  const run = { activeAt: '2026-01-02', work: [{ taskId: 'A' }] } as unknown as State['runs'][number];

  it.each<[string, Partial<typeof EMPTY_TASK_STATE>, State['runs'], string]>([
    ['never started', {}, [], 'not_started: Not started.'],
    [
      'unblocked',
      { history: [{ ...series, attempts: [attempt, attempt] }] },
      [],
      'attempted: 2 earlier attempts; it will be tried again.',
    ],
    ['freed of a mark that only the list had', { history: [series] }, [], 'not_started: Not started.'],
    ['reopened after it was done', {}, [run], 'attempted: Reopened; it will be tried again.'],
    ['another one with the id', { replacedAt: '2026-01-03' }, [run], 'not_started: Not started.'],
  ])('%s', (_name, task, runs, expected) => {
    expect(of(task, runs)).toBe(expected);
  });
});

const blockedAfter = (attempts: AttemptSummary[]): State => ({
  ...EMPTY_STATE,
  tasks: Object.fromEntries(
    tasks.map(({ id }) => [
      id,
      {
        ...EMPTY_TASK_STATE,
        blocked: {
          ...{ reason: 'no_files' as const, detail: 'Failed 3 times.', at: '', run: 'r-1', iteration: 1 },
          ...{ attempts, outputTail: '', failedGateTail: '' },
        },
      },
    ]),
  ),
});

it('a blocked task whose agent never printed the status block says what to do', () => {
  const all = tasks.map((task) => ({ ...task, status: 'blocked' as const }));
  const silent = attempt({ verdict: 'progress', cause: `1 file changed: ${WITHOUT_BLOCK}.` });
  const why = (attempts: AttemptSummary[]) =>
    openTasks({
      tasks: all,
      state: blockedAfter(attempts),
      continues: 'ralph run',
      running: false,
      suggest: null,
    })[0]?.why;
  expect(why([silent, silent, silent, silent])).toMatch(/^4 attempts in a row .*completion = "gates"/);
  expect(why([silent, silent, silent, attempt()])).toBe('Failed 3 times.');
});

describe('blocked tasks with one cause', () => {
  const blocked = blockedAfter([]);
  const sameAs = (commands: Readonly<Record<string, string>>) => {
    const suggest = ({ id }: Task) => ({ command: commands[id] }) as Suggestion;
    const all = tasks.map((task) => ({ ...task, status: 'blocked' as const }));
    return openTasks({ tasks: all, state: blocked, continues: 'ralph run', running: false, suggest }).map(
      (one) => one.sameAs,
    );
  };

  it('are one item where the same helps', () => {
    expect(sameAs({ A: 'ralph unblock A', B: 'ralph unblock B' })).toEqual([[], ['A']]);
    expect(sameAs({ A: 'ralph logs 7', B: 'ralph logs 12' })).toEqual([[], ['A']]);
  });

  it('are two where something else helps each', () => {
    expect(sameAs({ A: 'ralph logs 7', B: 'ralph unblock B' })).toEqual([[], []]);
  });
});
