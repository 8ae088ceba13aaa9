import { bundle } from '../../test/helpers/bundle.ts';
import { lockRace } from '../../test/helpers/crash/lock-race.ts';
import { measured, type Row } from '../row.ts';

const PROCESSES = 20;

export const lockTakeOver: Row = {
  id: 'lock',
  what: `lock take-over by ${PROCESSES} processes at once after a crash`,
  target: 'exactly one winner each',
  run: async ({ size, progress }) => {
    const script = await bundle(new URL('../../test/helpers/crash/worker.ts', import.meta.url));
    const rounds = size(100);
    const winners = await lockRace(script, PROCESSES, rounds, (round) => progress(round, rounds));
    const failures = winners.flatMap((count, round) =>
      count === 1 ? [] : [`round ${round}: ${count} winners`],
    );
    return measured(rounds, `${rounds - failures.length} rounds with one winner`, failures);
  },
};
