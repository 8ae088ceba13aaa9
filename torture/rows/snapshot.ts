import { EXACTNESS_SCENARIOS } from '../../test/helpers/exactness/index.ts';
import { runScenario } from '../../test/helpers/exactness/run-scenario.ts';
import { snapshotRounds as roundsOf } from '../../test/helpers/snapshot-rounds.ts';
import { removeTemporaryFolders } from '../../test/helpers/work-tree.ts';
import { measured, type Row } from '../row.ts';

/** All scenarios at any dose: they are few, and each is another case. */
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

/** Rounds in one repository, before another seed begins with a new one. */
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
