import { join } from 'node:path';
import { clockJumpTrial, timeZoneTrial } from '../../test/helpers/clock-trial.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

/** Wall times around the ends of daylight saving, a leap day and the turn of a year. */
const STARTS = [
  '2026-03-29T00:59:59.500Z',
  '2026-10-25T00:59:59.500Z',
  '2028-02-29T23:59:59.500Z',
  '2026-12-31T23:59:59.500Z',
];
/** Time zones with half hours and quarters, at both ends of the day, and one that jumps by two hours. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Niue',
  'Antarctica/Troll',
];

export const clocks: Row = {
  id: 'clock',
  what: 'clock jumps, daylight saving, time zones',
  target: 'durations by a monotonic clock, records in UTC',
  run: async ({ progress, root }) => {
    const failures: string[] = [];
    const total = STARTS.length + ZONES.length;
    for (const [index, start] of STARTS.entries()) {
      progress(index, total, start);
      failures.push(...(await clockJumpTrial(start)).map((problem) => `clock from ${start}: ${problem}`));
    }
    for (const [index, zone] of ZONES.entries()) {
      progress(STARTS.length + index, total, zone);
      failures.push(
        ...timeZoneTrial(join(root, 'bin', 'ralph.js'), zone).map((problem) => `${zone}: ${problem}`),
      );
      removeTemporaryFolders();
    }
    return measured(total, `${failures.length} findings`, failures);
  },
};
