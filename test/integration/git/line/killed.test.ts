/** @module-tag rest */

import { expect, it } from 'vitest';
import { bundle } from '../../../helpers/bundle.ts';
import { landingTrials } from '../../../helpers/line/landing-trial.ts';
import { randomNumbers } from '../../../helpers/random-tree.ts';

const KILLS = 10;

it(`lands each result once or names why not, through ${KILLS} kills beside a user at work`, async () => {
  const worker = await bundle(new URL('../../../helpers/line/land-worker.ts', import.meta.url));
  const trials = await landingTrials(worker, KILLS, randomNumbers(7));
  expect(trials.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(trials.filter(({ hit }) => hit).length).toBeGreaterThan(0);
});
