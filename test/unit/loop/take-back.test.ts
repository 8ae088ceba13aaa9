import { describe, expect, it } from 'vitest';
import type { BreakTrigger } from '../../../src/domain/policy.ts';
import type { LandingWaits } from '../../../src/domain/ports.ts';
import { finishTakeBack, takeBack } from '../../../src/loop/perform/take-back.ts';
import { commandRun } from '../../helpers/facts.ts';

const RED = [commandRun({ outputTail: 'x' })];
const ARMED: BreakTrigger = {
  ...{ kind: 'red_after_landing', hard: true, taskId: 'T-1' },
  ...{ reason: 'test fails', unresolved: [] },
};

type Given = { readonly type: string; readonly message?: string; readonly reason?: string };

/** What was done, in its order. */
function site({ armed = null as BreakTrigger | null, isDone = true, waits = null as LandingWaits | null }) {
  const done: unknown[] = [];
  const ports = {
    line: {
      current: async () => ({
        results: [
          { taskId: 'T-1', number: 1 },
          { taskId: 'T-1', number: 2 },
          { taskId: 'T-2', number: 1 },
        ],
      }),
      changeOf: async () => null,
      revert: async (...args: unknown[]) => {
        done.push(['revert', ...args]);
        return waits === null
          ? { kind: 'reverted', results: [], paths: [] }
          : { kind: 'waits', waiting: waits };
      },
    },
    store: {
      state: { policy: { armed }, tasks: { 'T-1': { doneBy: isDone ? { kind: 'verdict' } : null } } },
      commit: (given: Given[] | (() => Given[])) => {
        const entries = typeof given === 'function' ? given() : given;
        done.push(...entries.map(({ type, message, reason }) => message ?? [type, reason]));
      },
    },
    tracker: {
      show: async (...args: unknown[]) => {
        done.push(args);
        return null;
      },
    },
    clock: { now: () => '2026-01-01T00:00:00.000Z' },
  };
  return { context: { ports } as never, done };
}

describe('a result since which the line is red', () => {
  it('is reverted alone, and its task is open again before anything else is said', async () => {
    const { context, done } = site({});
    await takeBack(context, 'T-2', { taskId: 'T-1', number: 2 }, RED);
    expect(done).toEqual([
      ['revert', ['T-1'], 2],
      ['tasks_reopened', '"test" fails on your branch since it landed, so it was reverted'],
      ['feedback_added', undefined],
      ['T-1', 'open'],
    ]);
  });

  it('stays where something of yours is in the way, and its task stays done', async () => {
    const { context, done } = site({
      waits: { why: 'your_change', reason: 'you changed it', paths: ['a.ts'] },
    });
    await takeBack(context, 'T-2', { taskId: 'T-1', number: 2 }, RED);
    expect(done.slice(1)).toEqual([
      '"test" fails since T-1 landed, and that couldn\'t be reverted: you changed it (a.ts).',
    ]);
  });

  it("doesn't exist where your commit made it red", async () => {
    const { context, done } = site({});
    await takeBack(context, 'T-2', null, RED);
    expect(done).toEqual(['Your branch is red without T-2: "test" fails.']);
  });
});

describe('what a run that was killed meant to take back', () => {
  it('is taken back by the next one: the newest result of its task', async () => {
    const { context, done } = site({ armed: ARMED });
    await finishTakeBack(context);
    expect(done.slice(0, 3)).toEqual([
      ['revert', ['T-1'], 2],
      ['tasks_reopened', 'a gate fails on your branch since it landed, so it was reverted'],
      ['feedback_added', undefined],
    ]);
  });

  it.each([
    ['no break', { armed: null }],
    ['another break', { armed: { ...ARMED, kind: 'task_failures' as const } }],
    ['a task that is open again by now', { armed: ARMED, isDone: false }],
  ])('is nothing with %s', async (_what, given) => {
    const { context, done } = site(given);
    await finishTakeBack(context);
    expect(done).toEqual([]);
  });
});
