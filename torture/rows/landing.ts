import { bundle } from '../../test/helpers/bundle.ts';
import { landingTrials } from '../../test/helpers/line/landing-trial.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

const KILLS_PER_REPOSITORY = 25;

export const landings: Row = {
  id: 'landing',
  what: '`kill -9` at random moments while results are kept and landed, beside a user who edits, stages, commits, amends, drops, reverts, rebases, switches, stashes, pulls and runs gc',
  target:
    'each verified task lands once, waits, conflicts or is withdrawn by name; nothing taken out comes back; nothing of yours changes; fsck is clean',
  run: async ({ size, progress, random }) => {
    const wanted = size(1000, 10);
    const failures: string[] = [];
    let [kills, hits, halfDone] = [0, 0, 0];
    while (kills < wanted) {
      const script = await bundle(new URL('../../test/helpers/line/land-worker.ts', import.meta.url));
      const rounds = Math.min(KILLS_PER_REPOSITORY, wanted - kills);
      const done = await landingTrials(script, rounds, random, (wrong) => {
        kills += 1;
        progress(kills, wanted, `${failures.length + wrong} findings`);
      });
      hits += done.filter(({ hit }) => hit).length;
      halfDone += done.filter((trial) => trial.halfDone).length;
      failures.push(...done.flatMap(({ wrong }) => wrong));
      removeTemporaryFolders();
    }
    return measured(
      kills,
      `${hits} within a worker's life, ${halfDone} within a landing, ${failures.length} findings`,
      failures,
    );
  },
};
