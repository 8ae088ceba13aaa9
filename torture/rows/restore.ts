import { bundle } from '../../test/helpers/bundle.ts';
import { restoreTrials } from '../../test/helpers/crash/restore-trial.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

/** Kills in one repository. */
const KILLS_PER_REPOSITORY = 20;

export const restores: Row = {
  id: 'restore',
  what: '`kill -9` at random moments while a rollback puts a random work tree back',
  target: 'every byte of before is in the tree or in a checkpoint; doing it once more gives the exact tree',
  run: async ({ size, progress, random }) => {
    const wanted = size(1000, KILLS_PER_REPOSITORY);
    const failures: string[] = [];
    let trials = 0;
    let within = 0;
    let halfDone = 0;
    while (trials < wanted) {
      progress(trials, wanted, `${failures.length} findings`);
      // It goes with the other temporary folders at the end of each repository.
      const script = await bundle(new URL('../../test/helpers/crash/restore-worker.ts', import.meta.url));
      const kills = Math.min(KILLS_PER_REPOSITORY, wanted - trials);
      const done = await restoreTrials(script, Math.floor(random() * 2 ** 31), kills, random);
      trials += kills;
      within += done.filter(({ hit }) => hit).length;
      halfDone += done.filter((trial) => trial.hit && trial.halfDone).length;
      failures.push(...done.flatMap(({ wrong }) => wrong));
      removeTemporaryFolders();
    }
    if (halfDone === 0) failures.push('no kill came while files were being changed');
    const result = `${within} within the restore, ${halfDone} while files were being changed`;
    return measured(trials, result, failures);
  },
};
