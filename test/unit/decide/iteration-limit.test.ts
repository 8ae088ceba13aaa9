import { expect, it } from 'vitest';
import { iterationLimit } from '../../../src/decide/choice/iteration-limit.ts';
import type { TaskStatus } from '../../../src/domain/task.ts';

const list = (...statuses: readonly TaskStatus[]) =>
  statuses.map((status, at) => ({ id: `T-${at + 1}`, status }));
const NOTHING = { scope: null, startedTasks: new Set<string>(), unblocked: 0, attempts: 3 };

it.each([
  ['three for each that is open', list('open', 'in_progress', 'open'), {}, 9],
  ['none for what is done, blocked or waits', list('done', 'blocked', 'parked', 'unverified', 'open'), {}, 3],
  ['those that were added while it ran', list('done', 'open', 'open'), { startedTasks: new Set(['T-1']) }, 9],
  ['those that you asked for alone', list('open', 'open', 'open'), { scope: new Set(['T-2']) }, 3],
  [
    'another series for what was unblocked',
    list('blocked', 'open'),
    { startedTasks: new Set(['T-1']), unblocked: 1 },
    9,
  ],
  ['as many as a task may take, where these are more', list('open', 'open'), { attempts: 5 }, 10],
  ['three where a task may take fewer', list('open', 'open'), { attempts: 1 }, 6],
])('%s', (_, tasks, given, limit) => {
  expect(iterationLimit({ ...NOTHING, tasks, ...given })).toBe(limit);
});
