import { beforeAll, expect, it } from 'vitest';
import { bundle } from '../../helpers/bundle.ts';
import { restoreTrials } from '../../helpers/crash/restore-trial.ts';
import { randomNumbers } from '../../helpers/random-tree.ts';

const KILLS = 15;
const REPOSITORIES = 5;
const SEED = 11;

let worker = '';
beforeAll(async () => {
  worker = await bundle(new URL('../../helpers/crash/restore-worker.ts', import.meta.url));
});

it(`loses nothing when it is killed at ${KILLS} random moments, and ends what was begun`, async () => {
  const seeds = Array.from({ length: REPOSITORIES }, (_, at) => SEED + at);
  // Beside one another: much of the time is waiting.
  const rounds = seeds.map((seed) => restoreTrials(worker, seed, KILLS / REPOSITORIES, randomNumbers(seed)));
  const trials = (await Promise.all(rounds)).flat();
  expect(trials.flatMap(({ wrong }) => wrong)).toEqual([]);
  const hits = trials.filter(({ hit }) => hit).length;
  const halfDone = trials.filter((trial) => trial.hit && trial.halfDone).length;
  process.stdout.write(
    `${hits} of ${KILLS} kills came within the restore, ${halfDone} while files were being changed\n`,
  );
  expect(hits).toBeGreaterThan(0);
  expect(halfDone).toBeGreaterThan(0);
}, 300_000);
