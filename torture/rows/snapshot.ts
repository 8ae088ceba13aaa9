import { EXACTNESS_SCENARIOS } from '../../test/helpers/exactness/index.ts';
import { runScenario } from '../../test/helpers/exactness/run-scenario.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { snapshotRounds as roundsOf, TWO_SECONDS } from '../../test/helpers/snapshot-rounds.ts';
import { measured, type Row } from '../row.ts';

/** This row plays all scenarios at any dose: they are few, and each is a different case. */
export const exactness: Row = {
  id: 'exactness',
  what: 'snapshot, exactness scenarios',
  target: `${EXACTNESS_SCENARIOS.length} of ${EXACTNESS_SCENARIOS.length} exact`,
  run: async ({ progress }) => {
    const failures: string[] = [];
    let exact = 0;
    for (const [index, scenario] of EXACTNESS_SCENARIOS.entries()) {
      progress(index, EXACTNESS_SCENARIOS.length, scenario.id);
      const wrong = await runScenario(scenario);
      if (wrong.length === 0) exact += 1;
      else failures.push(`${scenario.id}: ${wrong.join('; ')}`);
      removeTemporaryFolders();
    }
    return measured(EXACTNESS_SCENARIOS.length, `${exact} of ${EXACTNESS_SCENARIOS.length} exact`, failures);
  },
};

/** Rounds in one repository before the next seed begins with a new one. */
const ROUNDS_PER_SEED = 20;

export const snapshotRounds: Row = {
  id: 'snapshot-rounds',
  what: 'snapshot against a cold re-hash, random rounds',
  target: '0 differences',
  run: async ({ size, progress, random }) => {
    const rounds = size(1000, ROUNDS_PER_SEED);
    const failures: string[] = [];
    for (let done = 0; done < rounds; done += ROUNDS_PER_SEED) {
      progress(done, rounds, `${failures.length} differences`);
      failures.push(
        ...(await roundsOf(Math.floor(random() * 2 ** 31), Math.min(ROUNDS_PER_SEED, rounds - done))),
      );
      removeTemporaryFolders();
    }
    return measured(rounds, `${failures.length} differences`, failures);
  },
};

/** Number of work trees that are tried in parallel, because nearly all of the time is waiting. */
const AGED_TREES = 8;
const AGED_ROUNDS = 160;

export const agedSnapshots: Row = {
  id: 'snapshot-aged',
  what: 'the same where everything is older than the index: all scenarios, and random rounds',
  target: 'all exact, 0 differences',
  run: async ({ size, progress, random }) => {
    const failures: string[] = [];
    let trials = 0;
    for (let at = 0; at < EXACTNESS_SCENARIOS.length; at += AGED_TREES) {
      progress(at, EXACTNESS_SCENARIOS.length, `${failures.length} differences`);
      const batch = EXACTNESS_SCENARIOS.slice(at, at + AGED_TREES);
      const wrong = await Promise.all(batch.map((scenario) => runScenario(scenario, TWO_SECONDS)));
      for (const [index, lines] of wrong.entries()) {
        if (lines.length > 0) failures.push(`${batch[index]?.id}: ${lines.join('; ')}`);
      }
      trials += batch.length;
      removeTemporaryFolders();
    }
    const rounds = Math.ceil(size(AGED_ROUNDS, AGED_TREES) / AGED_TREES);
    const seeds = Array.from({ length: AGED_TREES }, () => Math.floor(random() * 2 ** 31));
    failures.push(...(await Promise.all(seeds.map((seed) => roundsOf(seed, rounds, TWO_SECONDS)))).flat());
    removeTemporaryFolders();
    return measured(trials + rounds * AGED_TREES, `${failures.length} differences`, failures);
  },
};
