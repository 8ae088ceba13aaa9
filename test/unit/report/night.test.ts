import { expect, it } from 'vitest';
import type { RunSummary } from '../../../src/domain/records/state.ts';
import { nightOf } from '../../../src/tell/index.ts';

const at = (hour: number, day = 10) => new Date(Date.UTC(2030, 0, day, hour)).toISOString();
const run = (name: string, endedAt: string, iterations = 1, ending: RunSummary['ending'] = 'all_done') =>
  ({ run: name, endedAt, activeAt: endedAt, iterations, ending }) as RunSummary;
const RUNS = [
  run('a', at(20, 8)),
  run('b', at(20)),
  run('idle', at(21), 0),
  run('c', at(23)),
  run('last', at(23), 0),
];
const all = { run: null, since: null };

it.each<
  [what: string, wanted: Parameters<typeof nightOf>[1], read: Parameters<typeof nightOf>[2], names: string[]]
>([
  ['the day up to the newest, where none was read', all, null, ['b', 'c']],
  ['those after the one that was read', all, { from: 'a', to: 'a' }, ['b', 'c']],
  ['the same ones again where nothing is new', all, { from: 'b', to: 'c' }, ['b', 'c']],
  ['the newest where the first one is gone', all, { from: 'gone', to: 'c' }, ['c']],
  ['the day where the last one is gone', all, { from: 'gone', to: 'gone' }, ['b', 'c']],
  ['those that ended since then', { run: null, since: new Date(at(22)) }, null, ['c']],
  ['none where one is asked for', { run: 'a', since: null }, null, []],
])('a report covers %s', (_what, wanted, read, names) => {
  expect(nightOf(RUNS, wanted, read, null)).toEqual(names);
});

it('no run, no night', () => {
  expect(nightOf([run('idle', at(1), 0)], all, null, null)).toEqual([]);
});

it.each([
  ['was cut off', null, ['b', 'c', 'cut']],
  ['is active', 'cut', ['b', 'c']],
])('a run without an attempt that ended, which %s', (_what, active, names) => {
  expect(nightOf([...RUNS, run('cut', at(23), 0, null)], all, null, active)).toEqual(names);
});
