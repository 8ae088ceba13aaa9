import { expect, it } from 'vitest';
import type { Watched } from '../../../../src/app/commands/watch.ts';
import { changesBetween } from '../../../../src/cli/screen/changes.ts';
import { attempt, CUT_OFF, request, task, watched } from './given.ts';

type Ended = NonNullable<Watched['status']['last_run']>;

const BEFORE = watched([task('T-1'), task('T-2')], { attempts: [attempt('T-1')] }, true);

it('says first how things are', () => {
  const [first, ...rest] = changesBetween(null, BEFORE);
  expect(first).toBe('app: running, 0 of 2 tasks done');
  expect(rest).toHaveLength(1);
  expect(rest[0]).toMatch(/T-1 started \(claude, limit 10 min\): Title of T-1$/);
});

it('says first that the last run was cut off, and what to do', () =>
  expect(changesBetween(null, watched([task('T-1')], { report: CUT_OFF }))).toEqual([
    'app: the run was cut off, 0 of 1 tasks done',
    'app: Cut off: the run was killed. Next: ralph run',
  ]));

it('says nothing where nothing changed', () => expect(changesBetween(BEFORE, BEFORE)).toEqual([]));

it.each([
  [
    'a task that is done, and the next',
    watched(
      [task('T-1', { status: 'done' }), task('T-2')],
      { attempts: [attempt('T-2', { iteration: 5 })] },
      true,
    ),
    [/^T-1 done$/, /T-2 started/],
  ],
  [
    'a task that is not done',
    watched(
      [
        task('T-1', {
          status: 'blocked',
          tries: [{ iteration: 4, verdict: 'gates_failed', cause: 'test fails.' }],
        }),
      ],
      {},
      true,
    ),
    [/^T-1 not done \(#4\): test fails\.; it is blocked now$/],
  ],
  [
    'a gate',
    watched([task('T-1')], { attempts: BEFORE.attempts, requests: [request('G-1', 'T-1')] }, true),
    [/^T-1 waits for you at G-1: 2 tests removed$/],
  ],
  [
    'a pause',
    watched(
      [task('T-1')],
      {
        attempts: BEFORE.attempts,
        status: {
          running: {
            pid: 7,
            host: 'h',
            run: 'r-1',
            stopping: false,
            paused_since: '2030-01-31T05:00:00.000Z',
          },
        },
      },
      true,
    ),
    [/^app: paused since /],
  ],
  [
    'a run whose end is on record and that is not over',
    watched(
      [task('T-1')],
      {
        ...{ attempts: BEFORE.attempts, run: null },
        status: { last_run: { run: 'r-1', ending: 'all_done' } as Ended },
      },
      true,
    ),
    [/^app: ending/],
  ],
  [
    'a run that was killed',
    watched([task('T-1'), task('T-2')], { report: CUT_OFF }),
    [
      /^#4 T-1 was cut off\. It counts as no failed attempt; the next one continues with what it wrote\.$/,
      /^app: Cut off: the run was killed\. Next: ralph run$/,
    ],
  ],
  ['the end', watched([task('T-1', { status: 'done' })]), [/^T-1 done$/, /^app: no run is active/]],
])('says %s', (_, now, expected) => {
  const lines = changesBetween(BEFORE, now);
  expect(lines).toHaveLength(expected.length);
  for (const [at, pattern] of expected.entries()) expect(lines[at]).toMatch(pattern);
});
